"""The Explore page: the view in the address, the panel, the tables and the exports."""

import json
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.store.index import Index
from tests.pages.conftest import QUESTION, TINY

APP = Path(__file__).parents[2] / "app.py"


def opened(**params: str | list[str]) -> AppTest:
    app = AppTest.from_file(str(APP), default_timeout=20)
    for name, value in {"index": TINY, **params}.items():
        app.query_params[name] = value
    app.run()
    app.switch_page("pages/explore.py").run()
    assert not app.exception
    return app


def html(app: AppTest) -> str:
    return "\n".join(block.value for block in app.get("html"))


def drawn(app: AppTest) -> dict[str, Any]:
    payloads = [json.loads(element.proto.json) for element in app.get("bidi_component")]
    return next(payload for payload in payloads if "arrows" in payload)


def painted(app: AppTest) -> dict[str, Any]:
    payloads = [json.loads(element.proto.json) for element in app.get("bidi_component")]
    paint: dict[str, Any] = next(p["paint"] for p in payloads if "paint" in p)
    return paint


def node_ids(app: AppTest) -> set[str]:
    return {node["id"] for node in drawn(app)["nodes"]}


def places(app: AppTest) -> dict[str, tuple[float, float]]:
    return {node["id"]: (node["x"], node["y"]) for node in drawn(app)["nodes"]}


def around(index: Index, passage_id: str) -> set[str]:
    leaving = {edge.target for edge in index.graph.out_edges(passage_id)}
    return {passage_id, *leaving, *(edge.source for edge in index.graph.in_edges(passage_id))}


def test_it_opens_on_gold_of_the_first_question(tiny_index: Index) -> None:
    app = opened()
    centre = next(id_ for id_, role in painted(app)["nodes"].items() if role == "current")
    assert centre in QUESTION.gold
    assert node_ids(app) == around(tiny_index, centre)
    assert f"<b>{len(node_ids(app))} passages</b>, all of them" in html(app)


def test_a_link_opens_its_passage_with_its_questions_and_edges(tiny_index: Index) -> None:
    app = opened(passage="singer")
    page = html(app)
    assert "Ilo Venn is a singer. He toured with the Low Tide Band." in page
    for made in tiny_index.graph.pseudo_queries("singer"):
        assert made.evidence in page.replace("&#x27;", "'")
    tabs = [tab.label for tab in app.tabs]
    edges = len(tiny_index.graph.out_edges("singer")) + len(tiny_index.graph.in_edges("singer"))
    assert f"Questions ({len(tiny_index.graph.pseudo_queries('singer'))})" in tabs
    assert f"Edges ({edges})" in tabs


def test_the_tables_hold_what_the_graph_shows(tiny_index: Index) -> None:
    app = opened(passage="town")
    passages = next(f.value for f in app.dataframe if "Id" in f.value)
    assert set(passages["Id"]) == node_ids(app)
    edges = next(f.value for f in app.dataframe if "From" in f.value)
    assert len(edges) == len(drawn(app)["arrows"])
    assert set(edges["From"]) <= {p.title for p in tiny_index.passages}


def test_an_edge_in_the_address_is_x_rayed(tiny_index: Index) -> None:
    edge = tiny_index.graph.edges([0])[0]
    page = html(opened(passage=edge.source, edge=edge.id)).replace("&#x27;", "'")
    for query_id in (edge.out_query_id, edge.in_query_id):
        assert tiny_index.graph.pseudo_query(query_id).evidence in page
    for value in (edge.jaccard, edge.cosine, edge.similarity):
        assert f"<b>{value:.3f}</b>" in page
    leaving = tiny_index.graph.out_edges(edge.source)
    number = [other.id for other in leaving].index(edge.id) + 1
    assert f"By similarity number {number} of the {len(leaving)} edge" in page


