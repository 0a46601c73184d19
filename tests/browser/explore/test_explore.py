"""Explore in a real browser: the nearest are named, names cover nothing, a count opens in place."""

import re
from pathlib import Path
from typing import Any

from tests.browser.serving import Server, idle, still

COVERED = """() => {
    const box = (of) => of.getBoundingClientRect();
    const meet = (a, b) => a.left < b.right && b.left < a.right
        && a.top < b.bottom && b.top < a.bottom;
    const frame = globalThis.__hopExplorer.graph.frame;
    const all = (what) => [...frame.querySelectorAll(what)];
    const nodes = all(".node"), found = [], edge = 1;
    const wordsOf = (node) => {
        const range = document.createRange();
        range.selectNodeContents(node.querySelector(".name"));
        return range;
    };
    const points = all(".way:not(.hit)").flatMap((path) => {
        const to = path.getScreenCTM(), steps = Math.ceil(path.getTotalLength() / 6);
        return Array.from({ length: steps }, (_, i) => path.getPointAtLength(6 * i))
            .map((at) => at.matrixTransform(to));
    });
    const letters = new Map(nodes.map((node) => [node, [...wordsOf(node).getClientRects()].map(
        (at) => ({ left: at.left + edge, right: at.right - edge, top: at.top + 3,
            bottom: at.bottom - 3 }))]));
    const nameless = [];
    for (const node of nodes) {
        const words = node.textContent, own = letters.get(node);
        if (!own.some((line) => line.right > line.left)) nameless.push(words);
        const inside = ({ x, y }) => own.some((line) => x > line.left && x < line.right
            && y > line.top && y < line.bottom);
        if (points.some(inside)) found.push(["a line", words]);
        for (const other of nodes.filter((one) => one !== node)) {
            if (own.some((line) => meet(line, box(other.querySelector(".sign")))))
                found.push(["a node", words]);
            if (own.some((line) => letters.get(other).some((its) => meet(line, its))))
                found.push(["a name", words]);
        }
        const name = node.querySelector(".name"), text = name.lastChild;
        if (name.scrollWidth > name.clientWidth + 1) found.push(["cut", words]);
        for (const { index, 0: word } of text.textContent.matchAll(/[^\\s-]+/g)) {
            const part = document.createRange();
            part.setStart(text, index);
            part.setEnd(text, index + word.length);
            if (part.getClientRects().length > 1) found.push(["broken", word]);
        }
    }
    const rim = box(frame), far = [...nodes, ...all(".count"), ...all("h4")];
    for (const one of far) {
        const at = box(one);
        if (at.left < rim.left || at.right > rim.right || at.top < rim.top
            || at.bottom > rim.bottom) found.push(["the rim", one.textContent]);
    }
    const counts = all(".count").map(box);
    if (counts.some((count) => nodes.some((node) => meet(count, box(node)))))
        found.push(["a node", "a count"]);
    const cut = all("h4").filter((text) => text.scrollWidth > text.clientWidth);
    return { found, nameless, nodes: nodes.length, cut: cut.length };
}"""


NAMES = """() => [...globalThis.__hopExplorer.graph.frame.querySelectorAll(".node")].map((node) => {
    const { x, y, width, height } = node.getBoundingClientRect();
    return [node.dataset.node, x, y, width, height];
})"""
DRAWN = "() => globalThis.__hopExplorer?.graph.frame.querySelector('.node.is-centre')"
NEIGHBOUR = ".node.is-neighbour"


def go(page: Any, server: Server, path: str) -> None:
    page.goto(server.url + path)
    idle(page)
    if "passage=" in path:
        page.wait_for_function(DRAWN)
        still(page.locator(".explore .graph"))


def test_two_hops_can_be_read(page: Any, server: Server, sample: Path) -> None:
    go(page, server, "/explore?index=sample&passage=city-harrowgate&hops=2")
    for width, height in ((1440, 900), (1024, 768)):
        page.set_viewport_size({"width": width, "height": height})
        still(page.locator(".explore .graph"))
        told = page.evaluate(COVERED)
        assert told == {"found": [], "nameless": [], "nodes": told["nodes"], "cut": 0}
        assert 15 < told["nodes"] <= 31
    here = page.evaluate(NAMES)
    page.locator(NEIGHBOUR).first.click()
    page.wait_for_url("**node=**")
    idle(page)
    assert page.evaluate(NAMES) == here  # what is picked moves no name
    assert page.locator(".explore .tip").is_hidden()


def test_no_answer_of_a_search_moves_the_graph(page: Any, server: Server, sample: Path) -> None:
    address = "/explore?index=sample&passage=city-harrowgate"
    tops = []
    for wanted in ("", "&find=Harrowgate", "&find=goalkeeper+mother+mend", "&find=zeppelinx"):
        go(page, server, address + wanted)
        tops.append(page.locator(".explore .graph").bounding_box()["y"])
        tools = page.locator(".explore .tools").bounding_box()
        assert tools["y"] + tools["height"] <= 900
    assert max(tops) - min(tops) <= 1


