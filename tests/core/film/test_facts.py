"""The text of a passage in a film: its evidence is in what is shown of it."""

from core.film.facts import readable
from core.types import Evidence

FACT = "The Osprey was rebuilt in Selby."
FILLED = " ".join(f"barge {number}" for number in range(100))


def test_a_text_without_evidence_is_cropped() -> None:
    text, facts = readable(FILLED, (), 50)
    assert text.endswith("…")
    assert len(text) <= 50
    assert facts == []


def test_a_text_begins_shortly_before_its_evidence() -> None:
    text, facts = readable(f"{FILLED} {FACT} {FILLED}", (Evidence(FACT, step="exact"),), 300)
    assert facts == [FACT]
    assert text.startswith("… ")
    assert 80 <= text.index(FACT) <= 100
    assert len(text) <= 300
    early = f"Late. {FACT} {FILLED}"
    assert readable(early, (Evidence(FACT, step="exact"),), 300)[0].startswith(f"Late. {FACT}")


def test_evidence_far_apart_is_shown_piece_by_piece() -> None:
    other = "It sank in 1204."
    evidence = Evidence(FACT, step="exact"), Evidence(other, step="exact")
    text, facts = readable(f"{FACT} {FILLED} {other}", evidence, 200)
    assert facts == [FACT, other]
    assert FACT in text
    assert text.endswith(other)
    assert len(text) < 350
