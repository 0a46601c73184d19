"""The evidence stage has room for all that it shows, and says what its data says.

The pages are files: what a server would do to them is in the journeys.
"""

from typing import Any

import pytest

from core.glossary import GLOSSARY
from tests.browser.walkthrough.story_pages import (
    BACKWARDS,
    BOTH,
    BOXES,
    CHAIN_BREAKS,
    PLAYER,
    RETRIEVERS,
    SIZES,
    TROUBLES,
    resize,
    stops,
)


@pytest.mark.parametrize("name", RETRIEVERS)
def test_everything_has_room(opened: Any, name: str) -> None:
    """Forward in the light, and back in the dark."""
    page = opened(name, place="#step=1")
    for size in SIZES:
        resize(page, size)
        page.keyboard.press("Home")
        for light, key in (("light", "ArrowRight"), ("dark", "ArrowLeft")):
            page.emulate_media(color_scheme=light)
            for _ in range(stops(page)):
                assert page.evaluate(TROUBLES) == [], size
                page.keyboard.press(key)


def test_words_that_a_headline_names_are_seen(opened: Any) -> None:
    page = opened("hoprag-coverage", place="#step=1&every=1")
    named = page.locator(".candidate.named .body")
    for size in BOTH:
        resize(page, size)
        page.keyboard.press("Home")
        seen = 0
        for _ in range(stops(page)):
            for height, shown in named.evaluate_all(
                "all => all.map((of) => [of.scrollHeight, of.clientHeight])"
            ):
                assert height <= shown + 2, size
                seen += 1
            page.keyboard.press("ArrowRight")
        assert seen, size


def test_the_first_candidate_is_never_left_out(opened: Any) -> None:
    """It is the one that the headline names."""
    page = opened(BACKWARDS, place="#step=1")
    page.keyboard.press("p")
    for size in BOTH:
        resize(page, size)
        page.keyboard.press("Home")
        for _ in range(stops(page)):
            candidates = page.evaluate(f"{PLAYER}.view.stop.candidates")
            if candidates:
                first = page.locator("li.candidate .card").first
                assert first.get_attribute("data-node") == candidates[0]["card"]["node"], size
            page.keyboard.press("ArrowRight")


def test_a_chain_says_whole_why_evidence_is_missed(opened: Any) -> None:
    page = opened(CHAIN_BREAKS, place="#step=end")
    missed = page.locator(".chain .step.gap p")
    for size in BOTH:
        resize(page, size)
        assert missed.count(), size
        for reason in missed.all():
            assert reason.evaluate("(one) => one.scrollHeight <= one.clientHeight + 1"), size


def test_a_chain_that_breaks_still_begins_with_the_question(opened: Any) -> None:
    page = opened(CHAIN_BREAKS, place="#step=end")
    page.keyboard.press("p")
    for size in BOTH:
        resize(page, size)
        assert page.locator(".chain .card.kind-query").is_visible(), size
        assert page.locator(".chain .card.via").count() == 2, size
        assert page.evaluate(TROUBLES) == [], size


def test_gold_that_has_no_room_is_counted_and_what_is_lost_comes_first(opened: Any) -> None:
    page = opened(CHAIN_BREAKS, "small", place="#step=end")
    page.evaluate(f"""() => {{
      const {{ data }} = {PLAYER};
      data.gold = Array(4).fill(data.gold).flat();
      {PLAYER}.change({{}});
    }}""")
    chips = page.locator(".gold-status li:not(.more)")
    shown = chips.count()
    assert page.locator(".gold-status .more").inner_text() == f"+{8 - shown}"
    assert "lost" in chips.first.get_attribute("class")
    bottom = page.locator(".gold-status").evaluate("of => of.getBoundingClientRect().bottom")
    assert all(
        chips.nth(number).evaluate("of => of.getBoundingClientRect().bottom") <= bottom + 1
        for number in range(shown)
    )


def test_a_fold_counts_the_steps_that_it_does_not_list(opened: Any) -> None:
    page = opened(CHAIN_BREAKS, place="#step=1")
    unlisted = 0
    for size in BOTH:
        resize(page, size)
        page.keyboard.press("Home")
        for _ in range(stops(page)):
            fold = page.locator(".card.fold")
            if fold.count():
                steps = int(fold.locator("h4").inner_text().split()[0])
                more = fold.locator("li.more")
                left = int(more.inner_text().split()[0]) if more.count() else 0
                assert fold.locator("li button").count() + left == steps, size
                unlisted += left
            page.keyboard.press("ArrowRight")
    assert unlisted


def test_the_ranking_has_its_figures_in_every_window(opened: Any) -> None:
    page = opened("hoprag-similarity", place="#step=5")
    figures = page.locator(".ranking .row > b")
    for size in BOTH:
        resize(page, size)
        assert figures.count(), size
        assert all(figures.nth(number).is_visible() for number in range(figures.count())), size


def test_both_scores_of_an_edge_that_is_not_followed_have_names(opened: Any) -> None:
    """The edge's stands beside its question, the passage's in the reason."""
    page = opened("hoprag-coverage", place="#step=1&every=1")
    seen = 0
    for _ in range(stops(page)):
        for row in page.locator("li.candidate.not_followed", has_text="cut-off").all():
            assert row.locator(".score").inner_text().startswith("edge")
            assert row.locator(".why").inner_text().startswith("passage score ")
            seen += 1
        for part in page.locator(".parts-key .term").all():
            assert part.get_attribute("title")
        page.keyboard.press("ArrowRight")
    assert seen


