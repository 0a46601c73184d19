"""The Explore page: the view in the address, the panel, the tables and the exports."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.explore.between import shortest_way
from core.explore.webpage import to_html
from core.store.index import Index
from tests.pages.conftest import QUESTION, TINY

APP = Path(__file__).parents[3] / "app.py"


def opened(**params: str | list[str]) -> AppTest:
    app = AppTest.from_file(str(APP), default_timeout=20)
    for name, value in {"index": TINY, "view": "neighbourhood", **params}.items():
        app.query_params[name] = value
    app.run()
    app.switch_page("pages/explore.py").run()
    assert not app.exception
    return app


def html(app: AppTest) -> str:
    return "\n".join(block.value for block in app.get("html"))


def drawn(app: AppTest) -> dict[str, Any]:
    """The neighbourhood that is sent to the browser."""
    payloads = [json.loads(element.proto.json) for element in app.get("bidi_component")]
    data: dict[str, Any] = json.loads(next(p["drawn"] for p in payloads if "drawn" in p))
    return data


def passages(app: AppTest) -> list[dict[str, Any]]:
    return [one for column in drawn(app)["columns"] for one in column["passages"]]


def node_ids(app: AppTest) -> set[str]:
    return {one["id"] for one in passages(app)}


def orders(app: AppTest) -> dict[str, list[str]]:
    """By its heading, the passages of each column from top to bottom."""
    return {
        column["heading"]: [one["id"] for one in column["passages"]]
        for column in drawn(app)["columns"]
    }


def roles(app: AppTest) -> dict[str, str]:
    return {one["id"]: one["role"] for one in passages(app) if one["role"] != "neighbour"}


def around(index: Index, passage_id: str) -> set[str]:
    leaving = {edge.target for edge in index.graph.out_edges(passage_id)}
    return {passage_id, *leaving, *(edge.source for edge in index.graph.in_edges(passage_id))}


def test_it_opens_at_the_passage_with_most_edges_and_proposes_others(tiny_index: Index) -> None:
    app = opened()
    columns = tiny_index.graph.adjacency
    degree = [
        int((columns.source == i).sum() + (columns.target == i).sum())
        for i in range(len(tiny_index.passages))
    ]
    most = {tiny_index.passages[i].id for i, d in enumerate(degree) if d == max(degree)}
    (centre,) = roles(app)
    assert centre in most
    assert node_ids(app) == around(tiny_index, centre)
    assert app.button(key="explore_start_hub_0").label == tiny_index.passage(centre).title
    golds = [button.label for button in app.button if "start_gold" in (button.key or "")]
    assert golds == [tiny_index.passage(name).title for name in QUESTION.gold]
    app.button(key="explore_start_gold_0").click().run()
    assert roles(app) == {QUESTION.gold[0]: "centre"}
    assert node_ids(app) == around(tiny_index, QUESTION.gold[0])
    assert f"{len(node_ids(app))} of 6 passages within 1 hop of " in html(app)
    assert ": all drawn." in html(app)


@pytest.mark.usefixtures("tiny_home")
def test_one_can_start_elsewhere() -> None:
    app = opened(passage="singer", held="town")
    next(button for button in app.button if button.label == "Start elsewhere").click().run()
    assert app.button(key="explore_start_hub_0")
    assert "passage" not in app.query_params


def test_a_link_opens_its_passage_with_its_questions_and_edges(tiny_index: Index) -> None:
    app = opened(passage="singer")
    page = html(app)
    assert "Ilo Venn is a singer. He toured with the Low Tide Band." in page
    for made in tiny_index.graph.pseudo_queries("singer"):
        assert made.evidence in page.replace("&#x27;", "'")
    tabs = [tab.label for tab in app.tabs]
    edges = len(tiny_index.graph.out_edges("singer")) + len(tiny_index.graph.in_edges("singer"))
    assert f"Pseudo-queries ({len(tiny_index.graph.pseudo_queries('singer'))})" in tabs
    assert f"Edges ({edges})" in tabs


def test_the_tables_hold_what_the_graph_shows(tiny_index: Index) -> None:
    app = opened(passage="town")
    table = next(f.value for f in app.dataframe if "Id" in f.value)
    assert set(table["Id"]) == node_ids(app)
    edges = next(f.value for f in app.dataframe if "From" in f.value)
    assert len(edges) == len(drawn(app)["edges"])
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
    assert f"By similarity {number} of {len(leaving)} edge" in page


def test_expanding_keeps_the_order_and_collapsing_takes_it_back(tiny_index: Index) -> None:
    leaf = next(
        other
        for other in sorted(around(tiny_index, "singer"))
        if around(tiny_index, other) - around(tiny_index, "singer")
    )
    app = opened(passage="singer", node=leaf)
    before, names = orders(app), node_ids(app)
    app.button(key="explore_expand").click().run()
    assert node_ids(app) == around(tiny_index, "singer") | around(tiny_index, leaf)
    after = {heading: [n for n in column if n in names] for heading, column in orders(app).items()}
    assert {heading: column for heading, column in after.items() if column} == before
    assert roles(app)[leaf] == "expanded"
    app.button(key="explore_collapse").click().run()
    assert orders(app) == before


def test_centring_moves_the_view(tiny_index: Index) -> None:
    other = next(iter(sorted(around(tiny_index, "singer") - {"singer"})))
    app = opened(passage="singer", node=other)
    app.button(key="explore_centre").click().run()
    assert roles(app) == {other: "centre"}
    assert node_ids(app) == around(tiny_index, other)


def test_the_least_similarity_filters(tiny_index: Index) -> None:
    app = opened(passage="town", min="1.00")
    kept = {
        edge.target if edge.source == "town" else edge.source
        for edge in (*tiny_index.graph.out_edges("town"), *tiny_index.graph.in_edges("town"))
        if edge.similarity >= 1
    }
    assert node_ids(app) == {"town", *kept}
    assert ("no edge with a similarity of 1.00 or more" in html(app)) == (not kept)
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
    assert roles(app) == {"stadium": "centre"}
    assert app.text_input(key="explore_find").value == ""


@pytest.mark.usefixtures("tiny_home")
def test_a_search_in_vain_says_so() -> None:
    app = opened(passage="town")
    app.text_input(key="explore_find").set_value("<zeppelin>").run()
    assert "No passage contains '&lt;zeppelin&gt;'" in html(app)
    assert "town" in node_ids(app)


@pytest.mark.usefixtures("tiny_home")
def test_where_no_passage_holds_what_is_searched_for_those_with_its_words_are_offered() -> None:
    app = opened(passage="town")
    search = app.text_input(key="explore_find")
    search.set_value("stadium of the Ground Lantern").run()
    assert "1 passage contains all its words." in html(app)
    assert app.button(key="explore_found_0").label == "Lantern Ground"
    search.set_value("brewer zeppelin married").run()
    assert "No passage contains all of these words" in html(app)
    assert "2 of 3 words" in html(app)
    assert "<mark>brewer</mark>" in html(app)
    assert "<mark>married</mark>" in html(app)
    app.button(key="explore_found_0").click().run()
    assert roles(app) == {"owner": "centre"}


@pytest.mark.usefixtures("tiny_home")
def test_an_address_that_makes_no_sense_is_said_and_the_view_stays() -> None:
    app = opened(passage="town", hops="9", min="x", cap="7", show="x", open=["gone"], held="gone")
    said = app.warning[0].value.replace("\\", "")
    for part in ("hops='9'", "min='x'", "cap='7'", "show='x'"):
        assert part in said
    assert node_ids(app)


@pytest.mark.usefixtures("tiny_home")
def test_a_passage_that_is_not_there_is_said_where_one_starts() -> None:
    app = opened(passage="nobody")
    assert "no passage 'nobody'" in app.warning[0].value.replace("\\", "")
    assert app.button(key="explore_start_hub_0")


def test_two_passages_are_set_side_by_side(tiny_index: Index) -> None:
    edge = tiny_index.graph.edges([0])[0]
    app = opened(passage=edge.source, node=edge.source)
    app.button(key="explore_hold").click().run()
    assert "with another passage: select one" in html(app)
    app = opened(passage=edge.source, held=edge.source, node=edge.target)
    page = html(app).replace("&#x27;", "'")
    assert "There is" in page
    for query_id in (edge.out_query_id, edge.in_query_id):
        assert tiny_index.graph.pseudo_query(query_id).evidence in page
    between = {one["id"] for one in drawn(app)["edges"] if one["role"] == "between"}
    assert edge.id in between
    app.button(key="explore_pair_let_go").click().run()
    assert "Two passages" not in html(app)


def test_two_without_an_edge_show_the_shortest_way(tiny_index: Index) -> None:
    pairs = [
        (one.id, other.id, way)
        for one in tiny_index.passages
        for other in tiny_index.passages
        if other.id not in around(tiny_index, one.id)
        and (way := shortest_way(tiny_index.graph, tiny_index.number, one.id, other.id))
    ]
    one, other, way = pairs[0]
    app = opened(passage=one, held=one, node=other)
    assert f"has {len(way.edges)} edges" in html(app)
    assert set(way.passages) <= node_ids(app)
    between = {one["id"] for one in drawn(app)["edges"] if one["role"] == "between"}
    assert between == {edge.id for edge in way.edges}
    app.button(key="explore_swap").click().run()
    assert "Two passages" in html(app)


@pytest.mark.usefixtures("tiny_home")
def test_the_page_that_is_exported_is_of_the_same_neighbourhood() -> None:
    app = opened(passage="town", q=QUESTION.text)
    data = drawn(app)
    told = re.search(r'id="data">(.*?)</script>', to_html(data).decode())
    assert told
    assert json.loads(told[1]) == data


@pytest.mark.usefixtures("tiny_home")
def test_gold_of_a_question_in_the_address_is_starred() -> None:
    app = opened(passage="town", q=QUESTION.text)
    starred = {node["id"]: node["gold"] for node in passages(app) if node["gold"]}
    assert starred == dict.fromkeys(set(QUESTION.gold) & node_ids(app), "given")
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
    labels = [button.label for button in opened(passage="town").get("download_button")]
    csv = ["CSV (two files, zipped)", "CSV for Excel (two files, zipped)"]
    assert labels == ["Web page (.html)", "GraphML", "JSON", *csv]


@pytest.mark.usefixtures("tiny_home")
def test_coming_back_by_the_menu_goes_on_where_the_page_was_left() -> None:
    app = opened(passage="singer", hops="2")
    before = orders(app)
    app.switch_page("pages/compare.py").run()
    app.query_params.clear()
    app.switch_page("pages/explore.py").run()
    assert orders(app) == before
    assert roles(app) == {"singer": "centre"}
