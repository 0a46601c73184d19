"""The exported page: its texts are data, it loads nothing, and it says how much it holds."""

import json
import re
from typing import Any

import pytest

from core.explore import webpage
from core.explore.webpage import graph_to_html
from core.types import Passage
from tests.core.drawing.test_export import EDGES, HOSTILE, NODES


def data_of(page: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page)
    assert found
    data: dict[str, Any] = json.loads(found[1])
    return data


def test_it_loads_nothing_and_carries_texts_as_data_only() -> None:
    page = graph_to_html(NODES, EDGES, {}, HOSTILE[0]).decode()
    markup = re.sub(r"(<script[^>]*>).*?</script>", r"\1", page, flags=re.DOTALL)
    assert not re.search(r"(src|href)\s*=", re.sub("<!--.*?-->", "", markup, flags=re.DOTALL))
    assert "<script>alert" not in markup
    assert page.count("alert(1)</script>") == 0
    data = data_of(page)
    assert {passage["title"] for passage in data["passages"]} >= set(HOSTILE[:5])
    ends = {(edge["source"], edge["target"]) for edge in data["edges"]}
    assert ends == {("p0", "p1"), ("p1", "p0")}
    assert len(data["passages"]) == len(NODES)


def test_it_shows_the_question_that_was_raised() -> None:
    page = graph_to_html(NODES, EDGES, {"oe0": "What <b>is</b> it?"}, "t").decode()
    assert [edge["raised"] for edge in data_of(page)["edges"]] == ["What <b>is</b> it?", ""]


def test_a_big_graph_is_capped_at_those_with_most_edges_and_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cap = 40
    monkeypatch.setattr(webpage, "CAP", cap)
    many = [Passage(f"m{i}", "d", i, f"T{i}", "t") for i in range(cap + 5)]
    data = data_of(graph_to_html([*many, *NODES], EDGES, {}, "t").decode())
    assert len(data["passages"]) == cap
    assert {"p0", "p1"} <= {passage["id"] for passage in data["passages"]}
    assert data["start"] in ("p0", "p1")
    assert f"{cap:,} of {cap + 5 + len(NODES):,} passages" in data["note"]


def test_an_empty_graph_is_a_page_too() -> None:
    data = data_of(graph_to_html([], [], {}, "t").decode())
    assert (data["passages"], data["start"]) == ([], "")
