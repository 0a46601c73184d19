"""Where the nodes of a trace are drawn."""

from types import SimpleNamespace

from core.difference.side import make_side
from core.steps import Began, Ranked
from core.traces import record
from core.types import Hit
from tests.core.worlds import QUERY, WALK, ScriptedRetriever, WorldIndex, judged, offer, seeds


def test_gold_that_was_not_followed_stands_in_the_hop_in_which_it_was_lost():
    """It was a candidate in the first hop, too, further from being followed there."""
    steps = (
        WALK[0],
        seeds("club"),
        Began("hop", 1, ("club",)),
        judged("club", offer("owned", 0.8, taken=True), offer("lies", 0.1)),
        Began("hop", 2, ("owner",)),
        judged("owner", offer("married", 0.4, taken=True), offer("born", 0.3)),
        Ranked(tuple(Hit(name, 1.0) for name in ("club", "owner", "singer"))),
    )
    card = SimpleNamespace(key="hoprag-similarity")
    trace = record(ScriptedRetriever(steps, card), QUERY, WorldIndex(), ("town",))  # type: ignore[arg-type]
    side = make_side(trace, {"town": "given"})
    fate = side.played.missed.fates["town"]
    assert (fate.stage, fate.hop, fate.at) == ("refused", 2, "owner")
    columns = side.plot.columns
    assert columns.headings[columns.of["town"]] == "Hop 2"
    assert columns.of["town"] == columns.of["singer"] == columns.of["owner"] + 1
