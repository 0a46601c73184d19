"""RAPTOR and SiReRAG: one list of texts against a slow reading, layers from the top, the room."""

import random

import numpy as np
import pytest

from core.artefacts.tree.related import RELATED
from core.artefacts.tree.similar import TREE
from core.indexing.updates import build
from core.playback import check
from core.retrievers import make
from core.retrievers.tree.pool import Summary, summary_lines
from core.retrievers.tree.sirerag import RELATING, SIMILAR
from core.steps import ROOT, Began, Offered, Pooled, Thing, ties_of
from core.types import Document
from tests.core.artefacts.demonstration import bench_on
from tests.core.fakes import WordEmbedder
from tests.core.five import QUESTION, corpus, silent

TOPICS = ("harbour ships tide", "violin opera score", "glacier snow peak", "oven bread salt")


@pytest.fixture(scope="module")
def topics(tmp_path_factory):
    """Passages about four things, a dozen of each; Mara Quist is told of in some of each kind."""
    rng = random.Random(5)
    documents = []
    for n in range(48):
        words = TOPICS[n % 4].split()
        rng.shuffle(words)
        who = "Mara Quist" if n % 5 == 0 else "Ilo Venn"
        text = f"{' '.join(words)} number {n}. It was told of {who}."
        documents.append(Document(f"d{n:02}", f"Part {n}", text))
    folder = tmp_path_factory.mktemp("topics") / "i"
    build(folder, corpus(*documents), WordEmbedder(), silent)
    return bench_on(folder, WordEmbedder())


def walked(bench, spec="raptor", question="Which ships came with the tide?", **settings):
    steps = tuple(make(spec, bench, **settings).retrieve(question))
    check(steps)
    return steps


def cosines(bench, question):
    asked = bench.embedder.encode([question])[0]
    return (bench.index.vectors @ asked).astype(np.float64), asked


@pytest.mark.parametrize("settings", [{}, {"texts": 3}, {"share": 0.0}, {"share": 0.5, "texts": 9}])
def test_collapsed_a_passage_has_its_cosine_and_a_share_of_the_summaries_above(topics, settings):
    question = "Which ships came with the tide?"
    tree = topics.get(TREE)
    own, asked = cosines(topics, question)
    above = (tree.vectors @ asked).astype(np.float64)
    both = np.concatenate((own, above))
    order = sorted(range(len(both)), key=lambda n: (-both[n], n))[: settings.get("texts", 20)]
    wanted = {n: 0.0 for n in order if n < 48}
    for node in order:
        if node >= 48:
            for passage, depth in tree.below(node - 48).items():
                given = settings.get("share", 0.1) ** depth * both[node]
                wanted[passage] = max(wanted.get(passage, 0.0), given)
    steps = walked(topics, question=question, **settings)
    found = {h.passage_id: h.score for h in (*steps[-1].hits, *steps[-1].pruned)}
    ids = [passage.id for passage in topics.index.passages]
    assert found == pytest.approx({ids[n]: own[n] + more for n, more in wanted.items()})
    taken = next(step for step in steps if isinstance(step, Offered)).taken
    assert len(taken) == settings.get("texts", 20)


def test_what_has_no_room_is_passed_over_and_says_so(topics):
    listed = next(step for step in walked(topics, room=150) if isinstance(step, Offered))
    assert sum(offer.size for offer in listed.taken) <= listed.room == 150
    refused = [offer for offer in listed.offers if not offer.taken]
    assert {offer.notes[0] for offer in refused} == {("left out:", "over the token limit")}
    left = 150 - sum(offer.size for offer in listed.taken)
    assert all(offer.size > left for offer in refused)
    full = next(step for step in walked(topics, texts=4) if isinstance(step, Offered))
    assert [o.notes for o in full.offers if not o.taken] == [
        (("left out:", "only 4 are kept"),)
    ] * 5


def test_top_down_keeps_the_nearest_of_each_layer(topics):
    tree, own = topics.get(TREE), cosines(topics, "Which ships came with the tide?")[0]
    steps = walked(topics, search="top-down", width=2, room=2_000)
    rounds = [n for n, step in enumerate(steps) if isinstance(step, Began)]
    assert len(rounds) == max(cluster.layer for cluster in tree.clusters) + 1
    waiting = ()
    for place, end in zip(rounds, [*rounds[1:], len(steps) - 1], strict=True):
        layer = steps[place + 1 : end]
        assert steps[place].waiting == waiting
        assert {step.at for step in layer} == set(waiting or (ROOT,))
        offers = {offer.target: offer for step in layer for offer in step.offers}
        kept = sorted((o for o in offers.values() if o.taken), key=lambda o: -o.score)
        cut = [offer.score for offer in offers.values() if not offer.taken]
        if layer[0].of == "clusters":
            assert len(kept) == min(2, len(offers))
            assert not cut or kept[-1].score >= max(cut)
        waiting = tuple(offer.target for offer in kept)
    scores = {hit.passage_id: hit.score for hit in (*steps[-1].hits, *steps[-1].pruned)}
    assert set(scores) == set(waiting)
    assert scores == pytest.approx({name: own[topics.index.number[name]] for name in scores})


