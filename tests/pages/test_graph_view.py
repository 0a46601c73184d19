import json
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from pages.components.graph.graph_view import Arrow, Node, graph_structure


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
