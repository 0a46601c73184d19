"""The evidence that each published format gives, in its official shape, made small."""

import json
from pathlib import Path
from typing import Any

import pytest

from core.corpus import Corpus
from core.types import Evidence, Query
from tests.core.corpus.files import lines, read

FERRY = ["Gale (ferry)", ["Many liked it.", " The Gale was rebuilt by the Tern yard."]]
YARD = ["Tern yard", ["It lies on the quay.", " It was founded by Iris Holm."]]


def asked(folder: Path, *rows: object) -> tuple[Corpus, Query]:
    corpus = read(folder, {"dev.json": json.dumps(rows)})
    assert not corpus.rejected
    return corpus, corpus.queries[0]


def ids(corpus: Corpus) -> dict[str, str]:
    return {made.title: made.id for made in corpus.documents}


def hotpot(*facts: object, context: object = (FERRY, YARD), **more: object) -> dict[str, object]:
    asks = {"_id": "h", "question": "Who founded the yard?", "answer": "Iris Holm"}
    return asks | {"context": context, "supporting_facts": facts} | more


def test_a_supporting_sentence_of_hotpotqa_is_evidence(tmp_path: Path) -> None:
    corpus, query = asked(tmp_path, hotpot(["Gale (ferry)", 1], ["Tern yard", 1]))
    named = ids(corpus)
    assert query.evidence == (
        Evidence("The Gale was rebuilt by the Tern yard.", "sentence", named["Gale (ferry)"]),
        Evidence("It was founded by Iris Holm.", "sentence", named["Tern yard"]),
    )
    assert query.gold == (named["Gale (ferry)"], named["Tern yard"])
    assert not corpus.notes


@pytest.mark.parametrize("number", [2, -1, None])
def test_a_sentence_that_is_missing_is_its_whole_paragraph(
    tmp_path: Path, number: int | None
) -> None:
    corpus, query = asked(tmp_path, hotpot(["Tern yard", number]))
    whole = "It lies on the quay. It was founded by Iris Holm."
    assert query.evidence == (Evidence(whole, "paragraph", ids(corpus)["Tern yard"]),)
    assert corpus.notes == (
        "dev.json: in 1 of 1 record a supporting fact refers to a sentence that its paragraph "
        "does not have, "
        "so the whole paragraph is evidence",
    )


def test_a_title_that_is_missing_is_looked_for_in_other_questions(tmp_path: Path) -> None:
    first = hotpot(["Tern yard", 1], ["Nowhere", 0], context=[FERRY])
    corpus, query = asked(tmp_path, first, hotpot(context=[YARD]) | {"_id": "i"})
    whole = "It lies on the quay. It was founded by Iris Holm."
    assert query.evidence == (
        Evidence(whole, "paragraph", ids(corpus)["Tern yard"]),
        Evidence("", "paragraph", "Nowhere"),
    )
    assert any(
        "refers to a title that is not among the question's paragraphs" in n for n in corpus.notes
    )
    assert any(
        n.startswith(
            "Evidence of 1 question refers to documents that are not in this corpus, "
            "such as 'Nowhere'"
        )
        for n in corpus.notes
    )


def test_sentences_with_entities_and_columns_are_read(tmp_path: Path) -> None:
    context = {"title": ["A &amp; B"], "sentences": [["A &amp; B sail."]]}
    facts = {"title": ["A &amp; B"], "sent_id": [0]}
    row = hotpot(context=context) | {"supporting_facts": facts}
    _, query = asked(tmp_path, row)
    assert [each.text for each in query.evidence] == ["A & B sail."]


@pytest.mark.parametrize("kind", ["compositional", "inference", "bridge_comparison", "comparison"])
def test_triples_of_two_wiki_tell_the_hop(tmp_path: Path, kind: str) -> None:
    triples = [
        ["Gale", "rebuilt by", "Tern yard"],
        ["tern  yard", "founded by", "Iris Holm"],
        ["Gale", "has", "cars"],
    ]
    facts = (["Tern yard", 1], ["Gale (ferry)", 1], ["Quay", 0])
    context = [FERRY, YARD, ["Quay", ["The quay is cold."]]]
    _, query = asked(tmp_path, hotpot(*facts, context=context, evidences=triples, type=kind))
    assert [each.hop for each in query.evidence] == [2, 1, 0]