def test_top_down_has_one_room_for_all_layers(topics):
    steps = walked(topics, search="top-down", room=400)
    sizes = {o.target: o.size for s in steps if isinstance(s, Offered) for o in s.taken}
    assert 0 < sum(sizes.values()) <= 400


def test_summaries_say_whose_they_are(topics, thinking):
    assert walked(topics)[-1].told.reason.startswith("Without a model, a summary")
    by_model = walked(thinking, question=QUESTION.text)[-1]
    assert by_model.told.reason == "1 of 1 summaries by scripted."


@pytest.mark.parametrize("spec", ["raptor", "raptor(search=top-down)", "sirerag"])
def test_a_single_passage_is_found(tmp_path, spec):
    build(tmp_path / "i", corpus(Document("a", "", "lower case only")), WordEmbedder(), silent)
    steps = walked(bench_on(tmp_path / "i", WordEmbedder()), spec)
    assert [hit.passage_id for hit in steps[-1].hits] == ["a"]


def test_both_trees_are_in_one_list_and_a_hit_says_which_gave_it_more(topics):
    question = "What was told of Mara Quist?"
    steps = walked(topics, "sirerag", question)
    listed = next(step for step in steps if isinstance(step, Offered))
    similar, related = topics.get(TREE), topics.get(RELATED)
    own, asked = cosines(topics, question)
    rows = (similar.vectors, related.aggregates.vectors, related.tree.vectors)
    pool = np.concatenate([own, *(each @ asked for each in rows)])
    assert listed.considered == len(pool)
    assert [o.score for o in listed.offers] == pytest.approx(sorted(pool, reverse=True)[:25])
    parts = {part.name for offer in listed.offers for part in offer.parts}
    assert RELATING in parts
    mara = next(offer for offer in listed.offers if offer.target == "entity:mara quist")
    told = set(range(0, 48, 5))
    number = related.aggregates.names.index("mara quist")
    assert set(related.aggregates.passages(number)) == told
    assert mara.taken
    names = {part.name for hit in steps[-1].hits for part in hit.parts}
    assert names & {SIMILAR, RELATING}
    pooled = next(step for step in steps if isinstance(step, Pooled))
    assert {tie.source for tie in pooled.ties} <= {offer.target for offer in listed.taken}


def lines(steps):
    return {(tie.source, tie.target) for step in steps for tie in ties_of(step)}


def test_a_line_leads_from_each_summary_taken_to_what_is_directly_below_it(topics):
    tree, ids = topics.get(TREE), topics.index.ids
    steps = walked(topics, texts=60)
    listed, pooled, _ = steps[1:]
    taken = [o.target for o in listed.taken if o.target.startswith("cluster:")]
    shown = {o.target for o in listed.offers} | {hit.passage_id for hit in pooled.hits}
    wanted = set()
    for name in taken:
        for member in tree.clusters[int(name.partition(":")[2])].members:
            below = ids[member] if member < tree.leaves else f"cluster:{member - tree.leaves}"
            if below in shown and (member < tree.leaves or below in taken):
                wanted.add((name, below))
    assert wanted
    assert lines(steps) == wanted


def test_where_what_is_between_is_not_taken_a_summary_leads_to_the_passages_themselves():
    top = Summary(Thing("c:9", "cluster", "top"), "s", 1.0, {0: 2, 1: 1}, frozenset({"c:1"}))
    inner = Summary(Thing("c:1", "cluster", "inner"), "s", 1.0, {0: 1})
    passages = {0: "a", 1: "b", 2: "c"}
    assert [tie.id for tie in summary_lines([top], passages)] == ["c:9>a", "c:9>b"]
    assert {tie.id for tie in summary_lines([top, inner], passages)} == {
        "c:9>c:1",
        "c:9>b",
        "c:1>a",
    }


def test_top_down_a_line_leads_to_each_member(topics):
    steps = walked(topics, search="top-down", width=2, room=2_000)
    looks = [step for step in steps if isinstance(step, Offered) and step.at != ROOT]
    assert looks
    for step in looks:
        assert [offer.tie for offer in step.offers] == [
            f"{step.at}>{o.target}" for o in step.offers
        ]
    assert lines(steps) == {(step.at, offer.target) for step in looks for offer in step.offers}
