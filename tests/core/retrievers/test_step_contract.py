"""What holds for every retriever, whatever it does."""

import math
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import get_args

import pytest

from core.artefacts.workbench import Workbench
from core.counterfactual import parse
from core.errors import InputError
from core.funnel.lists import spec_asked
from core.indexing.updates import build
from core.models.oracle import Oracle
from core.playback import check, frame
from core.playback.account import account
from core.retrievers import CARDS, Spec, make, spec_of
from core.retrievers.base import Family
from core.retrievers.settings import Declared
from core.steps import Asked, Ranked, Step
from core.store.index import Index
from core.types import Document
from tests.core.fakes import WordEmbedder
from tests.core.five import corpus, silent

ROOT = Path(__file__).parents[3]
KEYS = tuple(CARDS)
MODELS = tuple(key for key in KEYS if Spec(key).needs_model)
QUESTIONS = (
    "In which town was the owner of Harbour Rovers born?",
    "harbour rovers",
    "Где родился Пушкин?",
    "a",
    "?!",
    "' OR 1=1 -- \\ \" ; {} <script>",
    "word " * 2000,
)


EMBEDS_NOTHING = ("bm25", "ircot", "kgp", "zero-shot")  # they go by words, or search nothing


@pytest.fixture
def workbench(asking: Workbench) -> Workbench:
    return asking


def steps(workbench: Workbench, key: str, question: str, top_k: int = 20) -> list[Step]:
    return list(make(key, workbench, top_k=top_k).retrieve(question))


def test_cards_tell_the_retrievers_apart():
    for field in ("key", "title", "badge"):
        values = [getattr(card, field) for card in CARDS.values()]
        assert len(set(values)) == len(values), field
    assert all(re.fullmatch(r"[A-Z0-9]{2}", card.badge) for card in CARDS.values())


def test_the_files_are_read_when_a_card_is_asked_for():
    code = (
        "import sys, core.retrievers as all_of_them\n"
        "early = 'core.retrievers.baselines.bm25' in sys.modules\n"
        "sys.exit(early or 'bm25' not in all_of_them.CARDS)"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


def test_they_stand_by_family_then_place_then_title():
    families = [card.family for card in CARDS.values()]
    assert families == sorted(families, key=get_args(Family).index)
    assert [key for key, card in CARDS.items() if card.family == "hybrid"] == [
        "hybrid",
        "hybrid-rrf",
    ]


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("question", QUESTIONS)
def test_one_asked_first_and_one_ranked_last(workbench, key, question):
    begun = time.perf_counter()
    walked = steps(workbench, key, question)
    took = time.perf_counter() - begun
    check(walked)
    assert 0 < account(walked).seconds < took
    asked, ranked = walked[0], walked[-1]
    assert isinstance(asked, Asked)
    assert isinstance(ranked, Ranked)
    assert (asked.retriever, asked.query) == (key, question)
    assert (account(walked).embed_seconds > 0) == (key not in EMBEDS_NOTHING)


@pytest.mark.parametrize("key", KEYS)
def test_a_score_is_the_sum_of_its_parts_and_falls(workbench, key):
    ranked = steps(workbench, key, QUESTIONS[0])[-1]
    scores = [hit.score for hit in ranked.hits]
    assert scores == sorted(scores, reverse=True)
    for hit in (*ranked.hits, *ranked.pruned):
        assert math.isfinite(hit.score)
        assert hit.score == pytest.approx(sum(part.value for part in hit.parts))


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("top_k", [1, 3, 100])
def test_at_most_top_k_passages_each_once(workbench, key, top_k):
    ranked = steps(workbench, key, QUESTIONS[0], top_k)[-1]
    found = [hit.passage_id for hit in ranked.hits]
    assert CARDS[key].retrieves <= len(found) <= top_k
    assert len(set(found)) == len(found)
    assert set(found) <= workbench.index.number.keys()


def other_value(setting: Declared) -> object:
    """Return an allowed value of a setting that is not its default; None if there is none."""
    if setting.kind is bool:
        return not setting.default
    if setting.kind is str:
        return next((c for c in setting.setting.choices if c != setting.default), None)
    if setting.kind in (int, float):
        values = (setting.default + 1, setting.default - 1, setting.default / 2)
        return next((value for value in values if setting.read(value) is not None), None)
    return None


@pytest.mark.parametrize("key", KEYS)
def test_a_trace_names_the_settings_that_made_it(workbench, key):
    """Every setting is changed, so that a default written by hand would be noticed."""
    changed = {one.name: other_value(one) for one in Spec(key).declared}
    retriever = make(key, workbench, **{n: v for n, v in changed.items() if v is not None})
    asked = next(iter(retriever.retrieve(QUESTIONS[0])))
    assert spec_asked(asked) == spec_of(retriever)


@pytest.mark.parametrize("key", KEYS)
def test_it_says_what_is_to_be_chosen_by_hand(workbench, key):
    walked = steps(workbench.amended(parse("start(town)")), key, QUESTIONS[0])
    check(walked)
    assert walked[0].amendments == ("start(town)",)


@pytest.mark.parametrize("key", KEYS)
def test_the_same_question_gives_the_same_ranking(workbench, key):
    first, second = (steps(workbench, key, QUESTIONS[0])[-1].hits for _ in range(2))
    assert first == second


@pytest.mark.parametrize("key", KEYS)
def test_the_player_ends_where_the_retriever_does(workbench, key):
    walked = steps(workbench, key, QUESTIONS[0])
    last = frame(walked, len(walked))
    assert last.hits == walked[-1].hits


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("question", ["", "  \n"])
def test_an_empty_question_is_refused_with_a_remedy(workbench, key, question):
    with pytest.raises(InputError, match="Type one"):
        steps(workbench, key, question)


@pytest.mark.parametrize("key", KEYS)
def test_an_index_of_one_passage(tmp_path, key, oracle: Oracle):
    embedder = WordEmbedder()
    build(tmp_path / "one", corpus(Document("a", "A", "One line.")), embedder, silent)
    workbench = Workbench(Index.open(tmp_path / "one"), embedder, oracle, making=silent)
    ranked = steps(workbench, key, "one line")[-1]
    assert [hit.passage_id for hit in ranked.hits] in (["a"], [])


@pytest.mark.parametrize("key", MODELS)
def test_what_asks_a_model_says_how_to_get_one(workbench, key):
    without = Workbench(workbench.index, workbench.embedder)
    with pytest.raises(InputError, match=rf"{re.escape(CARDS[key].title)} needs .*set HOPRAG_LLM"):
        make(key, without)


def test_an_unknown_retriever_is_named(workbench):
    with pytest.raises(InputError, match=r"'bm42'.*bm25"):
        make("bm42", workbench)