def test_expanding_keeps_places_and_collapsing_takes_it_back(tiny_index: Index) -> None:
    leaf = next(
        other
        for other in sorted(around(tiny_index, "singer"))
        if around(tiny_index, other) - around(tiny_index, "singer")
    )
    app = opened(passage="singer", node=leaf)
    before = places(app)
    app.button(key="explore_expand").click().run()
    after = places(app)
    assert set(after) == around(tiny_index, "singer") | around(tiny_index, leaf)
    assert {id_: after[id_] for id_ in before} == before
    assert painted(app)["nodes"][leaf] == "visited"
    app.button(key="explore_collapse").click().run()
    assert places(app) == before


def test_centring_moves_the_view(tiny_index: Index) -> None:
    other = next(iter(sorted(around(tiny_index, "singer") - {"singer"})))
    app = opened(passage="singer", node=other)
    app.button(key="explore_centre").click().run()
    assert painted(app)["nodes"] == {other: "current"}
    assert node_ids(app) == around(tiny_index, other)


def test_the_least_similarity_filters(tiny_index: Index) -> None:
    app = opened(passage="town", min="1.00")
    kept = {
        edge.target if edge.source == "town" else edge.source
        for edge in (*tiny_index.graph.out_edges("town"), *tiny_index.graph.in_edges("town"))
        if edge.similarity >= 1
    }
    assert node_ids(app) == {"town", *kept}
    app.slider(key="explore_min").set_value(0.0).run()
    assert node_ids(app) == around(tiny_index, "town")


def test_the_direction_filters(tiny_index: Index) -> None:
    app = opened(passage="town", way="out")
    assert node_ids(app) == {"town", *(e.target for e in tiny_index.graph.out_edges("town"))}


@pytest.mark.usefixtures("tiny_home")
def test_searching_leads_to_a_passage() -> None:
    app = opened(passage="town")
    app.text_input(key="explore_find").set_value("lantern").run()
    assert app.button(key="explore_found_0").label == "Lantern Ground"
    assert "<mark>Lantern</mark>" in html(app)
    app.button(key="explore_found_0").click().run()
    assert painted(app)["nodes"] == {"stadium": "current"}
    assert app.text_input(key="explore_find").value == ""


@pytest.mark.usefixtures("tiny_home")
def test_a_search_in_vain_says_so() -> None:
    app = opened(passage="town")
    app.text_input(key="explore_find").set_value("<zeppelin>").run()
    assert "No title and no text holds “&lt;zeppelin&gt;”" in html(app)
    assert "town" in node_ids(app)


@pytest.mark.usefixtures("tiny_home")
def test_an_address_that_makes_no_sense_is_said_and_the_view_stays() -> None:
    app = opened(passage="nobody", hops="9", min="x", cap="7", open=["gone"])
    said = app.warning[0].value.replace("\\", "")
    for part in ("no passage 'nobody'", "hops='9'", "min='x'", "cap='7'"):
        assert part in said
    assert node_ids(app)


@pytest.mark.usefixtures("tiny_home")
def test_gold_of_a_question_in_the_address_is_starred() -> None:
    app = opened(passage="town", q=QUESTION.text)
    assert painted(app)["gold"] == sorted(set(QUESTION.gold) & node_ids(app))
    titles = next(f.value for f in app.dataframe if "Id" in f.value)["Title"]
    assert "★ Port Selby" in set(titles)


@pytest.mark.usefixtures("tiny_home")
def test_markup_in_a_passage_stays_text() -> None:
    page = html(opened(passage="sly"))
    assert "&lt;b&gt;Sly&lt;/b&gt;" in page
    assert "<img" not in page
    assert "&lt;img src=x&gt;" in page


@pytest.mark.usefixtures("tiny_home")
def test_every_export_is_offered() -> None:
    labels = [button.label for button in opened().get("download_button")]
    assert labels == ["Web page (.html)", "GraphML", "JSON", "CSV (two, zipped)"]


@pytest.mark.usefixtures("tiny_home")
def test_coming_back_by_the_menu_goes_on_where_the_page_was_left() -> None:
    app = opened(passage="singer", hops="2")
    before = places(app)
    app.switch_page("pages/compare.py").run()
    app.query_params.clear()
    app.switch_page("pages/explore.py").run()
    assert places(app) == before
    assert painted(app)["nodes"] == {"singer": "current"}
