from core.evidence import gold_json, gold_told, previewed, with_evidence_as_gold, with_passages
from core.types import Evidence, Passage, Query

PASSAGES = (
    Passage("p#0", "p", 0, "Ash", "Ash is a river. It meets the"),
    Passage("p#1", "p", 1, "Ash", "sea at Selby."),
    Passage("d", "d", 0, "Selby", "Selby is a port."),
)


def asked(name: str, *facts: str, gold: tuple[str, ...] = ()) -> Query:
    return Query(
        name, "Where?", gold=gold, evidence=tuple(Evidence(one, document="p") for one in facts)
    )


QUERIES = [
    asked("exact", "Ash is a river."),
    asked("none"),
    asked("split", "It meets the sea at Selby."),
    asked("whole", gold=("p", "d", "gone")),
    asked("lost", "Nothing says anything of this kind."),
]


def test_questions_with_gold_in_no_passage_come_first_then_those_in_doubt() -> None:
    found = previewed(with_passages(QUERIES, PASSAGES), PASSAGES)
    assert [each.query.id for each in found] == ["whole", "lost", "split", "exact"]
    assert [each.missing for each in found] == [1, 1, 0, 0]
    assert dict(found[0].documents) == {"p": 2, "d": 1, "gone": 0}


def test_gold_is_told_with_how_its_evidence_was_found() -> None:
    mapped = [with_evidence_as_gold(query) for query in with_passages(QUERIES, PASSAGES)]
    assert gold_told(mapped) == (
        "Gold: 3 pieces of evidence in 3 questions; 1 found word for word, 1 split across "
        "passages, 1 not found in "
        "any passage. Gold of 1 question without evidence: 3 whole documents "
        "or passages."
    )
    told = gold_json(mapped)
    assert (told["gold"], told["steps"]) == ("evidence", {"exact": 1, "split": 1, "not found": 1})
    assert gold_json([asked("whole", gold=("p",))])["gold"] == "document"
