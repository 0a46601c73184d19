"""The map on the Explore page: what is chosen, filtered and played, as the address has it."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.conftest import QUESTION, TINY

pytestmark = pytest.mark.usefixtures("tiny_home")
APP = Path(__file__).parents[3] / "app.py"


def opened(**params: str) -> AppTest:
    app = AppTest.from_file(str(APP), default_timeout=30)
    for name, value in {"index": TINY, **params}.items():
        app.query_params[name] = value
    app.run()
    app.switch_page("pages/explore.py").run()
    assert not app.exception
    return app


def html(app: AppTest) -> str:
    return "\n".join(block.value for block in app.get("html"))


def sent(app: AppTest) -> dict[str, Any]:
    """What the map is told to show."""
    payloads = [json.loads(element.proto.json) for element in app.get("bidi_component")]
    told: dict[str, Any] = json.loads(next(p["said"] for p in payloads if "said" in p))
    return told


def drawn(app: AppTest) -> dict[str, Any]:
    payloads = [json.loads(element.proto.json) for element in app.get("bidi_component")]
    told: dict[str, Any] = json.loads(next(p["map"] for p in payloads if "map" in p))
    return told


def test_explore_opens_on_the_whole_corpus():
    app = opened()
    found = drawn(app)
    assert found["passages"] == len(found["units"]["title"]) == len(found["network"]["nodes"])
    assert "The whole corpus" in html(app)
    assert sent(app)["focus"] is None


def test_a_link_to_a_passage_opens_its_neighbourhood():
    app = opened(passage="owner")
    assert app.segmented_control(key="explore_view").value == "neighbourhood"


def test_a_passage_of_the_address_is_chosen_on_the_map():
    app = opened(view="map", node="owner")
    title = drawn(app)["units"]["title"][sent(app)["focus"]]
    assert f"{title}</h3>" in html(app)
    app.button(key="map_neighbourhood").click().run()
    assert app.segmented_control(key="explore_view").value == "neighbourhood"


@pytest.mark.parametrize("before", [{}, {"passage": "singer"}])
def test_the_passage_chosen_on_the_map_is_the_centre_of_the_neighbourhood(before: dict[str, str]):
    app = opened(view="map", node="owner", **before)
    app.segmented_control(key="explore_view").set_value("neighbourhood").run()
    assert not app.exception
    assert app.query_params["passage"] == "owner"
    payloads = [json.loads(element.proto.json) for element in app.get("bidi_component")]
    columns = json.loads(next(p["drawn"] for p in payloads if "drawn" in p))["columns"]
    roles = {one["id"]: one["role"] for column in columns for one in column["passages"]}
    assert roles["owner"] == "centre"


def test_the_panel_of_a_passage_lists_its_edges_with_their_questions():
    app = opened(view="map", node="owner")
    page = html(app)
    listed = {way: int(n) for way, n in re.findall(r">Edges (out|in) \((\d+)\)<", page)}
    assert listed.keys() == {"out", "in"}
    assert sum(listed.values()) > 0
    questions = re.findall(r"<li><q dir='auto'>([^<]+)</q>", page)
    assert len(questions) == sum(min(3, many) for many in listed.values())


def test_what_makes_no_sense_in_the_address_chooses_nothing():
    for region in ("-1", "99", "one", "9" * 40):
        assert sent(opened(view="map", region=region))["focus"] is None


def test_a_filter_hides_other_documents():
    app = opened()
    assert sent(app)["hidden"] == ""
    app.text_input(key="map_document").set_value("quist").run()
    assert sent(app)["hidden"] != ""


def test_a_retrieval_is_sent_as_a_walk():
    app = opened()
    app.selectbox(key="map_question").set_value(QUESTION.text).run()
    assert not app.exception
    walk = sent(app)["walk"]
    assert walk["question"] == QUESTION.text
    assert walk["frames"][-1]["hits"]
    assert walk["gold"]


def test_without_a_run_it_is_said_where_to_start_one():
    app = opened()
    assert any("Start an evaluation" in caption.value for caption in app.caption)
    assert sent(app)["heat"] is None
