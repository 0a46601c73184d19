"""What the nodes of a trace are called."""

from core.trace_analysis.node_names import Cast
from core.types import Passage


def cast(*passages):
    held = {one.id: one for one in passages}
    return Cast("", tuple(held), (), held, {}, {}, {}, {})


def titles(*passages):
    return [cast(*passages).title(one.id) for one in passages]


def test_parts_of_a_document_are_called_by_their_place():
    one, other = Passage("d:2", "d", 2, "Selby", ""), Passage("d:5", "d", 5, "Selby", "")
    assert titles(one, other) == ["Selby · 3", "Selby · 6"]


def test_documents_of_one_title_are_numbered():
    met = [Passage(name, name, 0, "Selby", "") for name in ("p3", "p1")]
    assert titles(*met, Passage("p2", "p2", 0, "Port", "")) == ["Selby · 2", "Selby · 1", "Port"]


def test_what_tells_them_apart_is_never_cropped():
    met = [Passage(name, name, 0, "Selby " * 60, "") for name in ("p1", "p2")]
    assert [title[-5:] for title in titles(*met)] == ["… · 1", "… · 2"]
    assert len(set(map(len, titles(*met)))) == 1
