"""What would retrieve lost gold, as the film's card has it."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from core.funnel.data import Fate
from core.funnel.replay import ReplayBudget
from core.funnel.rescue import Rescue
from core.retrievers import Spec
from core.reviews.losses.fixes import smallest_fix
from core.runs.fixes import Losses, Stopped
from pages.components.trace import fixes

BENCH = SimpleNamespace(index=None)
STOPPED = Stopped(ReplayBudget(100, 120), late=False)


def test_a_search_that_stopped_says_so_and_can_be_continued(monkeypatch: pytest.MonkeyPatch):
    lost = Fate("a", "a", "cut", rank=30, k=20, of=40)
    some = Losses(Spec.parse("bm25"), "Who?", (lost,))
    monkeypatch.setattr(fixes, "title", lambda fate, workbench: fate.gold.upper())
    monkeypatch.setattr(fixes, "visitor", lambda: SimpleNamespace(may_edit=True))

    def line(before: Stopped | None):
        (only,) = fixes._lines(some, {}, BENCH, before)
        return only["told"], only["action"]

    assert line(None) == ("", "What would retrieve it?")
    assert line(STOPPED) == (
        "A: nothing found yet. The search stopped after 100 replays, before trying everything.",
        "Continue with up to 500 replays",
    )
    late = replace(STOPPED, late=True)
    assert "reached its time limit of 120 seconds before its 100 replays." in line(late)[0]


def test_what_is_undecided_says_so_and_can_be_looked_for_on_any_visit(lines):
    """What another visit found is held with the index; that less may do is not forgotten."""
    two = replace(rescue("a", "count", 7), change="each 6 to 20 + room 15 to 20", undecided=True)
    two = replace(two, retriever="ircot(each=20,room=20)")
    head, change, again = lines({"a": two})
    assert head["told"] == (
        "Two changes, applied together, retrieve it. A single change may be enough: the search "
        "stopped before trying all of them"
    )
    assert change["told"].startswith("Passages per search 20 instead of 6 and room for passages 20")
    assert again["told"] == "The search stopped after 100 replays, before trying everything."
    assert again["action"] == "Continue with up to 500 replays"
    head, _ = lines({"a": replace(two, undecided=False)})
    assert head["told"] == "No single change tried retrieves it; two together do"


def rescue(gold: str, kind: str, rank: int, *, short: int = 0, others: tuple[Rescue, ...] = ()):
    change = "top_k 20 to 30" if kind == "top_k" else "take edge 1 of 'B' at hop 1"
    return Rescue(
        *(gold, kind, change, "hoprag-coverage(top_k=30)", "", 0, rank), short=short, others=others
    )


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(fixes, "title", lambda fate, workbench: fate.gold.upper())
    monkeypatch.setattr(fixes, "visitor", lambda: SimpleNamespace(may_edit=True))

    def told(found: dict[str, Rescue | None]):
        ends = [Fate(name, name, "cut", rank=22, k=20, hop=1) for name in found]
        some = Losses(Spec.parse("hoprag-coverage"), "Who?", ends)
        return fixes._lines(some, found, BENCH, STOPPED)

    return told


def test_what_works_comes_before_what_is_not_enough(lines):
    short = rescue("a", "edge", 24, short=20)
    found = {
        "a": rescue("a", "top_k", 22, others=(short,)),
        "b": rescue("b", "edge", 3, others=(rescue("b", "top_k", 22),)),
    }
    told = lines(found)
    assert [(one["told"], one["action"], one["value"]) for one in told] == [
        ("A: one change retrieves it", "", ""),
        ("Top k and seeds 30 instead of 20", "Replay with this", "a 0"),
        ("B: each of these changes retrieves it", "", ""),
        ("At 'B' (hop 1), follow the 1st edge", "Follow this edge", "b 0"),
        ("Top k and seeds 30 instead of 20", "Replay with this", "b 1"),
        (
            "Smallest first: the fewest additional passages examined, ties by rank. Changes that "
            "lose other gold, a larger top k and a new seed come last.",
            *("", ""),
        ),
        ("Not enough on its own", "", ""),
        ("A: at 'B' (hop 1), follow the 1st edge", "Follow this edge", "a 1"),
    ]
    facts = [one.get("facts") for one in told[3:5]]
    assert facts == [["rank 3"], ["rank 22"]]
    assert told[-1].get("facts") == ["rank 24, below the top 20"]
    assert [i for i, one in enumerate(told) if one.get("heading")] == [0, 2, 6]


def test_what_holds_for_two_is_told_once_and_the_nearest_change_with_it(lines):
    told = lines({"a": None, "b": None})
    assert told[0]["told"] == "A, B: no single change tried retrieves it."
    assert len(told) == 1
    near = lines({"a": rescue("a", "edge", 24, short=20), "b": None})
    assert "Closest: at 'B' (hop 1), follow the 1st edge: rank 24" in near[0]["told"]
    assert near[1]["told"] == "B: no single change tried retrieves it."
    assert len(near) == 2


def test_one_change_for_all_lost_gold_is_offered_first(lines):
    found = {
        "a": rescue("a", "top_k", 22),
        "b": replace(rescue("b", "top_k", 30), kept=2, of=2),
    }
    head, change, *_ = lines(found)
    assert head == {"told": "For both", "action": "", "value": "", "heading": True}
    assert change == {
        **{"told": "Top k and seeds 30 instead of 20", "action": "Replay with this"},
        **{"value": "b 0", "facts": ["2 of 2 gold"]},
    }
    assert all("For both" not in one["told"] for one in lines({"a": found["a"]}))


def test_where_only_a_start_there_keeps_it_that_is_no_setting(lines):
    start = replace(rescue("a", "start", 18), change="start at it", amendments="start(a)")
    head, alone = lines({"a": start})
    assert head["told"] == "None of the settings tried retrieves it, but making it a seed does"
    assert (alone["told"], alone["action"]) == ("Make it a seed", "Start there")
    assert alone["facts"] == ["rank 18"]
    more = rescue("a", "top_k", 25)
    head, first, last, _ = lines({"a": replace(more, others=(start,))})
    assert head["told"] == "Each of these changes retrieves it"
    assert [one["action"] for one in (first, last)] == ["Replay with this", "Start there"]


def test_a_search_cut_short_is_no_finding(lines):
    """What was found is the smallest so far, and the search can be continued."""
    found = {"a": replace(rescue("a", "top_k", 22), stopped=True)}
    head, _, again = lines(found)
    assert head["told"] == "A change that retrieves it, found so far"
    assert again["action"] == "Continue with up to 500 replays"
    some = Losses(Spec.parse("hoprag-coverage"), "Who?", [Fate("a", "a", "cut", rank=22, k=20)])
    told = smallest_fix(some, found, str, "5 of 14 settings tried")
    assert told == (
        "Smallest change found so far that retrieves it (5 of 14 settings tried): "
        "raise top k and seeds from 20 to 30. It then ranks 22nd."
    )
    whole = smallest_fix(some, {"a": rescue("a", "top_k", 22)}, str, "")
    assert whole.startswith("Smallest change that retrieves it: ")


def test_the_smallest_change_names_the_passage_that_it_retrieves():
    """With two lost, `it` would be read as the answer."""
    lost = [Fate(gold, gold, "cut", rank=22, k=20) for gold in ("a", "b")]
    some = Losses(Spec.parse("hoprag-coverage"), "Who?", lost)
    one = smallest_fix(
        some, {"a": None, "b": rescue("b", "top_k", 22)}, lambda fate: fate.gold.upper()
    )
    assert one.startswith("Smallest change that retrieves 'B': ")
    both = replace(rescue("b", "top_k", 30), kept=2, of=2)
    told = smallest_fix(some, {"a": None, "b": both}, str)
    assert told.startswith("Smallest change that retrieves both: ")
