"""Every page says what counts as gold, and shows evidence in the passages that hold it."""

from dataclasses import replace
from pathlib import Path

import pytest

from core.artefacts.workbench import Workbench
from core.corpus.types import Corpus
from core.indexing.updates import build
from core.marks import gold_of
from core.retrievers import Spec, make
from core.reviews.losses.lost_gold import cases
from core.runs import Run, Runs, measuring
from core.runs.question_sets import OWN, own_questions
from core.store.index import Index
from core.traces import record
from core.traces.table import ranking_csv
from core.types import Evidence
from tests.core.fakes import WordEmbedder
from tests.core.five import DOCUMENTS, QUESTION, silent
from tests.pages.journeys import checked, opened, raw, walkthrough, words

BORN = "She was born in Port Selby."
SLY = "Nobody ever said <b>so</b> of this."
FACTUAL = "factual"
ASKED = replace(
    QUESTION,
    evidence=(
        Evidence(BORN, document="owner"),
        Evidence("It was bought by Mara Quist in 1998.", document="club"),
        Evidence(SLY),
    ),
)
ASK = {"index": FACTUAL, "q": ASKED.text}
MARK = "<mark class='hop-fact'>{}</mark>"


@pytest.fixture
def index(tiny_home: Path) -> Index:
    """An index whose question has evidence: two pieces in passages, and one in none."""
    place = tiny_home / "indexes" / FACTUAL
    build(place, Corpus(DOCUMENTS, (ASKED,)), WordEmbedder(), silent)
    return Index.open(place)


def bench(index: Index) -> Workbench:
    return Workbench(index, WordEmbedder(), making=silent)


@pytest.fixture
def run(index: Index) -> Run:
    specs = [Spec.parse("bm25(top_k=1)"), Spec.parse("hoprag-coverage(top_k=1,n_hop=1)")]
    begun = measuring.begin(
        bench(index), own_questions(index), specs, name="first", question_set=OWN
    )
    measuring.measure(begun, bench(index))
    return begun


def test_a_build_tells_how_evidence_was_found(index: Index) -> None:
    (told,) = (
        each.value for each in opened("build", index=FACTUAL).warning if "Gold" in each.value
    )
    told = told.replace("\\", "")
    assert (
        "3 pieces of evidence in 1 question; 2 found word for word, 1 not found in any passage."
        in told
    )


def test_a_build_without_evidence_says_that_documents_count(tiny_home: Path) -> None:
    told = " ".join(each.value for each in opened("build", index="tiny").caption).replace("\\", "")
    assert "Gold: 2 whole documents or passages." in told


def test_compare_shows_the_evidence_of_each_row(index: Index) -> None:
    app = opened("compare", **ASK, **{"with": "bm25,dense", "k": "1"})
    table = next(body for body in raw(app) if "<table" in body)
    assert "Gold: evidence" in table
    assert MARK.format(BORN) in table
    lost = [body for body in raw(app) if "hop-hit-lost" in body]
    assert any("<mark" in body for body in lost)
    assert not any("<b>so</b>" in body for body in raw(app))


def test_compare_without_evidence_says_that_documents_count(tiny_home: Path) -> None:
    app = opened("compare", index="tiny", q=QUESTION.text, **{"with": "bm25,dense"})
    assert "Gold: whole documents or passages" in words(app)


def test_a_walkthrough_marks_the_evidence_and_names_what_no_passage_holds(index: Index) -> None:
    app = opened("trace", **ASK, **{"with": "hoprag-coverage(top_k=1,n_hop=1)"})
    shown = walkthrough(app)
    facts = {
        name: [
            "".join(text for text, _ in one["pieces"])
            for one in node["sentences"]
            if one["evidence"]
        ]
        for name, node in shown["nodes"].items()
    }
    assert facts["owner"] == [BORN]
    assert facts["club"] == ["It was bought by Mara Quist in 1998."]
    assert not facts.get("town")
    assert any(gold["text"] == SLY for gold in shown["gold"])
    assert "Gold: evidence" in words(app)


def test_a_passage_in_full_has_its_evidence_highlighted(index: Index) -> None:
    app = opened("explore", index=FACTUAL, passage="owner", q=ASKED.text)
    assert any(MARK.format(BORN) in body for body in raw(app))


def test_evaluate_and_errors_say_the_level_and_show_lost_evidence(index: Index, run: Run) -> None:
    app = opened("evaluate", index=FACTUAL)
    assert any("Gold: evidence" in each.value.replace("\\", "") for each in app.caption)
    assert "Gold: evidence" in " ".join(raw(opened("errors", index=FACTUAL)))


def test_exports_say_the_level(index: Index, run: Run) -> None:
    trace = record(make(Spec.parse("bm25(top_k=5)"), bench(index)), ASKED.text, index)
    heads, *rows = ranking_csv(trace.with_gold(gold_of(index, ASKED.text))).decode().splitlines()
    assert heads.startswith("rank,kept,gold,gold_level,passage")
    assert any(row.split(",")[2:5] == ["given", "evidence", "owner"] for row in rows)
    found = list(Runs(index.path).every(run.id, run.retrievers[0]))
    (case,) = cases(found, run, bench(index)).values()
    assert case.level == "evidence"
    held = {one.evidence for one in case.lost if one.evidence}
    assert held <= {each.text for each in ASKED.evidence}
    assert SLY not in held  # its title is the text already
    assert checked(opened("errors", index=FACTUAL, show="report"))
