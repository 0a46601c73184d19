"""Choosing otherwise on the Trace page: from a click in the film to what it changed, and back."""

import json
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.counterfactual import Take, parse
from core.errors import InputError
from core.retrievers import Spec
from pages.components.ask.request import Ask
from pages.components.trace import current_trace, manual_choices
from tests.pages.conftest import QUESTION
from tests.pages.journeys import checked, opened, walkthrough, words

WALK = "hoprag-similarity(top_k=2,entry=node)"


def refused_line(at: AppTest) -> tuple[str, str]:
    """An edge that a walk has looked at and not followed, and where."""
    made = walkthrough(at)
    for stop in made["stops"]:
        here = stop["here"]["node"]
        for one in stop["candidates"] if here in made["judged"] else ():
            if one["verdict"] == "not_followed":
                return one["edge"], here
    raise AssertionError("every edge is followed")


def test_an_edge_is_taken_by_hand_and_left_again(tiny_home: Path) -> None:
    at = opened("trace", index="tiny", q=QUESTION.text, retriever=WALK)
    tie, vertex = refused_line(at)
    plain = walkthrough(at)
    at = opened(
        "trace", index="tiny", q=QUESTION.text, retriever=WALK, amend=f"take({tie}@{vertex})"
    )
    assert walkthrough(at)["title"] == "HopRAG (similarity), changed by hand"
    assert "By hand" in words(at)
    assert "Recall" in words(at)
    assert "--amend" in at.code[-1].value
    checked(at.button(key="ask_submit").click().run())
    assert at.query_params["amend"] == f"take({tie}@{vertex})"
    checked(at.segmented_control(key="by_hand_view").set_value("What changed").run())
    told = [one.proto.json for one in at.get("bidi_component")]
    sent = [json.loads(one) for one in told if one]
    (difference,) = [json.loads(one["difference"]) for one in sent if "difference" in one]
    assert [difference[side]["sign"] for side in "ab"] == ["original", "edited"]
    assert difference["b"]["title"] == "HopRAG (similarity), changed by hand"
    assert "Original Edited by hand" in words(at)
    checked(at.segmented_control(key="by_hand_view").set_value("Walkthrough").run())
    checked(at.button(key="by_hand_0").click().run())
    assert walkthrough(at)["title"] == plain["title"]
    assert "amend" not in at.query_params


def test_other_settings_wait_for_apply_and_keep_the_change_and_the_stop(tiny_home: Path) -> None:
    at = opened("trace", index="tiny", q=QUESTION.text, retriever=WALK)
    tie, vertex = refused_line(at)
    address = {"retriever": WALK, "amend": f"take({tie}@{vertex})", "stop": "2"}
    at = opened("trace", index="tiny", q=QUESTION.text, **address)

    def shown() -> dict[str, str]:
        told = {name: at.query_params.get(name, "") for name in address}
        return {name: one[0] if isinstance(one, list) else one for name, one in told.items()}

    checked(at.number_input(key="ask_set_top_k").set_value(3).run())
    assert shown() == address
    checked(at.button(key="ask_apply").click().run())
    applied = "hoprag-similarity(top_k=3,entry=node)"
    assert shown() == {**address, "retriever": applied}


def test_what_cannot_be_done_is_said(tiny_home: Path) -> None:
    at = opened("trace", index="tiny", q=QUESTION.text, retriever=WALK, amend="start(nowhere)")
    assert "The index has no passage 'nowhere'." in at.warning[0].value.replace("\\", "")


@pytest.mark.parametrize("amend", ["<script>", "take(a)", "start(%FF)"])
def test_a_hostile_address_is_ignored(tiny_home: Path, amend: str) -> None:
    at = opened("trace", index="tiny", q=QUESTION.text, retriever=WALK, amend=amend)
    assert "is not a change to a walk" in at.warning[0].value.replace("\\", "")


def test_what_the_film_asks_for_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = Ask("Who?", Spec.parse("hoprag-similarity"))
    found: list[Ask] = []
    monkeypatch.setattr(current_trace, "change", lambda wanted, index: found.append(wanted))
    manual_choices.choose(asked, "tiny", {"verb": "take", "at": "a, b", "tie": "(x)@"})
    assert found[0].amendments == (Take("a, b", "(x)@"),)
    manual_choices.choose(asked, "tiny", {"verb": "judge", "at": "a", "tie": ""})
    assert found[1].amendments == parse("judge(@a)")
    with pytest.raises(InputError):
        manual_choices.choose(asked, "tiny", {"verb": "drop", "at": "a"})
    address = found[0].params()
    assert Ask.from_params(address) == (found[0], ())
    assert "--amend" in found[0].command("x")
    assert "amend" not in found[0].plain().params()


def test_columns_say_that_a_change_by_hand_is_left_out_and_the_walkthrough_has_it_again(
    tiny_home: Path,
) -> None:
    address = {"index": "tiny", "q": QUESTION.text, "retriever": WALK}
    tie, vertex = refused_line(opened("trace", **address))
    by_hand = f"take({tie}@{vertex})"
    at = opened("trace", **address, amend=by_hand)
    for view in ("difference", "columns"):
        checked(view_switch(at).set_value(view).run())
        at.switch_page("pages/compare.py")  # where the browser is now, as the page went there
        assert at.query_params["amend"] in (by_hand, [by_hand])  # for a reload
        (said,) = [one.value for one in at.info if "by hand" in one.value]
        assert said.replace("\\", "") == (
            "The change made by hand in the walkthrough of HopRAG (similarity) is left out here. "
            "Select Walkthrough to return to it."
        )
    checked(view_switch(at).set_value("walkthrough").run())
    assert at.query_params["amend"] == by_hand
    assert walkthrough(at)["title"] == "HopRAG (similarity), changed by hand"


def test_columns_of_what_is_not_changed_by_hand_leave_nothing_out(tiny_home: Path) -> None:
    at = opened("trace", index="tiny", q=QUESTION.text, retriever=WALK)
    checked(view_switch(at).set_value("columns").run())
    assert not [one.value for one in at.info if "by hand" in one.value]


def view_switch(at: AppTest) -> Any:
    return next(one for one in at.get("button_group") if one.key == "view_switch")


def test_a_reload_of_compare_leads_back_to_the_walkthrough_changed_by_hand(
    tiny_home: Path,
) -> None:
    about = {"index": "tiny", "q": QUESTION.text, "with": f"{WALK},bm25", "k": "20"}
    at = opened("compare", **about, amend="start(concert)")  # in a new session
    assert at.query_params["amend"] in ("start(concert)", ["start(concert)"])
    assert [one for one in at.info if "made by hand" in one.value]
    plain = opened("compare", **about)
    assert "amend" not in plain.query_params
