"""What passages are called where they are shown."""

from core.text.display.passage_labels import shown_names
from core.types import Passage

LONG = "Internal phosphorus loading in Lake Varnes: a mass balance 2011–2023"


def names(*titles: str) -> list[str]:
    parts = [Passage(str(at), "d", at, title, "") for at, title in enumerate(titles)]
    return list(shown_names(parts).values())


def test_the_heading_of_a_part_stays_and_its_document_is_cut() -> None:
    assert names(LONG, f"{LONG}: 4 Results", f"{LONG}: 5 Discussion: Iron", f"{LONG} (page 3)") == [
        LONG,
        "Internal phosphorus… › 4 Results",
        "Internal… › 5 Discussion: Iron",
        "Internal phosphorus… › page 3",
    ]


def test_what_is_short_or_alone_stays_as_it_is() -> None:
    assert names("Lake: North", "Lake: South") == ["Lake › North", "Lake › South"]
    assert names(f"{LONG}: 4 Results") == [f"{LONG}: 4 Results"]
    assert names("Ash", "Bee", "") == ["Ash", "Bee", "2"]


def test_no_two_of_one_document_are_called_the_same() -> None:
    heading = "A heading that goes on and on until it is "
    found = names("Ash", "Ash", *(f"{LONG}: {heading}{end}" for end in ("red", "blue")))
    assert found[:2] == ["Ash · 1", "Ash · 2"]
    found = names(*(f"{LONG}: {heading}{end}" for end in ("red", "blue")))
    assert [name[-4:] for name in found] == [" · 1", " · 2"]
    assert all(len(name) <= 48 for name in found)