def test_things_that_are_compared_have_a_chain_each(tmp_path: Path) -> None:
    facts = (["Gale", 0], ["Tern yard", 0])
    compared = [["Gale", "country", "Norland"], ["Tern yard", "country", "Sudland"]]
    _, query = asked(tmp_path, hotpot(*facts, context=[FERRY, YARD], evidences=compared))
    assert [each.hop for each in query.evidence] == [0, 0]  # neither is needed for the other
    context = [["Gale", ["A."]], ["Tern", ["B."]], ["Ann", ["C."]], ["Bo", ["D."]]]
    bridged = [
        ["Gale", "captain", "Ann"],
        ["Tern", "captain", "Bo"],
        ["Ann", "country", "Norland"],
        ["Bo", "country", "Norland"],
    ]
    each = [[title, 0] for title, _ in context]
    _, query = asked(tmp_path, hotpot(*each, context=context, evidences=bridged))
    assert [one.hop for one in query.evidence] == [1, 1, 2, 2]


def musique(**more: Any) -> dict[str, Any]:
    return {
        "id": "2hop__1_2",
        "question": "Who founded the yard that rebuilt the Gale?",
        "answer": "Iris Holm",
        "paragraphs": [
            {"idx": 0, "title": "Y", "paragraph_text": "Founded by\nIris.", "is_supporting": True},
            {"idx": 1, "title": "Q", "paragraph_text": "Cold.", "is_supporting": False},
            {"idx": 2, "title": "G", "paragraph_text": "Rebuilt by Y.", "is_supporting": True},
        ],
        "question_decomposition": [
            {"question": "Who rebuilt it?", "answer": "Y", "paragraph_support_idx": 2},
            {"question": "Who founded #1?", "answer": "Iris", "paragraph_support_idx": 0},
        ],
        **more,
    }


def test_musique_has_a_paragraph_for_each_sub_question(tmp_path: Path) -> None:
    corpus, query = asked(tmp_path, musique())
    named = ids(corpus)
    assert query.evidence == (
        Evidence("Rebuilt by Y.", "paragraph", named["G"], 1, "Who rebuilt it?", "Y"),
        Evidence("Founded by Iris.", "paragraph", named["Y"], 2, "Who founded #1?", "Iris"),
    )
    assert query.gold == (named["Y"], named["G"])


def test_paragraphs_of_musique_without_sub_questions_have_no_hop(tmp_path: Path) -> None:
    _, query = asked(tmp_path, musique(question_decomposition=[]))
    assert [(each.hop, each.asks) for each in query.evidence] == [(0, ""), (0, "")]


def test_a_paragraph_that_answers_two_sub_questions_is_evidence_at_both(tmp_path: Path) -> None:
    parts = [
        {"question": "Who?", "answer": "Iris", "paragraph_support_idx": 0},
        {"question": "When?", "answer": "1790", "paragraph_support_idx": 0},
        {"question": "Lost?", "answer": "x", "paragraph_support_idx": 9},
    ]
    corpus, query = asked(tmp_path, musique(question_decomposition=parts))
    found = [(each.hop, each.answer) for each in query.evidence]
    assert found == [(1, "Iris"), (2, "1790"), (0, "")]
    assert "in 1 of 1 record a sub-question has no supporting paragraph" in corpus.notes[0]


def test_an_unanswerable_question_of_musique_has_no_evidence(tmp_path: Path) -> None:
    corpus, query = asked(tmp_path, musique(answerable=False))
    assert query.unanswerable
    assert (query.gold, query.evidence, corpus.notes) == ((), (), ())


ARTICLE = {"title": "Tern yard", "url": "http://t", "published_at": "2024", "body": "News. More."}
FACT = {"title": "Tern yard", "url": "http://t", "fact": "It was founded  by Iris Holm."}


def test_facts_of_multihop_rag_are_evidence_of_their_articles(tmp_path: Path) -> None:
    row = {"query": "Who?", "evidence_list": [FACT, FACT], "question_type": "inference_query"}
    files = {"q.json": json.dumps([row]), "c.json": json.dumps([ARTICLE])}
    corpus = read(tmp_path, files)
    (article,), (query,) = corpus.documents, corpus.queries
    assert query.evidence == (Evidence("It was founded by Iris Holm.", "fact", article.id),)
    assert query.gold == (article.id,)


