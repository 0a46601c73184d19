import json
import re
from typing import Any, get_args

import pytest
from streamlit.testing.v1 import AppTest

from core.settings import ASSETS
from core.steps import Kind
from pages.components.graph.graph_view import (
    KIND_NAMES,
    TRACE_LEGEND,
    Arrow,
    Legend,
    Node,
    graph_structure,
    legend_of,
)


def page() -> None:
    import streamlit as st

    from core.drawing.layout import Band
    from pages.components.graph import graph_view as view

    nodes = [view.Node("a", "<b>A</b>", 0, 0), view.Node("b", "B", 100, 50)]
    view.graph_structure(
        "g", nodes, [view.Arrow("ab", "a", "b", "Who?")], bands=[Band("Seeds", -10, 50)]
    )
    if st.button("pick"):
        view.select("g", view.Selection("node", "b"))
    view.paint_graph(
        "g",
        view.Paint(nodes={"a": "seed"}, edges={"ab": "chosen"}, counts={"a": 2}, gold={"b", "a"}),
    )
    picked = view.selection("g")
    st.text(picked.id if picked else "nothing")


def payloads(app: AppTest) -> tuple[dict[str, Any], dict[str, Any]]:
    structure, painter = app.get("bidi_component")
    return json.loads(structure.proto.json), json.loads(painter.proto.json)


def test_the_structure_carries_places_and_the_painter_only_looks() -> None:
    app = AppTest.from_function(page).run()
    assert not app.exception
    structure, painter = payloads(app)
    assert [(node["id"], node["label"], node["x"], node["y"]) for node in structure["nodes"]] == [
        ("a", "<b>A</b>", 0.0, 0.0),
        ("b", "B", 100.0, 50.0),
    ]
    assert structure["bands"] == [{"label": "Seeds", "left": -10.0, "right": 50.0}]
    assert painter["paint"]["nodes"] == {"a": "seed"}
    assert painter["paint"]["edges"] == {"ab": "chosen"}
    assert painter["paint"]["counts"] == {"a": 2}
    assert painter["paint"]["gold"] == ["a", "b"]
    assert "places" not in painter["paint"]


def test_selecting_from_outside_changes_the_paint_and_not_the_structure() -> None:
    app = AppTest.from_function(page).run()
    before = payloads(app)
    app.button[0].click().run()
    after = payloads(app)
    assert app.text[0].value == "b"
    assert before[0]["rev"] == after[0]["rev"]
    assert before[1]["rev"] != after[1]["rev"]
    assert after[1]["paint"]["selected"] == {"kind": "node", "id": "b"}


def page_of_kinds() -> None:
    from pages.components.graph import graph_view as view

    nodes = [
        view.Node("p", "P", 0, 0),
        view.Node("entity:ada", "Ada", 9, 9, "a <person>", "entity"),
        view.Node("#", "Who?", 0, 9, kind="query"),
    ]
    arrows = [
        view.Arrow("1", "#", "entity:ada", directed=False),
        view.Arrow("2", "entity:ada", "p"),
    ]
    legend = view.legend_of({"seed"}, {"walked"}, {node.kind for node in nodes})
    view.graph_structure("k", nodes, arrows, legend=legend)
    sizes = {"p": 1.5, "entity:ada": 40.0, "#": 0.0, "gone": -3.0, "odd": float("nan")}
    view.paint_graph("k", view.Paint(sizes=sizes))


def test_the_structure_carries_kinds_and_whether_a_line_has_a_head() -> None:
    structure, _ = payloads(AppTest.from_function(page_of_kinds).run())
    assert [(node["kind"], node["detail"]) for node in structure["nodes"]] == [
        ("passage", ""),
        ("entity", "a <person>"),
        ("query", ""),
    ]
    assert [arrow["directed"] for arrow in structure["arrows"]] == [False, True]


def test_the_legend_lists_what_it_is_given_and_nothing_else() -> None:
    structure, _ = payloads(AppTest.from_function(page_of_kinds).run())
    assert structure["legend"] == [
        {"of": "shape", "name": "query", "label": "Question"},
        {"of": "shape", "name": "passage", "label": "Passage"},
        {"of": "shape", "name": "entity", "label": "Entity"},
        {"of": "node", "name": "seed", "label": "Seed"},
        {"of": "edge", "name": "walked", "label": "Followed"},
    ]


def test_a_size_is_kept_within_what_can_be_hit_and_does_not_cover_the_rest() -> None:
    _, painter = payloads(AppTest.from_function(page_of_kinds).run())
    assert painter["paint"]["sizes"] == {
        "p": 1.5,
        "entity:ada": 2.4,
        "#": 0.6,
        "gone": 0.6,
        "odd": 0.6,
    }


def test_a_legend_is_picked_in_the_order_of_all_words() -> None:
    picked = legend_of(["gold", "retrieved", "seed"], ["refused", "chosen", "plain"], ["passage"])
    assert list(picked.nodes.items()) == [
        ("seed", "Seed"),
        ("retrieved", "Retrieved"),
        ("gold", "Gold"),
    ]
    assert list(picked.edges) == ["chosen", "refused", "plain"]
    assert picked.kinds == {}
    assert legend_of(TRACE_LEGEND.nodes, TRACE_LEGEND.edges, []) == TRACE_LEGEND
    assert legend_of([], [], ["fact"]) == Legend({}, {}, {"fact": "Fact"})


def test_every_kind_has_a_word_and_a_shape_of_its_own() -> None:
    kinds = set(get_args(Kind))
    assert set(KIND_NAMES) == kinds
    script = (ASSETS / "graph" / "shapes.js").read_text(encoding="utf-8")
    shapes = dict(re.findall(r'^  (\w+): \{ shape: "(\w+)"', script, re.MULTILINE))
    assert set(shapes) == kinds - {"passage"}
    assert len(set(shapes.values())) == len(shapes)
    assert not set(shapes.values()) & {"disc", "diamond", "square", "star"}


@pytest.mark.parametrize(
    ("nodes", "arrows"),
    [
        ([Node("a", "A", 0, 0)], [Arrow("ax", "a", "x")]),
        ([Node("a", "A", 0, 0), Node("a", "A", 1, 1)], []),
    ],
)
def test_a_loose_edge_or_a_repeated_id_is_a_programmers_mistake(
    nodes: list[Node], arrows: list[Arrow]
) -> None:
    with pytest.raises(ValueError):
        graph_structure("g", nodes, arrows)
