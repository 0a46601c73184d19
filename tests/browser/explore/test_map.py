"""The map of the corpus in a real browser: search, regions, keys, table, a walk."""

from pathlib import Path
from typing import Any

import pytest

from tests.browser.serving import Server, idle, still

DRAWN = "() => globalThis.__hopMap?.nodes.length"


@pytest.fixture
def opened(page: Any, server: Server, sample: Path) -> Any:
    """The map of the sample, without animations."""
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"{server.url}/explore?index=sample")
    page.wait_for_function(DRAWN)
    idle(page)
    return page


def title(page: Any) -> str:
    told: str = page.locator(".st-key-map_panel h3").inner_text()
    return told.strip()


def test_search_flies_to_a_passage_which_opens_beside(opened: Any) -> None:
    assert title(opened) == "The whole corpus"
    assert "All 203 passages drawn" in opened.locator(".scale").inner_text()
    find = opened.locator(".corpus-map-root input[type=search]")
    find.fill("port bran")
    find.press("Enter")
    opened.wait_for_url("**node=**")
    idle(opened)
    assert title(opened) == "Port Brannock"
    box = still(opened.locator(".corpus-map-root .stage")).bounding_box()
    x, y, _ = opened.evaluate("() => globalThis.__hopMap.onScreen(globalThis.__hopMap.picked)")
    assert 0 < x < box["width"]
    assert 0 < y < box["height"]
    opened.mouse.click(box["x"] + x, box["y"] + y)
    opened.get_by_role("button", name="Show its neighbourhood").click()
    opened.wait_for_url("**passage=**")
    opened.wait_for_function("() => globalThis.__hopExplorer?.graph.frame.querySelector('.node')")


def test_a_region_opens_from_the_legend_the_table_and_by_keys(opened: Any) -> None:
    legend = opened.locator(".corpus-map-root .legend")
    assert not legend.locator("button.row").first.is_visible(), "regions are named on the map"
    legend.locator("summary").click()
    row = legend.locator("button.row").first
    name = row.locator("span").inner_text()
    row.click()
    opened.wait_for_url("**region=**")
    idle(opened)
    assert title(opened) == name
    stage = opened.locator(".corpus-map-root .stage")
    stage.focus()
    opened.keyboard.press("ArrowRight")
    opened.wait_for_url("**node=**")
    idle(opened)
    assert title(opened) in opened.locator(".corpus-map-root .live").inner_text()
    opened.keyboard.press("Escape")
    opened.wait_for_url(lambda url: "node=" not in url)
    idle(opened)
    table = opened.locator(".st-key-map_regions [data-testid=stDataFrame]").first
    table.scroll_into_view_if_needed()
    still(table).click(position={"x": 12, "y": 35 + 35 * 1 + 17})
    opened.wait_for_url("**region=**")
    idle(opened)
    assert title(opened) != "The whole corpus"


def test_a_retrieval_is_played_over_the_map(opened: Any) -> None:
    opened.get_by_role("button", name="Retrieval").click()
    opened.get_by_role("combobox", name="Question").click()
    opened.locator("[role=option]").first.click()
    bar = opened.locator(".corpus-map-root .walk")
    bar.wait_for()
    idle(opened)
    opened.keyboard.press("Escape")
    opened.evaluate(
        "() => { const { replay } = globalThis.__hopMap; replay.pause(); replay.go(99); }"
    )
    assert "gold passages among them" in bar.inner_text()
    assert opened.evaluate("() => globalThis.__hopMap.replay.walk.gold.length") > 0


def test_a_large_map_draws_few_nodes_at_any_view(page: Any, opened: Any) -> None:
    """The sample as if it were too large to be drawn whole."""
    largest = """most => {
        const map = globalThis.__hopMap, { tree } = map, found = [];
        for (const region of tree.regions) {
            map.fly(-region.number - 1);
            for (const scale of [0.3, 1, 3, 8]) {
                map.network.moveTo({ position: { x: region.x, y: region.y }, scale });
                found.push(map.nodesAt(map.look(), most).length);
            }
        }
        return Math.max(...found);
    }"""
    assert page.evaluate(largest, 60) <= 60


def test_a_connection_of_regions_tells_its_edges_on_hover(opened: Any) -> None:
    """The sample as if its regions were drawn, not its passages."""
    line = opened.evaluate("""() => {
        const map = globalThis.__hopMap, { tree } = map;
        map.nodes = tree.tops.map((top) => -top - 1);
        map.nodeItems.clear();
        map.nodeItems.add(map.nodes.map((node) => map.itemOf(node)));
        const own = { id: "one", from: map.nodes[0], to: map.nodes[1], edges: 1234 };
        map.connections = { all: 1, lines: [own] };
        map.connectionItems.clear();
        map.connectionItems.add(own);
        map.network.redraw();
        map.look();
        const [[x, y], [a, b]] = [map.onScreen(own.from), map.onScreen(own.to)];
        return [(x + a) / 2, (y + b) / 2, map.nameOf(own.from), map.nameOf(own.to)];
    }""")
    box = still(opened.locator(".corpus-map-root .stage")).bounding_box()
    opened.mouse.move(box["x"] + line[0], box["y"] + line[1])
    tip = opened.locator(".corpus-map-root .tip")
    tip.wait_for()
    assert tip.inner_text().split() == f"1,234 edges between {line[2]} and {line[3]}".split()
    # What it leads to may just have left the map, as when one flies on from a region.
    hovered = opened.evaluate("""() => {
        const map = globalThis.__hopMap, pen = map.stage.querySelector("canvas").getContext("2d");
        const line = { from: map.nodes[0], to: 0, edges: 3 };
        map.drawConnection(pen, line);
        map.hovered = line.from;
        map.update();
        return map.hovered;
    }""")
    assert hovered is None