def test_the_keys_are_listed_and_heard_on_the_page(page: Any, server: Server, sample: Path) -> None:
    go(page, server, "/explore?index=sample&passage=city-harrowgate")
    page.locator(".hop-title").click()
    page.keyboard.press("?")
    keys = page.locator(".explore dialog.keys")
    assert "Zoom in or out" in keys.inner_text()
    page.keyboard.press("Escape")
    assert keys.is_hidden()
    zoom = "() => globalThis.__hopExplorer.graph.zoom"
    page.keyboard.press("+")
    assert page.evaluate(zoom) > 1
    page.keyboard.press("f")
    assert page.evaluate(zoom) == 1
    field = page.locator(".st-key-explore_find input")
    field.focus()
    page.keyboard.type("?+f")
    assert (field.input_value(), keys.is_hidden(), page.evaluate(zoom)) == ("?+f", True, 1)


def test_the_page_has_keys_for_what_is_picked(page: Any, server: Server, sample: Path) -> None:
    go(page, server, "/explore?index=sample&passage=city-harrowgate&hops=1")
    page.keyboard.press("?")
    told = page.locator(".explore dialog.keys").inner_text()
    wanted = ("Expand it", "Collapse it", "Make it the centre", "Go back one step", "Search pas")
    assert [each for each in wanted if each not in told] == []
    page.keyboard.press("Escape")
    page.locator(NEIGHBOUR).first.click()
    page.wait_for_url("**node=**")
    idle(page)
    before = page.locator(".explore .node").count()
    page.keyboard.press("e")
    page.wait_for_url(re.compile("[?&]open="))
    idle(page)
    assert page.locator(".explore .node").count() > before
    page.keyboard.press("x")
    page.wait_for_url(lambda url: "open=" not in url)
    idle(page)
    assert page.locator(".explore .node").count() == before
    page.keyboard.press("m")
    page.wait_for_url(lambda url: "passage=city-harrowgate" not in url)
    idle(page)
    page.keyboard.press("b")
    page.wait_for_url("**passage=city-harrowgate**")
    idle(page)
    page.keyboard.press("/")
    page.keyboard.type("exm/b")
    assert page.locator(".st-key-explore_find input").input_value() == "exm/b"
    assert "city-harrowgate" in page.url


def test_a_count_opens_in_place(page: Any, server: Server, sample: Path) -> None:
    go(page, server, "/explore?index=sample&passage=city-harrowgate&hops=2")
    before = page.locator(".explore .node").count()
    page.locator(".explore .columns .count").first.click()
    page.wait_for_url(re.compile("[?&]open="))
    idle(page)
    assert page.locator(".explore .node").count() > before


def test_the_ground_lets_go_and_the_legend_lights(page: Any, server: Server, sample: Path) -> None:
    go(page, server, "/explore?index=sample&passage=city-harrowgate&hops=2&node=city-harrowgate")
    drawn = page.locator(".explore .columns .way:not(.hit)")
    page.locator(".explore .node.selected").wait_for()
    page.locator(".explore .node-columns").click(position={"x": 5, "y": 300})
    page.wait_for_url(lambda url: "node=" not in url)
    idle(page)
    assert page.locator(".explore .node.selected").count() == 0
    before = drawn.count()
    page.get_by_role("button", name="Edge across").click()
    assert drawn.count() > before
    assert page.locator(".explore .node.dim").count() > 0
    page.get_by_role("button", name="Edge across").click()
    assert drawn.count() == before
    page.locator(".explore .way.hit").first.dispatch_event("click")
    page.wait_for_url("**edge=**")
    idle(page)
    assert page.locator(".explore .way.is-selected").count() == 1


def test_back_undoes_one_thing_at_a_press(page: Any, server: Server, sample: Path) -> None:
    go(page, server, "/settings?index=sample")
    page.get_by_role("link", name="Explore").click()
    page.wait_for_url("**/explore**")
    idle(page)
    page.get_by_role("radio", name="Neighbourhood").click()
    page.wait_for_url("**view=**")
    page.locator(".st-key-explore_start_hub_0 button").click()
    page.wait_for_url("**passage=**")
    idle(page)
    page.locator(NEIGHBOUR).first.click()
    page.wait_for_url("**node=**")
    idle(page)
    for gone in ("node=", "passage=", "view=", "/explore"):
        assert gone in page.url
        page.go_back()
        page.wait_for_function("gone => !location.href.includes(gone)", arg=gone)
        idle(page)
    assert page.locator(".hop-title").inner_text() == "Settings"


def test_the_picture_and_the_page_show_what_the_screen_shows(
    page: Any, server: Server, sample: Path, tmp_path: Path
) -> None:
    go(page, server, "/explore?index=sample&passage=city-harrowgate&hops=2")
    shown = """() => [...globalThis.__hopExplorer.root.querySelectorAll(".node, .columns .way")]
        .map((one) => one.getAttribute("class")).sort()"""
    legend = """() => [...globalThis.__hopExplorer.root.querySelectorAll(".legend .entry")]
        .map((entry) => entry.textContent)"""
    here, entries = page.evaluate(shown), page.evaluate(legend)
    with page.expect_download() as picture:
        page.locator(".explore .tools").get_by_text("PNG").click()
    assert picture.value.suggested_filename.endswith(".png")
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Web page").click()
    file = tmp_path / "graph.html"
    saved.value.save_as(file)
    other = page.context.browser.new_page(viewport={"width": 1440, "height": 900})
    other.goto(file.as_uri())
    other.wait_for_function(DRAWN)
    assert other.evaluate(shown) == here
    assert other.evaluate(legend) == entries
    other.close()