def test_a_piece_of_evidence_without_a_fact_is_its_article(tmp_path: Path) -> None:
    row = {"query": "Who?", "evidence_list": [{"title": "Tern yard", "url": "http://t"}]}
    corpus = read(tmp_path, {"q.json": json.dumps([row]), "c.json": json.dumps([ARTICLE])})
    (article,), (query,) = corpus.documents, corpus.queries
    assert query.evidence == (Evidence("News. More.", "paragraph", article.id),)
    assert "in 1 of 1 record a piece of evidence contains no fact" in corpus.notes[0]


def test_facts_follow_an_article_by_its_address(tmp_path: Path) -> None:
    row = {"query": "Who?", "evidence_list": [FACT]}
    own = {"id": "own", "title": "Another", "url": "http://t", "text": "It was founded."}
    corpus = read(tmp_path, {"q.json": json.dumps([row]), "c.jsonl": lines(own)})
    assert [each.document for each in corpus.queries[0].evidence] == ["own"]


def test_a_null_query_has_no_gold_and_is_unanswerable(tmp_path: Path) -> None:
    row = {
        "query": "Who painted it?",
        "answer": "Insufficient information.",
        "question_type": "null_query",
        "evidence_list": [],
    }
    corpus, query = asked(tmp_path, row)
    assert query.unanswerable
    assert (query.gold, query.evidence) == ((), ())
    assert (query.type, query.answers) == ("null", ("Insufficient information.",))
    assert not corpus.notes


CONTEXT = "  Dr. Holm&#39;s ferry Gale sank in 1988. The Tern yard, in 1988, rebuilt it.\nIt sails."


def squad(*answers: tuple[str, int]) -> dict[str, Any]:
    found = [{"text": text, "answer_start": start} for text, start in answers]
    qas = [{"id": "s", "question": "Who?", "answers": found, "is_impossible": not answers}]
    return {"data": [{"title": "G", "paragraphs": [{"context": CONTEXT, "qas": qas}]}]}


SANK = "Dr. Holm's ferry Gale sank in 1988."
REBUILT = "The Tern yard, in 1988, rebuilt it."


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ([("1988", CONTEXT.index("1988"))], [(SANK, "1988")]),
        ([("1988", CONTEXT.rindex("1988"))], [(REBUILT, "1988")]),
        (
            [("It", 77), ("The Tern yard", 42), ("Tern yard", 46)],
            [(REBUILT, "The Tern yard")],  # of two annotators
        ),
        ([("1988. The Tern yard", 36)], [(f"{SANK} {REBUILT}", "1988. The Tern yard")]),
        ([], []),
    ],
)
def test_the_sentence_that_holds_a_span_is_evidence(
    tmp_path: Path, answers: list[tuple[str, int]], expected: list[tuple[str, str]]
) -> None:
    corpus = read(tmp_path, {"dev.json": json.dumps(squad(*answers))})
    (query,) = corpus.queries
    assert [(each.text, each.answer) for each in query.evidence] == expected
    assert {each.kind for each in query.evidence} <= {"span"}
    others = {each for one in query.evidence for each in one.alternatives}
    assert others == ({"It sails."} if len(answers) > 1 else set())
    assert {each.document for each in query.evidence} == set(query.gold)
    assert query.unanswerable == (not answers)


def test_a_span_that_its_paragraph_lacks_is_the_whole_paragraph(tmp_path: Path) -> None:
    corpus = read(tmp_path, {"dev.json": json.dumps(squad(("1790", 3)))})
    (query,) = corpus.queries
    (whole,) = query.evidence
    assert (whole.kind, whole.answer) == ("paragraph", "1790")
    assert whole.text == f"{SANK} {REBUILT} It sails."
    assert "in 1 of 1 record an answer is not in its paragraph" in corpus.notes[0]


def test_judgements_give_documents_and_no_evidence(tmp_path: Path) -> None:
    files = {
        "corpus.jsonl": lines({"_id": "d", "title": "T", "text": "A city."}),
        "queries.jsonl": lines({"_id": "q", "text": "Which?"}),
        "qrels.txt": "q 0 d 2\n",
    }
    (query,) = read(tmp_path, files).queries
    assert (query.gold, query.grades, query.evidence) == (("d",), {"d": 2}, ())
