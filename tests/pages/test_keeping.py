"""What would retrieve lost gold, as the film's card has it."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from core.funnel.data import Fate
from core.funnel.rescue import Rescue
from core.retrievers import Spec
from core.runs.rescuing import SECONDS, Losses
from pages.components.trace import keeping


def test_a_look_that_was_too_short_says_so_and_goes_on_for_longer(monkeypatch: pytest.MonkeyPatch):
    lost = Fate("a", "a", "cut", rank=30, k=20, of=40)
    some, looked = Losses(Spec.parse("bm25"), "Who?", (lost,)), list[float]()
    monkeypatch.setattr(keeping.st, "session_state", {})
    monkeypatch.setattr(keeping, "visitor", lambda: SimpleNamespace(may_edit=True))
    monkeypatch.setattr(
        keeping.acts, "search_rescues", lambda some, bench, seconds: looked.append(seconds) or {}
    )

    def line(of: Losses = some):
        (only,) = keeping._lines(of, {}, None)
        return only["told"], only["action"]

    assert line() == ("", "What would retrieve it?")
    keeping._look(some, None)
    assert line() == (
        "In 6 seconds nothing was found that retrieves it. "
        "Not all of this could be tried: top k up to 100 (now 20).",
        "Look for 30 seconds",
    )
    keeping._look(some, None)
    assert looked == [SECONDS, 5 * SECONDS]
    other = Losses(some.spec, "Where?", (lost,))
    assert line(other) == ("", "What would retrieve it?")


def rescue(gold: str, kind: str, rank: int, *, short: int = 0, others: tuple[Rescue, ...] = ()):
    change = "top_k 20 to 30" if kind == "top_k" else "take edge 1 of 'B' at hop 1"
    return Rescue(
        *(gold, kind, change, "hoprag-coverage(top_k=30)", "", 0, rank), short=short, others=others
    )


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(keeping, "title", lambda fate, workbench: fate.gold.upper())
    monkeypatch.setattr(keeping, "visitor", lambda: SimpleNamespace(may_edit=True))

    def told(found: dict[str, Rescue | None]):
        ends = [Fate(name, name, "cut", rank=22, k=20, hop=1) for name in found]
        some = Losses(Spec.parse("hoprag-coverage"), "Who?", ends)
        return keeping._lines(some, found, None)

    return told


def test_what_works_comes_before_what_is_not_enough(lines):
    short = rescue("a", "edge", 24, short=20)
    found = {
        "a": rescue("a", "top_k", 22, others=(short,)),
        "b": rescue("b", "edge", 3, others=(rescue("b", "top_k", 22),)),
    }
    told = lines(found)
    heads = [one["told"].partition(": ")[0] for one in told]
    assert heads[:3] == [
        "A. One change would retrieve it",
        "B. One change would retrieve it",
        "B. Or",
    ]
    assert told[3] == {
        **{"told": "Not enough by itself", "action": "", "value": "", "heading": True},
    }
    assert told[4]["told"].startswith("A. Take edge 1 of 'B' at hop 1, which reaches it at rank 24")
    assert [one["value"] for one in told] == ["a 0", "b 1", "b 0", "", "a 1", ""]
    assert told[-1]["told"].startswith("Tried: top k up to 100, hops up to ")


def test_what_holds_for_two_is_told_once_and_the_nearest_change_with_it(lines):
    told = lines({"a": None, "b": None})
    assert told[0]["told"] == "A, B. No single change retrieves it."
    assert [one["told"].partition(" ")[0] for one in told[1:]] == ["Tried:"]
    near = lines({"a": rescue("a", "edge", 24, short=20), "b": None})
    assert "Nearest: take edge 1 of 'B' at hop 1, which reaches it at rank 24" in near[0]["told"]
    assert near[1]["told"] == "B. No single change retrieves it."
    assert [one["told"].startswith("Tried: ") for one in near] == [False, False, True]


def test_what_has_the_outcome_of_the_cheapest_does_not_repeat_it(lines):
    found = {"a": rescue("a", "edge", 22, others=(rescue("a", "top_k", 22),))}
    first, second, _tried = lines(found)
    assert "rank 22" in first["told"]
    assert second["told"] == "Or, with the same outcome: take edge 1 of 'B' at hop 1."
    assert second["value"] == "a 0"


def test_one_change_for_all_lost_gold_is_offered_first(lines):
    found = {
        "a": rescue("a", "top_k", 22),
        "b": replace(rescue("b", "top_k", 30), kept=2, of=2),
    }
    told = lines(found)
    assert told[0] == {
        **{"told": "For both: top k 30 (now 20).", "action": "Replay with this"},
        "value": "b 0",
    }
    assert all("For both" not in one["told"] for one in lines({"a": found["a"]}))


def test_where_only_a_start_there_keeps_it_that_is_no_setting(lines):
    start = replace(rescue("a", "start", 18), change="start at it", amendments="start(a)")
    alone, _tried = lines({"a": start})
    assert alone["told"] == (
        "No setting that was tried retrieves it, but if it were a seed, it would be at "
        "rank 18; no more passages are looked at."
    )
    more = rescue("a", "top_k", 25)
    first, last, _tried = lines({"a": replace(more, others=(start,))})
    assert first["told"].startswith("One change would retrieve it: top k 30")
    assert last["told"].startswith("Or, if it were a seed, it would be at rank 18")
