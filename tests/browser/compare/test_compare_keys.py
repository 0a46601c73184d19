"""Where the keys are on the Compare page: they stay when it is drawn anew, and find its columns."""

from pathlib import Path
from typing import Any
from urllib.parse import quote

from tests.browser.compare.test_compare_stage import BURIED
from tests.browser.serving import Server, idle

# What has the keys, within components too.
HERE = """() => {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return [at?.tagName ?? "", at?.getAttribute("class") ?? "", at?.textContent.trim() ?? ""];
}"""
CARD = ".st-key-compare_hit_{}_column button:visible"


def here(page: Any) -> tuple[str, str, str]:
    tag, kind, text = page.evaluate(HERE)
    return tag, kind, text


def opened(page: Any, server: Server, keys: str, rest: str = "") -> None:
    page.set_viewport_size({"width": 1024, "height": 768})
    page.goto(f"{server.url}/compare?index=sample&q={quote(BURIED)}&with={keys}{rest}")
    page.locator(".hop-col-head, .difference .node").first.wait_for(timeout=90_000)
    idle(page)


def pressed(page: Any, key: str, then: str) -> None:
    """Press it, and wait until the keys are in what is `then`."""
    page.keyboard.press(key)
    page.wait_for_function(f"(then) => ({HERE})().join(' ').includes(then)", arg=then)
    idle(page)


def test_keys_stay_where_they_were_when_a_key_draws_the_page_anew(
    page: Any, server: Server, sample: Path
) -> None:
    opened(page, server, "hoprag-coverage,bm25,dense")
    page.wait_for_function(
        "() => document.querySelectorAll('.st-key-compare_hit_1_column [tabindex=\"-1\"]').length"
    )
    page.locator(CARD.format(1)).nth(1).focus()
    card = here(page)
    assert card[2].startswith("2.")
    question = page.locator(".st-key-ask_question input").input_value()
    page.keyboard.press("]")
    page.wait_for_function(
        "(was) => document.querySelector('.st-key-ask_question input').value !== was", arg=question
    )
    idle(page)
    pressed(page, "[", card[2])
    pressed(page, "d", "node ")
    first = page.locator(".st-key-compare_next").inner_text()
    page.keyboard.press("n")
    page.wait_for_function(
        "(was) => document.querySelector('.st-key-compare_next').innerText !== was", arg=first
    )
    idle(page)
    assert here(page)[1].startswith("node ")
    pressed(page, "d", card[2])  # the columns have them where they were


def test_a_link_leads_past_the_row_to_what_is_compared(
    page: Any, server: Server, sample: Path
) -> None:
    for show, told in (("", "Skip to the columns"), ("&show=difference", "Skip to the graph")):
        opened(page, server, "hoprag-coverage,bm25", show)
        link = page.get_by_role("link", name=told)
        link.focus()
        box = link.bounding_box()
        assert box["x"] >= 0
        assert box["y"] >= 0
        address = page.url
        page.keyboard.press("Enter")
        tag, kind, text = here(page)
        assert kind.startswith("node ") if show else (tag, text.split(".")[0]) == ("BUTTON", "1")
        assert page.url == address


def test_of_several_pairs_an_audience_sees_which_this_is(
    page: Any, server: Server, sample: Path
) -> None:
    page.set_viewport_size({"width": 1024, "height": 768})
    page.goto(
        f"{server.url}/compare?index=sample&q={quote(BURIED)}&with=hoprag-coverage,bm25,dense"
        "&show=difference&pair=hoprag-coverage,dense&present=1"
    )
    film = page.locator("dialog.difference.presenting")
    film.wait_for(timeout=90_000)
    assert film.locator(".sides .pair").inner_text() == "pair 2 of 3"
