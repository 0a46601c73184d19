"""The lists behind a retrieval: they begin with what it took, and tell of all that was lost why."""

import pytest

from core.funnel.fates import fates
from core.funnel.lists import Lists
from core.indexing.updates import build
from core.retrievers import make
from core.retrievers.registry import classes
from core.retrievers.searched_lists import Searching, lists_in
from core.steps import Asked, result
from core.types import Document
from tests.core.artefacts.demonstration import bench_on
from tests.core.fakes import WordEmbedder
from tests.core.five import corpus, silent

QUESTION = "Who owns the club of Mara Quist?"
FEW = {
    "treehop": {"each": 2, "hops": 2},
    "g-retriever": {"facts": 2, "entities": 1},
    "hipporag": {},
    "kgp": {"seeds": 2, "neighbours": 1},
    "t2rag": {"each": 2, "rounds": 2},
    "graphrag-local": {"entities": 2},
    "hirag": {"entities": 2, "communities": 1, "key": 1},
    "lightrag": {"entities": 2, "relations": 2, "passages": 2, "least": 0},
    "noderag": {"near": 2},
    "raptor": {"texts": 3},
    "sirerag": {"texts": 3},
}
"""Settings with which each takes little."""
NAMES = (
    *("Mara Quist", "Ilo Venn", "Tessa Brandt", "Harbour Rovers", "Lantern Ground", "Port Selby"),
    *("River Ash", "Oriel Works", "Cold Fen", "Brackwater", "Amber Hall", "Gorse Lane"),
)


@pytest.fixture(scope="module")
def bench(tmp_path_factory):
    """Twelve documents in a ring, of which each names the next one, and what it has of its own."""
    documents = (
        Document(
            f"d{place:02}",
            name,
            f"{name} owns the {'club' if place % 3 else 'house'} of {NAMES[place - 1]}. "
            f"{name} has {'old ' * (place % 4)}walls number {place}.",
        )
        for place, name in enumerate(NAMES)
    )
    folder = tmp_path_factory.mktemp("ring") / "i"
    build(folder, corpus(*documents), WordEmbedder(), silent)
    return bench_on(folder, WordEmbedder())


def retrieved(bench, retriever, **settings):
    made = make(retriever, bench, top_k=3, **settings)
    return made, tuple(made.retrieve(QUESTION))


def test_all_that_tell_their_lists_are_tried_here():
    assert FEW.keys() == {key for key, made in classes().items() if hasattr(made, "searched")}


@pytest.mark.parametrize("key", FEW)
def test_every_lost_passage_is_told_with_a_rank_or_why_it_has_none(bench, key):
    made, steps = retrieved(bench, key, **FEW[key])
    assert isinstance(made, Searching)
    kept = {hit.passage_id for hit in result(steps).hits}
    lost = fates(
        steps, [i for i in bench.index.ids if i not in kept], bench.index, lists=Lists(bench)
    )
    assert lost
    told = [bool(one.near or one.rank or one.stage == "refused") for one in lost]
    assert all(told), [str(one) for one, why in zip(lost, told, strict=True) if not why]
    for near in (near for one in lost for near in one.near if not near.absent):
        assert 1 <= near.rank <= near.total
        if near.rank > near.taken and near.last is not None and not near.after:
            assert near.score <= near.last


@pytest.mark.parametrize("key", FEW)
def test_a_list_is_in_order(bench, key):
    made, steps = retrieved(bench, key, **FEW[key])
    for one in made.searched(steps):
        scores = [float(one.scores[number]) for number in one.order]
        assert scores == sorted(scores, reverse=True)
        assert 0 <= one.taken <= len(scores)


@pytest.mark.parametrize(
    ("key", "of"),
    [("treehop", "passages"), ("hirag", "entities"), ("graphrag-local", "entities"),
     ("kgp", ""), ("noderag", "nodes"), ("t2rag", "facts")],
)  # fmt: skip
def test_a_list_begins_with_what_the_trace_shows(bench, key, of):
    made, steps = retrieved(bench, key, **FEW[key])
    shown = [step for _, step in lists_in(steps, of)]
    lists = list(made.searched(steps))
    assert len(lists) == len(shown)
    for one, step in zip(lists, shown, strict=True):
        scores = [float(one.scores[number]) for number in one.order[: one.taken]]
        first = step.taken if key == "kgp" else step.offers
        assert scores == pytest.approx([offer.score for offer in first])


def test_no_model_is_asked_again(bench, asking):
    """What was never answered before has no lists, and nobody is asked."""
    asked = Asked("t2rag", "Never asked before?", 3)
    assert Lists(asking).complete_lists(asked, ()) == ()
    assert Lists(bench).complete_lists(Asked("of-elsewhere", QUESTION, 3), ()) == ()


def test_what_stands_above_a_passage_is_called_what_it_is(bench):
    made, steps = retrieved(bench, "sirerag", texts=3)
    lists = {one.of: one for one in made.searched(steps)}
    assert lists.keys() == {"text", "summary", "entity"}
    entities = {lists["entity"].name(n) for p in range(12) for n in lists["entity"].leads(p)}
    assert {name.lower() for name in NAMES} <= entities
    summaries = {n for p in range(12) for n in lists["summary"].leads(p)}
    assert summaries.isdisjoint({n for p in range(12) for n in lists["entity"].leads(p)})
