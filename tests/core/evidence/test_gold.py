"""Gold by evidence: what is counted, from a build to a run, whatever the chunking."""

from dataclasses import replace
from pathlib import Path

import pytest

from core.artefacts.workbench import Workbench
from core.corpus.chunking.chunker import Chunking
from core.evidence import Holders, evidence_ids, gold_told
from core.funnel.fates import fates
from core.indexing.updates import build, remove
from core.marks import gold_of, golds_of_queries, set_gold
from core.ranking_comparison import gold_ranks
from core.retrievers import Spec, make
from core.runs import Runs
from core.runs.measuring import begin, evaluate, measure
from core.runs.question_sets import own_questions, questions_in
from core.store.index import Index
from core.traces import dump, load, record
from tests.core.corpus.files import lines, read
from tests.core.fakes import WordEmbedder
from tests.core.five import silent

FERRY = "The ferry was rebuilt by the Tamsin yard in the spring of 1988."
YARD = "The Tamsin yard was founded by the welder Iris Colm."
BOTH = f"{FERRY} {YARD}"
DOCUMENTS = (
    {"id": "osprey", "title": "Osprey", "text": f"Critics liked the light.\n\n{FERRY}"},
    {"id": "tamsin", "title": "Tamsin", "text": f"Yards come and go.\n\n{YARD}"},
    {"id": "report", "title": "Report", "text": f"{BOTH} Nobody spoke of the price of it all."},
)
ASKED = "Who founded the yard that rebuilt the Osprey?"
QUESTION = {
    "id": "q",
    "question": ASKED,
    "gold": ["osprey", "tamsin"],
    "evidence": [{"text": FERRY, "document": "osprey"}, {"text": YARD, "document": "tamsin"}],
}


def made(folder: Path, chunking: str, *questions: dict[str, object]) -> Index:
    files = {"c.jsonl": lines(*DOCUMENTS), "q.jsonl": lines(*(questions or (QUESTION,)))}
    corpus = read(folder / "files", files)
    place = folder / "index"
    build(place, corpus, WordEmbedder(), silent, chunking=Chunking.parse(chunking), restart=True)
    return Index.open(place)


@pytest.fixture
def index(tmp_path: Path) -> Index:
    return made(tmp_path, "sentence")


def bench(index: Index) -> Workbench:
    return Workbench(index, WordEmbedder(), making=silent)


def test_evidence_is_at_the_passages_that_hold_it(index: Index) -> None:
    gold = gold_of(index, ASKED)
    assert gold.ids == ("q:e1", "q:e2")
    texts = {name: {index.passage(one).text for one in gold.passages[name]} for name in gold.ids}
    assert texts == {"q:e1": {FERRY}, "q:e2": {YARD}}
    # The report repeats both facts, so that its passages are as good.
    documents = {index.passage(one).document_id for one in gold.passages["q:e1"]}
    assert documents == {"osprey", "report"}
    assert [each.text for each in gold.evidence_in(gold.passages["q:e2"][0])] == [YARD]


def test_documents_can_still_be_what_counts(index: Index) -> None:
    (by_document,) = golds_of_queries(index, index.questions, "document")
    assert by_document.ids == ("osprey", "tamsin")
    assert by_document.passages["osprey"] == index.document_passages["osprey"]
    assert gold_told(own_questions(index, "document")) == ("Gold: 2 whole documents or passages.")
    assert gold_told(own_questions(index)) == (
        "Gold: 2 pieces of evidence in 1 question; all 2 found word for word."
    )


def test_every_build_maps_evidence_anew(tmp_path: Path) -> None:
    whole, cut = made(tmp_path, "as-is"), None
    assert gold_of(whole, ASKED).passages["q:e1"] == ("osprey", "report")
    cut = made(tmp_path, "sentence")
    assert "osprey" not in gold_of(cut, ASKED).passages["q:e1"]
    remove(tmp_path / "index", ["report"], WordEmbedder(), silent)
    assert len(gold_of(Index.open(tmp_path / "index"), ASKED).passages["q:e1"]) == 1


