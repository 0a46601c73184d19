"""Question files that are written with evidence say the same when they are read again."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.corpus.chunking.chunker import Chunking
from core.corpus.gold.given_evidence import as_given, without_repeats
from core.indexing.updates import add, build
from core.marks import Gold, as_file, gold_of, marked_questions, set_gold
from core.runs.question_sets import questions_in
from core.store.index import Index
from core.text.clean import one_line
from core.types import Evidence, Query
from tests.core.corpus.files import lines, read
from tests.core.fakes import WordEmbedder
from tests.core.five import silent

FERRY = ["Gale", ["Many liked it.", "The Gale was rebuilt by the Tern yard."]]
YARD = ["Tern yard", ["It lies on the quay.", "It was founded by Iris Holm."]]
FACT = "The Gale was rebuilt by the Tern yard."
HOTPOT = {
    "_id": "h",
    "question": "Who founded it?",
    "context": [FERRY, YARD],
    "supporting_facts": [["Gale", 1], ["Tern yard", 1], ["Tern yard", 7], ["Nowhere", 0]],
}
MUSIQUE = {
    "id": "2hop__1_2",
    "question": "Who?",
    "answerable": True,
    "paragraphs": [{"title": "Y", "paragraph_text": "Founded\nby Iris.", "is_supporting": True}],
    "question_decomposition": [{"question": "By?", "answer": "Iris", "paragraph_support_idx": 0}],
}
SQUAD = {
    "title": "G",
    "context": "It sank in 1988. It sails.",
    "question": "When?",
    "answers": {"text": ["1988"], "answer_start": [11]},
}
RAG = {
    "query": "Which?",
    "question_type": "inference_query",
    "evidence_list": [{"title": "News", "url": "http://n", "fact": "It was 1790."}],
}
NULL = RAG | {"query": "Why?", "question_type": "null_query", "evidence_list": []}
ARTICLE = {"title": "News", "url": "http://n", "published_at": "2024", "body": "It was 1790."}
PLAIN = {
    "question": "How?",
    "gold": {"d": 2},
    "evidence": [FACT, {"text": "It is old.", "document": "", "grade": 2, "hop": 3, "by": "Ana"}],
    "reference_contexts": ["It lies on the quay."],
}
FILES = {
    "hotpot.json": json.dumps([HOTPOT]),
    "musique.jsonl": lines(MUSIQUE),
    "squad.jsonl": lines(SQUAD),
    "rag.json": json.dumps([RAG, NULL]),
    "articles.json": json.dumps([ARTICLE]),
    "plain.jsonl": lines(PLAIN),
    "c.jsonl": lines({"id": "d", "text": "A document."}),
}


def test_every_format_is_written_and_read_again_with_equal_evidence(tmp_path: Path) -> None:
    corpus = read(tmp_path, FILES)
    written = as_file((query, Gold(query.gold)) for query in corpus.queries)
    documents = {name: text for name, text in FILES.items() if name in ("articles.json", "c.jsonl")}
    alone = read(tmp_path / "alone", {"q.jsonl": written})
    beside = read(tmp_path / "beside", documents | {"q.jsonl": written})
    for again in (alone, beside):
        for one, other in zip(corpus.queries, again.queries, strict=True):
            assert (other.id, other.gold, other.answers) == (one.id, one.gold, one.answers)
            assert other.evidence == one.evidence
            assert other.unanswerable == one.unanswerable
    assert [len(query.evidence) for query in corpus.queries] == [4, 1, 1, 1, 0, 3]


texts = st.text(alphabet="ab c.\n\"'é\u00a0“[{\0", max_size=12)
words = texts.map(one_line)
items = st.builds(
    Evidence,
    words.map(lambda text: text or "A"),
    st.sampled_from(("fact", "sentence", "span", "paragraph")),
    st.sampled_from(("", "d", "http://n", "Nowhere")),
    st.integers(0, 5),
    words,
    words,
    st.sampled_from((0.5, 1.0, 3.0)),
    words,
    st.sampled_from(("", "exact")),
    st.sampled_from((0.0, 91.5)),
    st.sampled_from(((), (("d#1",), ("d#2",)))),
    st.sampled_from(((), ("B", "C d"))),
)


@given(st.lists(items, max_size=4), st.sampled_from(((), ("x",), ("x", "y"))))
def test_evidence_of_any_form_is_read_as_it_was_written(
    tmp_path_factory: pytest.TempPathFactory, evidence: list[Evidence], gold: tuple[str, ...]
) -> None:
    given_ones = without_repeats(map(as_given, evidence))
    asked = Query("q", "Who?", gold=gold, evidence=given_ones)
    written = as_file([(asked, Gold(gold))])
    (again,) = read(tmp_path_factory.mktemp("again"), {"q.jsonl": written}).queries
    assert again.evidence == given_ones


@pytest.fixture
def index(tmp_path: Path) -> Index:
    corpus = read(tmp_path / "files", {"dev.json": json.dumps([HOTPOT])})
    build(tmp_path / "i", corpus, WordEmbedder(), silent, chunking=Chunking.parse("sentence"))
    return Index.open(tmp_path / "i")


def test_a_file_of_an_index_names_documents_and_texts(index: Index, tmp_path: Path) -> None:
    (asked,) = index.questions
    assert asked.evidence[0].step == "exact"
    path = tmp_path / "q.jsonl"
    path.write_bytes(as_file(marked_questions(index)))
    row = json.loads(path.read_text())
    assert row["gold"] == list(asked.gold)
    assert row["evidence"][0] == {
        "text": FACT,
        "kind": "sentence",
        "document": asked.gold[0],
    }
    (again,) = questions_in(path, index).questions
    assert list(map(as_given, again.evidence)) == list(map(as_given, asked.evidence))


def test_evidence_that_was_taken_away_is_left_out(index: Index, tmp_path: Path) -> None:
    (asked,) = index.questions
    ferry = asked.gold[0]
    set_gold(index, asked.text, asked.evidence[0].parts[0][0], gold=False)
    assert len(gold_of(index, asked.text).ids) == 3
    row = json.loads(as_file(marked_questions(index)))
    assert FACT not in [each["text"] for each in row["evidence"] if "text" in each]
    assert ferry not in row["gold"]
    assert len(row["evidence"]) == 3


def test_adding_questions_whose_evidence_changed_changes_the_index(
    index: Index, tmp_path: Path
) -> None:
    def added(row: object) -> dict[str, int]:
        corpus = read(tmp_path / "files", {"dev.json": json.dumps([row])})
        return add(index.path, corpus, WordEmbedder(), silent).versions

    before = index.meta.versions
    assert added(HOTPOT) == before  # mapped evidence is no other than that of the file
    facts = [["Gale", 0], ["Tern yard", 1], ["Tern yard", 7], ["Nowhere", 0]]
    assert added(HOTPOT | {"supporting_facts": facts}) != before
    (asked,) = Index.open(index.path).questions
    assert asked.evidence[0].text == "Many liked it."


def test_evidence_follows_a_document_that_another_file_gives_an_id(
    index: Index, tmp_path: Path
) -> None:
    text = " ".join(FERRY[1])
    corpus = read(tmp_path, {"c.jsonl": lines({"id": "own", "title": "Gale", "text": text})})
    add(index.path, corpus, WordEmbedder(), silent)
    (asked,) = Index.open(index.path).questions
    assert (asked.gold[0], asked.evidence[0].document) == ("own", "own")
    assert asked.evidence[0].parts
    assert replace(asked.evidence[0], parts=()).text == FACT
