"""The exported page: its texts are data, it loads nothing, and it says how much it shows."""

import json
import re
from typing import Any

import pytest

from core.explore import webpage
from core.explore.webpage import graph_to_html
from core.types import Passage
from tests.core.drawing.test_export import EDGES, HOSTILE, NODES


def scene_of(page: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page)
    assert found
    scene: dict[str, Any] = json.loads(found[1])
    return scene


def test_it_loads_nothing_and_carries_texts_as_data_only() -> None:
    page = graph_to_html(NODES, EDGES, {}, HOSTILE[0]).decode()
    markup = re.sub(r"(<script[^>]*>).*?</script>", r"\1", page, flags=re.DOTALL)
    assert not re.search(r"(src|href)\s*=", re.sub("<!--.*?-->", "", markup, flags=re.DOTALL))
    assert "<script>alert" not in markup
    assert page.count("alert(1)</script>") == 0
    scene = scene_of(page)
    assert {node["label"] for node in scene["nodes"]} >= set(HOSTILE[:5])
    titles = [node["id"] for node in scene["nodes"]]
    ends = {(titles[line["source"]], titles[line["target"]]) for line in scene["lines"]}
    assert ends == {("p0", "p1"), ("p1", "p0")}
    assert len(scene["view"]["places"]) == len(NODES)


def test_it_shows_the_question_that_was_raised() -> None:
    page = graph_to_html(NODES, EDGES, {"oe0": "What <b>is</b> it?"}, "t").decode()
    assert [line["raised"] for line in scene_of(page)["lines"]] == ["What <b>is</b> it?", ""]


def test_a_big_graph_is_capped_at_those_with_most_edges_and_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cap = 40
    monkeypatch.setattr(webpage, "CAP", cap)
    many = [Passage(f"m{i}", "d", i, f"T{i}", "t") for i in range(cap + 5)]
    scene = scene_of(graph_to_html([*many, *NODES], EDGES, {}, "t").decode())
    assert len(scene["nodes"]) == cap
    assert {"p0", "p1"} <= {node["id"] for node in scene["nodes"]}
    assert f"{cap:,} of {cap + 5 + len(NODES):,} passages" in scene["note"]


def test_an_empty_graph_is_a_page_too() -> None:
    assert scene_of(graph_to_html([], [], {}, "t").decode())["nodes"] == []
