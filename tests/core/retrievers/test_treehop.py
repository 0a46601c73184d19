"""TreeHop: the next query as a formula, the tree against a slow reading, both prunings."""

import random

import numpy as np
import pytest

from core.indexing.updates import build
from core.playback import check, columns
from core.retrievers import make
from core.retrievers.treehop import next_queries
from core.steps import ROOT, Began, Offered
from core.types import Document
from core.vectors import unit_norm
from tests.core.artefacts.demonstration import bench_on
from tests.core.fakes import WordEmbedder
from tests.core.five import QUESTION, corpus, silent


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    """Forty passages of a few words each, so that layers have more than they keep."""
    rng = random.Random(3)
    folder = tmp_path_factory.mktemp("many") / "i"
    words = [f"w{n}" for n in range(12)]
    documents = (Document(f"d{n:02}", f"T{n}", " ".join(rng.sample(words, 4))) for n in range(40))
    build(folder, corpus(*documents), WordEmbedder(), silent)
    return bench_on(folder, WordEmbedder())


def walked(bench, question="w1 w2 w3", **settings):
    steps = tuple(make("treehop", bench, **settings).retrieve(question))
    check(steps)
    return steps


def read(bench, question, hops=3, each=5, beta=0.3):
    """The tree as its page tells it: (passage, cosine) of each hop."""
    vectors = bench.index.vectors.astype(np.float64)
    layer, seen, kept = [bench.embedder.encode([question])[0].astype(np.float64)], set(), []
    for _ in range(hops):
        nearest = {}
        for query in layer:
            ranks = sorted(range(len(vectors)), key=lambda n: (-(vectors[n] @ query), n))
            for n in ranks[:each]:
                score = vectors[n] @ query
                if n not in seen and score > nearest.get(n, (-2, 0))[0]:
                    nearest[n] = (score, query)
        best = sorted(nearest, key=lambda n: (-nearest[n][0], n))[:each]
        if not best:
            break
        kept.append([(bench.index.passages[n].id, nearest[n][0]) for n in best])
        seen |= set(best)
        layer = []
        for n in best:
            made = nearest[n][1] - (nearest[n][1] @ vectors[n]) * vectors[n] + beta * vectors[n]
            layer.append(made / np.linalg.norm(made))
    return kept


def test_what_a_passage_says_is_taken_out_and_a_share_of_it_put_in():
    asked = unit_norm(np.array([[3, 4, 0]], np.float32))
    found = np.array([[1, 0, 0]], np.float32)
    assert next_queries(asked, found, 0.0) == pytest.approx(np.array([[0, 1, 0]]))
    length = (0.5**2 + 0.8**2) ** 0.5
    assert next_queries(asked, found, 0.5) == pytest.approx(np.array([[0.5, 0.8, 0]]) / length)


@pytest.mark.parametrize(
    "settings", [{}, {"hops": 1}, {"each": 2, "hops": 5}, {"beta": 0.0}, {"beta": 1.0, "each": 8}]
)
def test_the_tree_is_that_of_its_page(many, workbench, settings):
    for bench, question in ((many, "w1 w2 w3"), (many, "w7"), (workbench, QUESTION.text)):
        steps, wanted = walked(bench, question, **settings), read(bench, question, **settings)
        kept = [offer for step in steps if isinstance(step, Offered) for offer in step.taken]
        assert {offer.target for offer in kept} == {name for hop in wanted for name, _ in hop}
        found = {hit.passage_id: hit.score for hit in (*steps[-1].hits, *steps[-1].pruned)}
        assert found == pytest.approx({name: score for hop in wanted for name, score in hop})


def test_a_hop_keeps_its_best_and_says_why_it_cut_the_others(many):
    steps = walked(many, each=4)
    cut, hops = [], 0
    for place, step in enumerate(steps):
        if not isinstance(step, Began):
            continue
        hops += 1
        later = (n for n in range(place + 1, len(steps)) if not isinstance(steps[n], Offered))
        offers = [offer for s in steps[place + 1 : next(later)] for offer in s.offers]
        kept = [offer.score for offer in offers if offer.taken]
        assert 0 < len(kept) <= 4
        assert all(bool(offer.notes) != offer.taken for offer in offers)
        below = [o for o in offers if o.notes and "which keeps 4" in o.notes[0][1]]
        assert all(offer.score <= min(kept) for offer in below)
        cut += [offer.notes[0][1] for offer in offers if offer.notes]
    assert hops == 3
    assert "already retrieved in hop 1" in cut
    assert any(why.endswith("in this hop, which keeps 4") for why in cut)
    assert "another query in this hop is closer to it" in cut


def test_every_query_is_made_of_a_passage_that_was_kept(many):
    steps = walked(many)
    began = [step for step in steps if isinstance(step, Began)]
    assert began[0].waiting == ()
    for step in began[1:]:
        assert {tie.target for tie in step.ties} == set(step.waiting)
        assert {f"query:{tie.source}" for tie in step.ties} == set(step.waiting)
    places = [step.at for step in steps if isinstance(step, Offered)]
    assert places == [ROOT, *(node for step in began for node in step.waiting)]


def test_it_ends_when_nothing_new_is_found(workbench):
    ended = walked(workbench, QUESTION.text, each=5, hops=5)[-1]
    assert ended.told.reason == "The search ends after hop 2, which found nothing new."
    assert len(ended.hits) == len(workbench.index.passages)
    assert walked(workbench, QUESTION.text, hops=1)[-1].told.reason.endswith(", the limit.")


def test_a_query_that_takes_nothing_says_why(many):
    steps = walked(many, hops=5, each=2)
    empty = [step for step in steps if isinstance(step, Offered) and not step.taken]
    assert empty
    for step in empty:
        cuts = [text for offer in step.offers for _, text in offer.notes]
        seen = sum(text.startswith("already") for text in cuts)
        told = {
            0: "Other queries in this hop found closer passages (2 are kept per hop).",
            1: "1 of 2 closest passages was already retrieved. Other queries in this hop found "
            "closer passages (2 are kept per hop).",
            2: "All 2 closest passages were already retrieved.",
        }
        assert step.told.reason == told[seen]
    assert all(not s.told.reason for s in steps if isinstance(s, Offered) and s.taken)


def test_what_a_hop_asks_and_takes_stands_in_its_column(many):
    steps = walked(many, each=4)
    places = columns(steps)
    hop = ""
    for step in steps:
        if isinstance(step, Began):
            hop = f"Hop {step.number}"
            assert {places.headings[places.of[query]] for query in step.waiting} <= {hop}
        elif isinstance(step, Offered):
            assert {places.headings[places.of[one.target]] for one in step.taken} <= {hop}
