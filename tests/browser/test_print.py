"""A page on paper: white, whole and without what is pressed, whatever the theme of the screen."""

from pathlib import Path
from typing import Any

import pytest

from tests.browser.errors.errors_page import measured
from tests.browser.serving import Server, idle
from tests.estmark import suggested

A4 = 794  # CSS pixels wide
CONTROLS = (
    ":is(button:not(.hop-case), input, textarea, [role=combobox], [role=slider], "
    "[data-testid=stSidebar], [data-testid=stHeader], .st-key-hop_search):visible"
)
PASSAGES = "[class*='st-key-evidence_'] button:visible"  # names beside their evidence
HELP = ":is([data-testid=stSkipToContent], [data-testid=stTooltipIcon]):visible"
WHITE, INK = "rgb(255, 255, 255)", "rgb(27, 34, 40)"
TROUBLES = """() => {
    const UNSEEN = ".live, .hop-whole, .hop-arrival"; // the strip of an arrival is cut by design
    const troubles = [], within = (root) => {
        for (const one of root.querySelectorAll("*")) {
            if (one.shadowRoot) within(one.shadowRoot);
            const box = one.getBoundingClientRect();
            if (!box.width || !box.height || one.closest(UNSEEN)) continue;
            const name = `${one.tagName} ${one.getAttribute("class")}`;
            if (box.left < -1 || box.right > innerWidth + 1) troubles.push(`beside it: ${name}`);
            const { overflowY } = getComputedStyle(one);
            const hides = overflowY !== "visible" && one.scrollHeight > one.clientHeight + 2;
            if (hides && box.height > 2) troubles.push(`cut: ${name}`);
        }
    };
    within(document.querySelector("[data-testid=stMainBlockContainer]"));
    return troubles;
}"""


@pytest.mark.parametrize("place", ["trace", "errors"])
def test_a_page_prints_whole_on_white(page: Any, server: Server, sample: Path, place: str) -> None:
    page.emulate_media(color_scheme="dark")
    about = f"trace?index=sample&q={suggested()[0]}&step=4"
    if place == "errors":
        measured(server, "Printed", "printed")
        about = "errors?index=printed"
    page.goto(f"{server.url}/{about}")
    page.locator(".walkthrough .headline").wait_for()
    idle(page)
    page.set_viewport_size({"width": A4, "height": 1123})
    page.emulate_media(media="print", color_scheme="dark")
    page.locator(".walkthrough:not(.dark)").wait_for()
    assert page.locator(CONTROLS).count() == page.locator(PASSAGES).count()
    assert page.locator(HELP).count() == 0
    assert page.evaluate(TROUBLES) == []
    for ground in ("html", "body", ".stApp", "[data-testid=stMain]"):
        assert _style(page, ground, "backgroundColor") == WHITE, ground
    for text in (".hop-title", ".walkthrough .headline"):
        assert _style(page, text, "color") == INK, text
        box = page.locator(text).bounding_box()
        assert box["y"] < A4 / 2, f"{text} is at the top of the first page"
    if place == "errors":
        assert page.locator(".hop-case:visible").count() > 0


def _style(page: Any, selector: str, name: str) -> str:
    found = page.locator(selector).first.evaluate(
        "(one, name) => getComputedStyle(one)[name]", name
    )
    return str(found)
