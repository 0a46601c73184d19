"""The panel below a trace that turns its settings, and what it does not ask a model."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from tests.llm.configured import configured
from tests.llm.replies import choose
from tests.llm.server import ChatServer
from tests.pages.conftest import QUESTION
from tests.pages.journeys import checked, opened, walkthrough, words

WALK = "hoprag-llm(top_k=1,n_hop=1)"


@pytest.fixture
def server(tiny_home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    with configured(choose, monkeypatch) as server:
        yield server


def replaying(retriever: str) -> AppTest:
    return opened("trace", index="tiny", q=QUESTION.text, retriever=retriever)


def on(at: AppTest) -> AppTest:
    return checked(at.toggle(key="replay_on").set_value(True).run())


def said(at: AppTest) -> str:
    return " ".join(caption.value for caption in at.caption).replace("\\", "")


def test_it_is_closed_until_it_is_wanted(tiny_home: Path) -> None:
    at = replaying("hoprag-coverage(top_k=2)")
    assert not at.slider
    assert {one.key for one in on(at).slider} >= {
        "replay_top_k",
        "replay_n_hop",
        "replay_seeds",
        "replay_coverage",
    }


def test_a_slider_shows_what_would_have_been_kept(tiny_home: Path) -> None:
    at = on(replaying("hoprag-coverage(top_k=1)"))
    before = words(at)
    checked(at.slider(key="replay_top_k").set_value(6).run())
    after = words(at)
    assert "without a model" in after
    assert "top k 6 instead of 1" in after
    assert before != after
    assert walkthrough(at)["retriever"] == "hoprag-coverage(top_k=1)"
    checked(at.button(key="replay_film").click().run())
    assert walkthrough(at)["retriever"] == "hoprag-coverage(top_k=6)"


def test_a_replay_says_what_it_changed_with_the_way_back(tiny_home: Path) -> None:
    at = on(replaying("hoprag-coverage(top_k=1)"))
    assert "replayed_back" not in {one.key for one in at.button}
    checked(at.slider(key="replay_top_k").set_value(6).run())
    checked(at.button(key="replay_film").click().run())
    assert "top k 6 instead of 1" in at.button(key="replayed_back").label
    assert "Recall 0% → 100%" in words(at)
    checked(at.segmented_control(key="by_hand_view").set_value("What changed").run())
    assert "Original Replay: top k 6" in words(at)
    checked(at.button(key="replayed_back").click().run())
    assert walkthrough(at)["retriever"] == "hoprag-coverage(top_k=1)"
    assert "replayed_back" not in {one.key for one in at.button}


def test_what_has_no_number_beside_top_k_has_one_slider(tiny_home: Path) -> None:
    assert [one.key for one in on(replaying("bm25")).slider] == ["replay_top_k"]


def test_a_replay_asks_no_model_until_a_click(tiny_home: Path, server: ChatServer) -> None:
    at = replaying(WALK)
    checked(at.button(key="trace_ask_model").click().run())
    asked = len(server.requests)
    at = on(at)
    checked(at.slider(key="replay_seeds").set_value(6).run())
    assert len(server.requests) == asked == 1
    assert "No model reply is stored" in said(at)
    assert "about 1 call (at most 2)" in said(at)
    checked(at.button(key="replay_film").click().run())
    assert len(server.requests) == asked
    hatched = [name for name, node in walkthrough(at)["nodes"].items() if node["unjudged"]]
    assert hatched
    assert f"stored for {len(hatched)} steps" in said(at)
    assert not [one for one in at.get("download_button") if one.key == "trace_save"]


def test_a_click_asks_for_what_was_never_judged(tiny_home: Path, server: ChatServer) -> None:
    at = replaying(WALK)
    checked(at.button(key="trace_ask_model").click().run())
    at = on(at)
    checked(at.slider(key="replay_seeds").set_value(6).run())
    checked(at.button(key="replay_ask_model").click().run())
    assert len(server.requests) > 1
    assert "No model reply is stored" not in said(at)
    assert walkthrough(at)["retriever"] == WALK


def test_the_way_to_its_film_runs_the_whole_page(
    tiny_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = on(replaying("hoprag-coverage(top_k=1)"))
    checked(at.slider(key="replay_top_k").set_value(6).run())
    again: list[str] = []
    monkeypatch.setattr(st, "rerun", lambda *, scope="app": again.append(scope))
    checked(at.button(key="replay_film").click().run())
    assert again == ["app"]  # the film stands outside of the panel, which a click runs alone
    assert at.query_params["retriever"] == "hoprag-coverage(top_k=6)"