def test_nothing_is_called_unscored_above_scores(opened: Any) -> None:
    page = opened("ircot", place="#step=1&every=1")
    scored = 0
    for _ in range(stops(page)):
        data, stop = page.evaluate(f"[{PLAYER}.data, {PLAYER}.view.stop]")
        if data["rankings"][stop["ranking"]]["rows"] and not stop["helpfulness"]:
            assert page.get_by_text("No scores yet").count() == 0
            scored += 1
        page.keyboard.press("ArrowRight")
    assert scored


def test_pages_of_a_chain_are_turned_back(opened: Any) -> None:
    page = opened("hoprag-similarity, long 0", "enlarged", place="#step=end")
    page.keyboard.press("p")
    first = page.evaluate(BOXES)
    told = page.locator(".chain .pages")
    assert told.inner_text().startswith("Passage")
    page.keyboard.press("ArrowRight")
    assert page.evaluate(BOXES) != first
    page.keyboard.press("ArrowLeft")
    assert page.evaluate(BOXES) == first
    page.keyboard.press("ArrowLeft")
    assert told.count() == 0
    page.keyboard.press("End")
    assert page.evaluate(BOXES) == first


def test_what_the_stage_says_is_what_its_data_says(opened: Any) -> None:
    """Sums, ranks, and the edge questions of candidates; a click has the passage in full."""
    page = opened("hoprag-similarity", place="#step=1&every=1")
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    data = page.evaluate(f"{PLAYER}.data")
    stop = page.evaluate(f"{PLAYER}.view.stop")
    row = stop["helpfulness"]["row"]
    assert page.locator(".sum .total b").inner_text() == f"{row['score']:.3f}"
    first = page.locator(".ranking .row").first
    best = data["rankings"][stop["ranking"]]["rows"][0]
    assert first.locator(".name").inner_text() == data["nodes"][best["node"]]["title"]
    score = data["rankings"][stop["ranking"]]["cut_off_score"]
    cut = page.locator(".ranking .cut")
    assert cut.inner_text() == f"cut-off after this step · {score:.3f}"
    page.locator(".card.as-here").click()
    node = data["nodes"][stop["here"]["node"]]
    text = " ".join("".join(piece for piece, _ in one["pieces"]) for one in node["sentences"])
    assert " ".join(page.locator(".details .body").inner_text().split()) == " ".join(text.split())
    page.keyboard.press("Escape")
    assert page.locator(".details").count() == 0


def test_headings_tell_what_they_mean(opened: Any) -> None:
    page = opened("hoprag-similarity", place="#step=5")
    for heading, key in (("Queue", "queue"), ("Helpfulness", "helpfulness")):
        meaning = page.get_by_text(heading, exact=True).first.get_attribute("title")
        assert meaning == GLOSSARY[key].told
    hop = page.locator(".round [title]")
    assert hop.inner_text().startswith("Hop")
    assert hop.get_attribute("title") == GLOSSARY["hop"].told


def test_an_edge_that_is_walked_backwards_says_so(opened: Any) -> None:
    """Of candidates, of the edge that leads to the current passage, and in the chain."""
    page = opened(BACKWARDS, place="#step=1&every=1")
    against = f"""([edge, node]) => {PLAYER}.data.edges[edge].source === node"""
    for size in BOTH:
        resize(page, size)
        page.keyboard.press("Home")
        seen = set[bool]()
        for _ in range(stops(page)):
            for row in page.locator("li.candidate[data-edge]").all():
                node = row.locator(".card").get_attribute("data-node")
                expected = page.evaluate(against, [row.get_attribute("data-edge"), node])
                assert ("backwards" in row.locator(".score").inner_text()) == expected
                seen.add(expected)
            stop = page.evaluate(f"{PLAYER}.view.stop")
            led = page.locator(".came-from .edge")
            if stop["arrived_by"] and led.is_visible():
                expected = page.evaluate(against, [stop["arrived_by"], stop["here"]["node"]])
                assert ("walked backwards" in led.inner_text()) == expected
            page.keyboard.press("ArrowRight")
        assert seen == {True, False}
        chain = page.evaluate(f"{PLAYER}.view.stop.chain")
        led = [
            link["edge"] and page.evaluate(against, [link["edge"], card["node"]])
            for link, card in zip(chain["links"][:-1], chain["cards"][1:], strict=True)
        ]
        assert any(led)
        said = page.locator(".chain .step", has_text="walked backwards")
        assert said.count() == led.count(True)


def test_the_current_stop_can_be_read_under_the_pointer(opened: Any) -> None:
    page = opened("hoprag-similarity", place="#step=5")
    here = page.locator(".timeline [aria-current]")
    for light in ("light", "dark"):
        page.emulate_media(color_scheme=light)
        page.mouse.move(0, 0)
        before = here.evaluate("of => getComputedStyle(of).color")
        here.hover()
        assert here.evaluate("of => getComputedStyle(of).color") == before
