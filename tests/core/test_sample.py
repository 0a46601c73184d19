"""The sample has to show what it is there for, with the embedder that users have."""

import json

import pytest

from core.build import build
from core.corpus.readers import read_files
from core.models.embedder import load_embedder
from core.retrievers import Workbench, make
from core.sample import CORPUS, QUESTIONS, suggested
from core.settings import BUNDLED_EMBEDDER
from core.store.index import Index
from tests.core.conftest import silent

pytestmark = pytest.mark.embedder

# BM25 and dense both leave a gold passage of these out of their first ten; a hop brings it in.
FOUND_BY_A_HOP = {
    "q01",
    "q03",
    "q04",
    "q05",
    "q08",
    "q09",
    "q19",
    "q20",
    "q21",
    "q25",
    "q28",
    "q35",
}


@pytest.fixture(scope="module")
def workbench(tmp_path_factory):
    folder = tmp_path_factory.mktemp("indexes") / "sample"
    embedder = load_embedder(BUNDLED_EMBEDDER)
    build(folder, read_files([CORPUS, QUESTIONS]), embedder, silent)
    return Workbench(Index.open(folder), embedder)


def first_ten(workbench, key, question):
    ranked = list(make(key, workbench).retrieve(question))[-1]
    return {hit.passage_id for hit in ranked.hits[:10]}


def test_a_hop_finds_what_bm25_and_dense_miss(workbench):
    found = set()
    for question in workbench.index.questions:
        missed = (
            set(question.gold)
            - first_ten(workbench, "bm25", question.text)
            - first_ten(workbench, "dense", question.text)
        )
        if missed & first_ten(workbench, "hoprag-coverage", question.text):
            found.add(question.id)
    assert found >= FOUND_BY_A_HOP
    assert len(FOUND_BY_A_HOP) >= 8


def test_every_gold_passage_is_there_and_every_question_has_a_type(workbench):
    questions = workbench.index.questions
    assert len(questions) == 40
    for question in questions:
        assert set(question.gold) <= workbench.index.number.keys()
        assert bool(question.gold) == bool(question.answers) == (question.type != "unanswerable")
        assert question.type in {"bridge", "comparison", "composition", "temporal", "unanswerable"}


def test_names_are_shared_and_no_sentence_opens_like_all_others(workbench):
    passages = workbench.index.passages
    bare = [passage.title.partition(" (")[0] for passage in passages]
    assert len(bare) - len(set(bare)) >= 3
    openings = [" ".join(passage.text.split()[:2]) for passage in passages]
    most = max(openings.count(opening) for opening in set(openings))
    assert most <= len(passages) * 0.05


def test_the_suggested_questions_are_among_them(workbench):
    texts = {question.text for question in workbench.index.questions}
    assert suggested()
    assert set(suggested()) <= texts


def test_every_line_is_complete():
    for path in (CORPUS, QUESTIONS):
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        assert len({row["id"] for row in rows}) == len(rows)
        assert all(value != "" for row in rows for value in row.values())
