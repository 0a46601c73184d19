"""What was looked at and led nowhere is drawn faintly, two steps later and at the end."""

import pytest

from core.film import make_film
from core.retrievers import CARDS
from core.steps import Offered
from tests.core.film.decoding import by_id, unpacked


@pytest.fixture(params=("hoprag-coverage", "hoprag-similarity", "rerank"))
def played(request, five):
    index, traces = five
    return traces[request.param], make_film(traces[request.param], index=index)


def faded(film, now, of="lines"):
    return by_id(film, now["faded"][of], of).keys()


def looked_at(steps, t):
    """(lines on offer, nodes on offer) in the last two steps up to `t`."""
    offers = [
        o for step in steps[max(0, t - 2) : t] if isinstance(step, Offered) for o in step.offers
    ]
    return {offer.tie for offer in offers}, {offer.target for offer in offers}


def test_a_refused_line_fades_two_steps_after_it_was_looked_at(played):
    trace, film = played
    for now in unpacked(film, "event")[:-1]:
        lines, nodes = looked_at(trace.steps, now["t"])
        roles = by_id(film, now["lines"], "lines")
        old = {name for name, role in roles.items() if role in ("refused", "again")} - lines
        assert faded(film, now) == old
        told = by_id(film, now["nodes"])
        gold = {node["id"] for node in film["nodes"] if node["gold"]}
        refused = {name for name, role in told.items() if role == "refused"} - nodes - gold
        assert faded(film, now, "nodes") == refused


@pytest.mark.parametrize("key", CARDS)
def test_at_the_end_what_is_kept_and_gold_and_ghosts_are_strong(five, key):
    index, traces = five
    film = make_film(traces[key], index=index)
    now = unpacked(film, "event")[-1]
    roles, lines = by_id(film, now["nodes"]), by_id(film, now["lines"], "lines")
    gold = {node["id"] for node in film["nodes"] if node["gold"]}
    strong = roles.keys() - faded(film, now, "nodes")
    assert {
        name for name, role in roles.items() if role in ("retrieved", "lost", "ghost")
    } <= strong
    assert gold & roles.keys() <= strong
    assert not {name for name in strong - gold if roles[name] == "refused"}
    bold = {lines[name] for name in lines.keys() - faded(film, now)}
    assert not bold & {"refused", "again"}