def test_all_parts_of_split_evidence_are_needed(tmp_path: Path) -> None:
    question = {**QUESTION, "evidence": [{"text": BOTH, "document": "report"}]}
    index = made(tmp_path, "sentence", question)
    (evidence,) = index.questions[0].evidence
    assert evidence.step == "split"
    first, second = evidence.parts
    gold = gold_of(index, ASKED)
    assert gold.passages["q:e1"] == (*first, *second)
    other = next(name for name in index.ids if name not in gold.passages["q:e1"])
    ranking = [first[0], other, second[0]]
    assert gold_ranks(ranking, gold.ids, gold.passages) == {"q:e1": 3}
    assert gold_ranks(ranking[:2], gold.ids, gold.passages) == {"q:e1": None}
    assert {*gold.authors(ranking)} == {first[0], second[0]}
    steps = tuple(make(Spec("bm25", {"top_k": 2}), bench(index)).retrieve(FERRY))
    (fate,) = fates(steps, gold.ids, index, passages_by_gold=gold.passages)
    assert fate.passage in second  # the part that was retrieved is not what is missing
    assert fate.lost


def test_evidence_that_no_passage_holds_is_missing(tmp_path: Path) -> None:
    lost = {"text": "The welder moved to the island of Orm in 1991.", "document": "tamsin"}
    index = made(tmp_path, "sentence", {**QUESTION, "evidence": [QUESTION["evidence"][0], lost]})
    gold = gold_of(index, ASKED)
    assert gold.absent == ("q:e2",)
    assert gold.titles["q:e2"] == lost["text"]
    assert gold_told(own_questions(index)) == (
        "Gold: 2 pieces of evidence in 1 question; 1 found word for word, 1 not found in "
        "any passage."
    )


def test_a_person_may_mark_and_unmark_passages_of_evidence(index: Index) -> None:
    held = gold_of(index, ASKED).passages["q:e1"]
    set_gold(index, ASKED, held[0], gold=False)
    assert gold_of(index, ASKED).passages["q:e1"] == held[1:]
    set_gold(index, ASKED, held[1], gold=False)
    assert gold_of(index, ASKED).ids == ("q:e2",)
    other = index.document_passages["osprey"][0]
    set_gold(index, ASKED, other, gold=True)
    assert gold_of(index, ASKED).ids == ("q:e2", other)


def test_a_trace_keeps_its_evidence(index: Index) -> None:
    gold = gold_of(index, ASKED)
    trace = record(make(Spec("bm25"), bench(index)), ASKED, index).with_gold(gold)
    again = load(dump(trace))
    assert again == trace
    assert again.kept_gold.ids == gold.ids
    assert again.kept_gold.passages == gold.passages


def test_runs_count_evidence_and_say_so(index: Index) -> None:
    workbench = bench(index)
    for level, expected in (("evidence", ("q:e1", "q:e2")), ("document", ("osprey", "tamsin"))):
        run = begin(workbench, own_questions(index, level), [Spec("bm25")], name=level)
        measure(run, workbench)
        (row,) = Runs(index.path).rows(run.id, "bm25")
        assert run.settings["gold"] == level
        assert tuple(row.ranks) == expected
        assert row.question.evidence == index.questions[0].evidence
        assert [fate.gold for fate in row.fates] == list(expected)


def test_a_file_of_questions_is_measured_as_the_index_own(index: Index, tmp_path: Path) -> None:
    path = tmp_path / "asked.jsonl"
    path.write_text(lines(QUESTION))
    for level in ("evidence", "document"):
        asked = questions_in(path, index, level=level).questions
        own = own_questions(index, level)
        assert [query.gold for query in asked] == [query.gold for query in own]
        reports = [evaluate(some, bench(index), ["bm25"]) for some in (asked, own)]
        first, second = ([row.ranks for row in report.rows] for report in reports)
        assert first == second


def test_an_id_of_evidence_is_that_of_its_question(index: Index) -> None:
    (query,) = index.questions
    assert evidence_ids(query) == ("q:e1", "q:e2")
    assert evidence_ids(replace(query, evidence=())) == ()


def test_one_of_several_passages_is_enough() -> None:
    passages_by_gold = Holders({"e": ("a", "b"), "f": ("c", "d")}, {"f": (("c",), ("d",))})
    assert gold_ranks(["x", "b", "a"], ["e"], passages_by_gold) == {"e": 2}
    assert gold_ranks(["d", "c"], ["f"], passages_by_gold) == {"f": 2}
    assert gold_ranks(["d", "x"], ["f"], passages_by_gold) == {"f": None}
