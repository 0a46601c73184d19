"""Explore in a real browser: the nearest are named, names cover nothing, a count opens in place."""

import re
from pathlib import Path
from typing import Any

from tests.browser.serving import Server, idle

COVERED = """() => {
    const box = (of) => of.getBoundingClientRect();
    const meet = (a, b) => a.left < b.right && b.left < a.right
        && a.top < b.bottom && b.top < a.bottom;
    const seen = (of) => getComputedStyle(of).display !== "none";
    const svg = globalThis.__hopExplorer.drawing.svg;
    const all = (what) => [...svg.querySelectorAll(what)].filter(seen);
    const names = all(".label"), nodes = all(".node"), found = [];
    const points = all(".line").flatMap((line) => {
        const path = line.querySelector(".stroke"), to = path.getScreenCTM();
        const steps = Math.ceil(path.getTotalLength() / 6);
        return Array.from({ length: steps }, (_, i) => path.getPointAtLength(6 * i))
            .map((at) => at.matrixTransform(to));
    });
    for (const name of names) {
        const text = name.querySelector("text:last-child"), at = box(text);
        const words = text.textContent;
        // The box of a text is taller than its letters.
        const letters = { left: at.left + 1, right: at.right - 1, top: at.top + 3 };
        letters.bottom = at.bottom - 3;
        const inside = ({ x, y }) => x > letters.left && x < letters.right
            && y > letters.top && y < letters.bottom;
        if (points.some(inside)) found.push(["a line", words]);
        if (nodes.some((node) => node.dataset.node !== name.dataset.of
            && meet(letters, box(node.querySelector(".body"))))) found.push(["a node", words]);
        if (names.some((other) => other !== name
            && meet(letters, box(other.querySelector("text")))))
            found.push(["a name", words]);
    }
    const named = new Set(names.map((name) => name.dataset.of));
    const nameless = all(".node").map((node) => node.dataset.node).filter((of) => !named.has(of));
    const frame = box(svg), far = [...names, ...nodes, ...all(".group"), ...all(".band text")];
    for (const one of far.map((of) => of.matches(".node") ? of.querySelector(".body") : of)) {
        const at = box(one);
        if (at.left < frame.left || at.right > frame.right || at.top < frame.top
            || at.bottom > frame.bottom) found.push(["the rim", one.textContent]);
    }
    const groups = all(".group").map(box);
    const bodies = nodes.map((node) => box(node.querySelector(".body")));
    const over = groups.some((group) => bodies.some((body) => meet(group, body)));
    if (over) found.push(["a node", "a count"]);
    const cut = all(".band text").filter((text) => text.textContent.endsWith("…"));
    return { found, nameless, nodes: nodes.length, cut: cut.length };
}"""


NAMES = """() => [...globalThis.__hopExplorer.drawing.labelled].map(([i, { x, y }]) => [i, x, y])"""
DRAWN = "() => globalThis.__hopExplorer?.drawing.svg.querySelector('.label.current')"


def go(page: Any, server: Server, path: str) -> None:
    page.goto(server.url + path)
    idle(page)
    if "passage=" in path:
        page.wait_for_function(DRAWN)
        page.wait_for_timeout(200)


def test_two_hops_can_be_read(page: Any, server: Server, sample: Path) -> None:
    go(page, server, "/explore?index=sample&passage=city-harrowgate&hops=2")
    for width, height in ((1440, 900), (1024, 768)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(200)
        told = page.evaluate(COVERED)
        assert told == {"found": [], "nameless": [], "nodes": told["nodes"], "cut": 0}
        assert 15 < told["nodes"] <= 31
    here = page.evaluate(NAMES)
    page.locator("[data-node='1']").click()
    page.wait_for_url("**node=**")
    idle(page)
    assert page.evaluate(NAMES) == here  # what is picked moves no name
    assert page.locator(".explore .hovered").is_hidden()


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
    keys = page.locator(".explore dialog.help")
    assert "Make the drawing larger or smaller." in keys.inner_text()
    page.keyboard.press("Escape")
    assert keys.is_hidden()
    zoom = "() => globalThis.__hopExplorer.drawing.zoom"
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
    told = page.locator(".explore dialog.help").inner_text()
    wanted = ("Expand it", "Collapse it.", "Make it the centre.", "Go back one step.", "Search pas")
    assert [each for each in wanted if each not in told] == []
    page.keyboard.press("Escape")
    page.locator("[data-node='1']").click()
    page.wait_for_url("**node=**")
    idle(page)
    before = page.locator(".drawing .node").count()
    page.keyboard.press("e")
    page.wait_for_url(re.compile("[?&]open="))
    idle(page)
    assert page.locator(".drawing .node").count() > before
    page.keyboard.press("x")
    page.wait_for_url(lambda url: "open=" not in url)
    idle(page)
    assert page.locator(".drawing .node").count() == before
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
    before = page.locator(".drawing .node").count()
    page.locator(".drawing .group:not(.off)").first.click()
    page.wait_for_url(re.compile("[?&]open="))
    idle(page)
    assert page.locator(".drawing .node").count() > before


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
    page.locator("[data-node='1']").click()
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
    shown = """() => [...globalThis.__hopExplorer.root.querySelectorAll(".node, .line:not(.off)")]
        .map((one) => one.getAttribute("class")).sort()"""
    legend = """() => [...globalThis.__hopExplorer.root.querySelectorAll(".legend .entry")]
        .map((entry) => entry.textContent)"""
    here, entries = page.evaluate(shown), page.evaluate(legend)
    with page.expect_download() as picture:
        page.locator(".tool-png").click()
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
