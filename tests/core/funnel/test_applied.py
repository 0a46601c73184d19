"""Every fix that is listed can be made, and gives the rank that it claims."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.counterfactual import outcomes, parse
from core.funnel.attempts import attempts
from core.funnel.brackets import outermost
from core.funnel.changes import in_words
from core.funnel.fates import fates
from core.funnel.search.edges import places, untaken_edges_to
from core.retrievers import Spec, make
from core.steps import result
from tests.core.funnel.worlds import NAMES, documents, opened

WALKS = ("hoprag-similarity", "hoprag-coverage", "kgp", "rerank(over=hoprag-coverage,depth=4)")


def asked(workbench, spec, question, amendments=()):
    return tuple(make(spec, workbench.amended(amendments)).retrieve(question))


def ranked(steps, passages):
    last = result(steps)
    ids = [hit.passage_id for hit in (*last.hits, *last.pruned)]
    return min((n for n, one in enumerate(ids, start=1) if one in passages), default=0)


@settings(max_examples=8, deadline=None)
@given(documents(), st.lists(st.sampled_from(NAMES), min_size=1, max_size=2), st.integers(1, 2))
@pytest.mark.parametrize("key", WALKS)
def test_every_listed_fix_applies_and_has_its_rank(tmp_path_factory, key, given_, about, top_k):
    workbench = opened(tmp_path_factory.mktemp("world") / "drawn", given_)
    question = f"Where was {' '.join(about)} born?"
    spec = Spec.parse(key).with_settings(top_k=top_k)
    if spec.asks_model and workbench.oracle:
        return
    before = asked(workbench, spec, question)
    whole = workbench.index.document_passages
    found = attempts(
        *(question, spec, workbench, before, fates(before, sorted(whole), workbench.index))
    )
    for gold, first in found.items():
        for fix in (first, *first.others) if first else ():
            steps = asked(workbench, Spec.parse(fix.retriever), question, parse(fix.amendments))
            assert all(one.made and one.changed for one in outcomes(steps)), fix
            assert ranked(steps, whole[gold]) == fix.rank
            assert (fix.rank <= len(result(steps).hits)) == fix.keeps


@settings(max_examples=15, deadline=None)
@given(documents(), st.lists(st.sampled_from(NAMES), min_size=1, max_size=2))
@pytest.mark.parametrize("key", ["hoprag-similarity", "hoprag-coverage"])
def test_no_edge_is_tried_to_where_the_walk_goes_from_there(tmp_path_factory, key, given_, about):
    workbench = opened(tmp_path_factory.mktemp("world") / "drawn", given_)
    spec = Spec.parse(f"{key}(top_k=2)")
    steps = asked(workbench, spec, f"Where was {' '.join(about)} born?")
    looked = places(outermost(steps))
    went = {(at, goal) for at, place in looked.items() for goal in place.followed}
    for target in workbench.index.number:
        for change in untaken_edges_to([target], spec, looked, workbench):
            (take,) = change.amendments
            assert (take.at, target) not in went
            assert f"to '{workbench.index.passage(target).title}'" in in_words(change.text, spec)
