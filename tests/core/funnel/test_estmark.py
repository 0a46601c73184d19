"""Losses of real walks over the frozen corpus, as every page tells them."""

import re
import shutil
from html import unescape
from pathlib import Path

import pytest

from core.answers import evidence
from core.artefacts.lexical.postings import LEXICON
from core.artefacts.workbench import Workbench
from core.evaluation.measures import Outcome
from core.funnel.fates import fates
from core.funnel.lists import Lists
from core.funnel.report import funnel
from core.funnel.stages import stage_words
from core.models.embedder import load_embedder
from core.playback.wording import begun
from core.retrievers import Spec, make
from core.runs.row_of_steps import row_of
from core.settings import BUNDLED_EMBEDDER
from core.steps import result
from core.store.index import Index
from core.traces import record
from core.walkthroughs.making import make_walkthrough
from pages.components.compare.comparison import Column, Comparison
from pages.components.compare.tables import gold_table
from pages.components.passages.gold import GoldMarks
from tests.core.five import silent


@pytest.fixture(scope="module")
def built(sample_index: Path, tmp_path_factory: pytest.TempPathFactory) -> Workbench:
    embedder = load_embedder(BUNDLED_EMBEDDER)
    folder = shutil.copytree(sample_index, tmp_path_factory.mktemp("built") / "sample")
    return Workbench(Index.open(folder, embedder.info), embedder, making=silent)


@pytest.mark.embedder
def test_its_default_retriever_loses_gold_at_every_stage_of_a_walk(built: Workbench) -> None:
    found = funnel(built.index.questions, built, "hoprag-coverage", rescue=False)
    lost = {query.id: fate.stage for query, fate, _ in found.losses}
    # Two passages are nearly tied for the last seed: the processor's rounding decides which it is.
    assert lost.pop("q41") in {"far", "cut"}
    assert lost == {
        **{"q42": "unoffered", "q43": "refused", "q44": "cut", "q45": "cut"},
        **{"q46": "refused", "q47": "absent"},
    }


@pytest.mark.embedder
@pytest.mark.parametrize("retriever", ["hoprag-coverage", "hoprag-similarity", "bm25"])
def test_a_loss_is_called_the_same_on_every_page(built: Workbench, retriever: str) -> None:
    index = built.index
    lost = 0
    for question in index.questions[-9:]:
        spec = Spec.of(retriever)
        trace = record(make(spec, built), question.text, index, question.gold)
        outcome = Outcome(retriever, question, (), {}, 0.0, 0.0, 0)
        marks = GoldMarks(question.text, index)
        lists = Lists(built)
        row = row_of(outcome, trace.steps, index, marks.now().passages, lists=lists)
        known = fates(
            trace.steps, question.gold, index, passages_by_gold=marks.now().passages, lists=lists
        )
        assert known == row.fates
        evaluated = {fate.gold: fate for fate in known if fate.lost}
        column = Column(spec, trace)
        compared = gold_table(Comparison(index, question.text, 5, (column,), marks, lists=lists))
        cells = re.findall(r"<td[^>]*>(.*?)</td>", compared)[: len(row.fates)]
        golds = make_walkthrough(trace, marks.now(), index, lists)["gold"]
        for fate, cell in zip(row.fates, cells, strict=True):
            said = unescape(re.sub("<.*?>", "", cell))
            lost_there = evaluated.get(fate.gold)
            words = lost_there.brief if lost_there else ""
            gold = golds[marks.now().ids.index(fate.gold)]
            assert said == (words or said)
            assert bool(words) != gold["retrieved"]
            if words:
                lost += 1
                stage = stage_words(lost_there.stage, lost_there.k)
                assert stage.endswith(lost_there.words)
                assert begun(gold["explanation"]).startswith(begun(lost_there.words))
    assert lost


@pytest.mark.embedder
def test_what_ranks_everything_loses_gold_below_k(built: Workbench) -> None:
    found = funnel(built.index.questions[:12], built, "bm25", rescue=False)
    stages = {fate.stage for _, fate, _ in found.losses}
    assert stages == {"cut"}


@pytest.mark.embedder
def test_an_answer_by_rules_leaves_gold_unused(built: Workbench) -> None:
    unused = []
    for question in built.index.questions[:12]:
        steps = tuple(make("hoprag-coverage", built).retrieve(question.text))
        ranking = [built.index.passage(hit.passage_id) for hit in result(steps).hits]
        told = evidence(built.get(LEXICON).weights(question.text), ranking)
        used = [sentence.passage_id for sentence in told.sentences]
        ends = fates(steps, question.gold, built.index, used)
        unused += [fate for fate in ends if fate.stage == "unused"]
    assert unused
    assert all(fate.rank and not fate.lost for fate in unused)
