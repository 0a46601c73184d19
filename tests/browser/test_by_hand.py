"""A walk is changed by hand, replayed with other settings, and left as it was."""

import json
import re
from pathlib import Path
from typing import Any

from PIL import Image

from core.marks import Marks
from core.traces import load
from tests.browser.serving import Server, idle
from tests.browser.test_journeys import QUESTION, go, walkthrough

WALK = "hoprag-similarity(top_k=5)"


def test_an_edge_is_taken_by_hand_and_left_again(page: Any, server: Server, sample: Path) -> None:
    go(page, server, f"/trace?index=sample&q={QUESTION}&retriever={WALK}&t=6&grain=event")
    walkthrough(page)
    page.locator(".walkthrough .candidate.not_followed .edge").first.click()
    page.locator(".walkthrough .details").get_by_role("button", name="Follow it").click()
    page.wait_for_url(re.compile(r"[?&]amend=take%28"))
    page.locator(".walkthrough .by", has_text="changed by hand").wait_for(state="attached")
    page.locator(".st-key-by_hand").get_by_text("reached").wait_for()
    idle(page)
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save the trace").click()
    data = Path(saved.value.path()).read_bytes()
    assert len(load(data).amendments) == 1
    assert json.loads(data.splitlines()[0])["amendments"]
    page.get_by_role("radio", name="What changed").click()
    page.locator("dialog.difference").wait_for()
    page.get_by_role("columnheader", name="Edited by hand").wait_for()
    page.get_by_role("radio", name="Walkthrough", exact=True).last.click()
    walkthrough(page)
    page.locator("[data-testid=stCheckbox]", has_text="Replay with other settings").click()
    page.get_by_text("without a model: as asked").wait_for()
    page.get_by_role("slider", name="seeds").press("ArrowRight")
    page.get_by_text("seeds 1 instead of 5").wait_for()
    page.locator(".st-key-by_hand_0 button").first.click()
    page.wait_for_url(lambda url: "amend=" not in url)
    page.locator(".walkthrough .by", has_text=re.compile(r"similarity\)$")).wait_for(
        state="attached"
    )


PLAYER = "globalThis.__hopWalkthrough"
STARRED = f"([passage, on]) => Boolean({PLAYER}.data.nodes[passage].gold.length) === on"


def marks_shown(tab: Any, passage: str, on: bool) -> None:
    """Wait until the walkthrough of `tab` has it, or not, as gold."""
    tab.wait_for_function(STARRED, arg=[passage, on])


def test_what_is_unmarked_in_two_tabs_stays_so_until_it_is_undone(
    page: Any, server: Server, sample: Path
) -> None:
    path = f"/trace?index=sample&q={QUESTION}&retriever=bm25"
    go(page, server, path)
    walkthrough(page)
    act = f"([id, gold]) => {PLAYER}.mark(id, gold)"
    mine, given = page.evaluate(
        f"""() => [!1, !0].map((gold) => Object.entries({PLAYER}.data.nodes)
            .find(([, one]) => one.kind === "passage" && Boolean(one.gold.length) === gold)[0])"""
    )
    page.evaluate(act, [mine, True])
    marks_shown(page, mine, True)
    note = f"passage => {PLAYER}.data.nodes[passage].gold_note"
    was = page.evaluate(note, given)
    other = page.context.new_page()
    other.goto(server.url + path)
    walkthrough(other)
    other.evaluate(act, [mine, False])
    marks_shown(other, mine, False)
    both = f"(all) => all.forEach((id) => {PLAYER}.mark(id, false))"
    page.evaluate(both, [mine, given])
    for wait in (0, 3000):
        page.wait_for_timeout(wait)
        idle(page)
        for passage in (mine, given):
            marks_shown(page, passage, False)
    kept = Marks(sample).all()
    assert [(mark.passage, mark.gold) for mark in kept] == [(given, False)]
    page.locator(".remark").get_by_role("button", name="Undo").click()
    marks_shown(page, given, True)
    assert page.evaluate(note, given) == was
    assert Marks(sample).all() == []


def test_a_place_gone_to_stays_when_the_page_runs_again(
    page: Any, server: Server, sample: Path
) -> None:
    """The page knows the address that it was opened with."""
    go(page, server, f"/trace?index=sample&q={QUESTION}&retriever={WALK}&stop=1")
    walkthrough(page)
    page.locator(".walkthrough .place").click()
    page.keyboard.press("End")
    passage = page.evaluate(f"{PLAYER}.data.rankings.at(-1).rows[2].node")
    starred = page.evaluate(f"at => {PLAYER}.data.nodes[at].gold.length > 0", passage)
    page.evaluate(f"([at, on]) => {PLAYER}.mark(at, on)", [passage, not starred])
    marks_shown(page, passage, not starred)
    idle(page)
    assert page.evaluate(f"{PLAYER}.view.stop.kind") == "chain"
    assert "step=end" in page.url
    assert "stop=1" not in page.url


def test_a_walkthrough_is_saved_as_a_gif_of_its_stops(
    page: Any, server: Server, sample: Path
) -> None:
    go(page, server, f"/trace?index=sample&q={QUESTION}&retriever={WALK}")
    walkthrough(page)
    stops = page.evaluate(f"{PLAYER}.data.audience.length")
    place = page.locator(".walkthrough .place").inner_text()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as GIF").click()
    assert saved.value.suggested_filename.endswith(".gif")
    with Image.open(saved.value.path()) as picture:
        assert picture.n_frames == stops
        assert picture.width >= 600
        shown = []
        for number in range(stops):
            picture.seek(number)
            shown.append(picture.convert("L").resize((64, 48)).tobytes())
            assert picture.info["duration"] >= 1500
    assert len(set(shown)) > stops // 2
    assert page.locator(".walkthrough .place").inner_text() == place
