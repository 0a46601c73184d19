from core.evidence import Piece, evidence_spans, excerpt, marked, nearest_span
from core.types import Evidence, MatchStep


def shown(text: str, *evidence: Evidence) -> list[str]:
    return [text[start:end] for start, end in evidence_spans(text, evidence)]


def held(text: str, step: MatchStep = "exact") -> Evidence:
    return Evidence(text, step=step)


def test_evidence_is_found_whatever_its_white_space_quotes_and_hyphens() -> None:
    passage = "It was late. The “Osprey”\u00a0—\nrebuilt in Selby — sank. Nobody drowned."
    found = shown(passage, held('The "Osprey" - rebuilt in  Selby - sank.', "normalised"))
    assert found == ["The “Osprey”\u00a0—\nrebuilt in Selby — sank."]


def test_letters_that_unicode_writes_as_several_keep_their_places() -> None:
    assert shown("Café 🦀 ﬁnal… then", held("ﬁnal…")) == ["ﬁnal…"]
    assert shown("Cafe\u0301 noir", held("Café")) == ["Cafe\u0301"]


def test_each_passage_shows_its_piece_of_split_evidence() -> None:
    fact = held("The Osprey sank off Selby in 1204.", "split")
    assert shown("It was late. The Osprey sank off", fact) == ["The Osprey sank off"]
    assert shown("sank off Selby in 1204. Nobody drowned.", fact) == ["sank off Selby in 1204."]
    assert shown("Osprey sank off", fact) == ["Osprey sank off"]


def test_fuzzy_evidence_is_shown_at_what_is_like_it() -> None:
    (found,) = shown(
        "Late. The Osprey sunk off Selby. Then", held("The Osprey sank off Selby", "fuzzy")
    )
    assert found == "The Osprey sunk off Selby"


def test_spans_that_overlap_are_one_and_what_is_not_there_has_none() -> None:
    text = "Ash is a river of the north."
    assert shown(text, held("Ash is a river"), held("river of the north")) == [
        "Ash is a river of the north"
    ]
    assert shown(text, held("Nothing of that kind was ever said", "not found")) == []
    assert evidence_spans(text, ()) == ()


def test_the_nearest_words_are_whole_and_have_their_similarity() -> None:
    found = nearest_span(
        "Then. The Osprey was lost off Selby. Now", held("The Osprey sank off Selby")
    )
    assert found is not None
    score, (start, end) = found
    assert 60 <= score < 90
    assert "Osprey was lost off Selby" in "Then. The Osprey was lost off Selby. Now"[start:end]
    assert nearest_span("Of quite another matter altogether, at length", held("zzz qqq")) is None


def joined(pieces: list[Piece]) -> str:
    return "".join(f"[{text}]" if marks else text for text, marks in pieces)


def test_an_excerpt_begins_and_ends_with_whole_words() -> None:
    text = "one two three four five six seven eight nine ten"
    at = text.index("five")
    assert joined(excerpt(text, [(at, at + 4)], 9)) == "… four [five] six …"
    assert joined(excerpt(text, [], 5)) == "one two …"
    assert joined(excerpt(text, [(0, 3)], 100)) == "[one]" + text[3:]


def test_parts_far_apart_are_shown_without_what_is_between_them() -> None:
    text = f"alpha {'x ' * 60}omega"
    end = text.index("omega")
    assert joined(excerpt(text, [(0, 5), (end, end + 5)], 4)) == "[alpha] x x … x x [omega]"


def test_marked_text_is_all_of_it() -> None:
    assert marked("abc", [(1, 2)]) == [("a", False), ("b", True), ("c", False)]
    assert marked("abc", []) == [("abc", False)]
