"""The evidence stage in a browser: one picture per stop by any route, with room for all that it
shows, at two sizes and enlarged, in both lights, for retrievers of every kind.

The pages are files: what a server would do to them is in the journeys.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from core.artefacts.workbench import Workbench
from core.glossary import GLOSSARY
from core.marks import gold_of
from core.models.embedder import load_embedder
from core.retrievers import Spec, make
from core.settings import settings
from core.shipping.sample import NAME as SAMPLE
from core.shipping.sample import install
from core.store.index import Index
from core.traces import record
from core.walkthroughs.making import make_walkthrough
from core.walkthroughs.story import story

RETRIEVERS = (
    "bm25",
    "dense",
    "hybrid",
    "hoprag-similarity",
    "hoprag-coverage",
    "ircot",
    "treehop",
    "rerank(over=hoprag-coverage,depth=40)",
)
AUDIENCE = ("bm25", "hoprag-similarity", "ircot")
BACKWARDS = "hoprag-coverage, backwards"
COMES_BACK = "How heavy was the Dunlin lander when it touched down on Mars?"
"""A question of the sample to whose evidence an edge is walked backwards."""
CHAIN_BREAKS = "hoprag-similarity, lost"
LOST = (
    "On what kind of ward does the goalkeeper whose save decided the 1998 Lantern Cup final work "
    "today?"
)
"""A question of the sample whose evidence is lost behind two passages on the path."""
LONGEST = 3  # questions of the product's sample, those with the longest evidence
SIZES = {"large": (1440, 900, 1), "small": (1024, 768, 1), "enlarged": (1440, 900, 2)}
PLAYER = "globalThis.__hopWalkthrough"
BOXES, TROUBLES, SMALLEST = "boxes()", "troubles()", "smallestLetter()"
GRAPH_TROUBLES = "graphTroubles()"
NODES = (
    """Object.fromEntries(Object.entries(boxes()).filter(([key]) => key.startsWith("graph:")))"""
)
FRAMES = """async () => {
    for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
}"""
"""Waits until a page has seen its new size and is drawn anew."""
BOTH = ("large", "small")
PROBES = Path(__file__).with_name("walkthrough_probes.js")


@pytest.fixture(scope="module")
def stories(sample_index: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A page for each retriever, of the first question; also of those with the longest evidence."""
    folder = tmp_path_factory.mktemp("stories")
    own = tmp_path_factory.mktemp("indexes")
    assert install(own, "")
    embedder = load_embedder(settings().embedder)
    bench = Workbench(Index.open(sample_index), embedder)
    sample = Workbench(Index.open(own / SAMPLE), embedder)
    wanted = {name: (name, bench, bench.index.questions[0].text) for name in RETRIEVERS}
    for place, question in enumerate(longest(sample.index)):
        wanted |= {f"{name}, long {place}": (name, sample, question) for name in AUDIENCE}
    wanted[CHAIN_BREAKS] = ("hoprag-similarity", sample, LOST)
    wanted[BACKWARDS] = ("hoprag-coverage", sample, COMES_BACK)
    made = {}
    for number, (key, (name, held, question)) in enumerate(wanted.items()):
        trace = record(make(Spec.parse(name), held), question, held.index)
        walkthrough = make_walkthrough(trace, gold_of(held.index, question), held.index)
        made[key] = folder / f"{number}.html"
        made[key].write_bytes(story(walkthrough))
        assert made[key].stat().st_size < 1_500_000
    return made


def longest(index: Index) -> list[str]:
    """Return the questions of an index whose evidence is longest."""

    def letters(question: str) -> int:
        return sum(len(one.text) for one in gold_of(index, question).evidence.values())

    return sorted((one.text for one in index.questions), key=letters, reverse=True)[:LONGEST]


@pytest.fixture(scope="module")
def offline(browser: Any) -> Iterator[Any]:
    """A window for all pages: one of its own would load and compile all scripts for each page.

    Its first tab stays, and with it the process in which they are compiled.
    """
    context = browser.new_context(reduced_motion="reduce", offline=True)
    context.add_init_script(path=PROBES)
    context.new_page().goto(PROBES.as_uri())
    yield context
    context.close()


def resize(page: Any, size: str, *, less: int = 0) -> None:
    """Give a page one of `SIZES`, its height reduced by `less`, and wait until it is drawn anew."""
    width, height, zoom = SIZES[size]
    screen = {"width": width // zoom, "height": height // zoom - less}
    page.devtools.send(
        "Emulation.setDeviceMetricsOverride", screen | {"deviceScaleFactor": zoom, "mobile": False}
    )
    page.wait_for_function(
        "([w, h]) => innerWidth === w && innerHeight === h", arg=[*screen.values()]
    )
    page.evaluate(FRAMES)


@pytest.fixture
def opened(offline: Any, stories: dict[str, Path]) -> Iterator[Any]:
    """Opens the page of a retriever; no error may be told in the end, and nothing is kept."""
    pages, troubles = [], list[str]()

    def opened(name: str, size: str = "large", place: str = "") -> Any:
        page = offline.new_page()
        pages.append(page)
        page.devtools = offline.new_cdp_session(page)  # kept: its end would undo the size
        resize(page, size)
        page.emulate_media(color_scheme="light")
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("console", lambda message: troubles.append(message.text))
        page.goto(f"{stories[name].as_uri()}{place}")
        page.locator(".headline").wait_for()
        page.evaluate("() => document.fonts.ready")
        return page

    yield opened
    kept = [page.evaluate("localStorage.length + sessionStorage.length") for page in pages]
    for page in pages:
        page.close()
    assert troubles == []
    assert not any(kept)


def stops(page: Any) -> int:
    return page.evaluate(f"{PLAYER}.last + 1")


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


@pytest.mark.parametrize("name", ["hoprag-coverage", "ircot"])
def test_an_audience_reads_every_letter(opened: Any, name: str) -> None:
    page = opened(name, place="#step=1")
    page.keyboard.press("p")
    for size in BOTH:
        resize(page, size)
        page.keyboard.press("Home")
        for _ in range(stops(page)):
            assert page.evaluate(SMALLEST) >= 18, size
            assert page.evaluate(TROUBLES) == [], size
            page.keyboard.press("ArrowRight")


@pytest.mark.parametrize("long", range(LONGEST))
@pytest.mark.parametrize("name", AUDIENCE)
def test_an_audience_sees_the_whole_chain(opened: Any, name: str, long: int) -> None:
    """Whatever does not fit is on a next page; the answer is on each."""
    page = opened(f"{name}, long {long}", place="#step=end")
    page.keyboard.press("p")
    for size in BOTH:
        resize(page, size)
        page.keyboard.press("End")
        chain = page.evaluate(f"{PLAYER}.view.stop.chain")
        seen = list[str]()
        for number in range(int(page.locator(".picture").get_attribute("data-pages"))):
            if number:
                page.keyboard.press("ArrowRight")
            assert page.evaluate("brokenText()") == [], size
            assert page.evaluate(TROUBLES) == [], size
            assert page.evaluate(SMALLEST) >= 18, size
            assert page.locator(".chain .answer").is_visible()
            cards = page.locator(".chain .card[data-node]:visible")
            seen += cards.evaluate_all("all => all.map((of) => of.dataset.node)")
        query, *passages = (card["node"] for card in chain["cards"])
        assert [node for node in seen if node != query] == passages, size


def test_an_audience_sees_that_it_plays_and_how_much_of_a_stop_is_over(opened: Any) -> None:
    page = opened("bm25", place="#step=1")
    page.emulate_media(reduced_motion="no-preference")
    page.keyboard.press("p")
    sign, line = page.locator(".play-sign"), page.locator(".timeline [aria-current] .progress")
    assert (sign.count(), line.count()) == (0, 0)
    page.keyboard.press("Space")
    assert sign.get_attribute("aria-label") == "Playing"
    assert line.is_visible()
    page.keyboard.press("Space")
    assert sign.get_attribute("aria-label") == "Paused"
    assert line.count() == 0
    page.emulate_media(reduced_motion="reduce")
    page.keyboard.press("Space")
    assert sign.is_visible()
    assert line.count() == 0
    page.keyboard.press("ArrowRight")
    assert sign.count() == 0


FIX = "Seeds 5 instead of 20 (rank 13, 2 of 2 gold, works from 1 to 7, not at 8)"


def test_an_audience_reads_which_fix_retrieves_missed_gold(opened: Any) -> None:
    """The sentence wraps; changes are listed, without what speaks of the page below."""
    page = opened("bm25", "small", place="#step=end")
    page.keyboard.press("p")
    change = {"told": "Top k 71 instead of 20", "action": "Replay with this", "value": "1"}
    below = {"told": "A table below", "action": "", "value": "", "below": True}
    tell = f"""([fix, keeps]) => {{
      {PLAYER}.view.stop.notes = [`Smallest change that retrieves what was missed: ${{fix}}.`];
      {PLAYER}.change({{ keeps }});
    }}"""
    for changes in (3, 60):
        page.evaluate(tell, [FIX, [change] * changes + [below]])
        notes = page.locator(".notes")
        assert notes.inner_text().endswith(f"{FIX}.")
        width, shown = notes.evaluate("of => [of.scrollWidth, of.clientWidth]")
        assert width <= shown + 1
        assert page.evaluate(TROUBLES) == []
        assert page.locator(".fixes").is_visible() == (changes == 3)
        assert not page.locator(".fixes .below").is_visible()
        assert page.locator(".fixes button").count() == 0


@pytest.mark.parametrize("name", ["bm25", "ircot"])
def test_a_long_chain_and_its_fixes_do_not_overlap(opened: Any, name: str) -> None:
    """In the height that a page of the application leaves for them."""
    page = opened(f"{name}, long 0", place="#step=end")
    change = {"told": "Top k 71 instead of 20", "action": "Replay with this", "value": "1"}
    for size in BOTH:
        resize(page, size, less=200)
        for changes in ([], [change] * 6):
            page.evaluate(f"(keeps) => {PLAYER}.change({{ keeps }})", changes)
            assert page.evaluate("chainTroubles()") == [], size
            assert page.evaluate(TROUBLES) == [], size
        resize(page, size, less=-SIZES[size][1])
        page.locator(".map").wait_for()


def test_presenter_mode_searches_for_fixes_on_the_last_stop_by_itself(opened: Any) -> None:
    """The button is seen by nobody there; a fix must not depend on who pressed it before."""
    page = opened("bm25", "small", place="#step=end")
    look = {"told": "", "action": "What would retrieve it?", "value": "", "searches": True}
    page.evaluate(
        f"""(keeps) => {{
          globalThis.sent = [];
          {PLAYER}.hooks.send = (...what) => globalThis.sent.push(what);
          {PLAYER}.change({{ keeps }});
        }}""",
        [look],
    )
    page.get_by_role("button", name=look["action"]).wait_for()
    for key in ("Home", "p"):
        page.keyboard.press(key)
        assert page.evaluate("globalThis.sent") == []
    page.keyboard.press("End")
    page.wait_for_function("globalThis.sent.length")
    assert page.locator(".fixes").inner_text() == "Searching for a fix…"
    for key in ("ArrowLeft", "End"):
        page.keyboard.press(key)
    page.wait_for_timeout(100)
    assert page.evaluate("globalThis.sent") == [["keep", ""]]


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


@pytest.mark.parametrize("name", RETRIEVERS)
def test_the_graph_keeps_its_places(opened: Any, name: str) -> None:
    """Every node is in sight at every stop, where it is at all others."""
    page = opened(name, place="#step=1&view=graph")
    for size in SIZES:
        resize(page, size)
        page.keyboard.press("Home")
        places = page.evaluate(NODES)
        assert places, size
        for _ in range(stops(page)):
            assert page.evaluate(GRAPH_TROUBLES) == [], size
            assert page.evaluate(NODES) == places, size
            page.keyboard.press("ArrowRight")


def test_the_graph_shows_what_the_stage_does(opened: Any) -> None:
    page = opened("hoprag-similarity", place="#step=4&every=1")
    before = page.evaluate(BOXES)
    page.keyboard.press("g")
    assert "view=graph" in page.url
    data, states = page.evaluate(
        f"[{PLAYER}.data, {PLAYER}.data.states[{PLAYER}.view.stop.states]]"
    )
    drawn = [node for node in data["nodes"].values() if node["column"] >= 0]
    assert page.locator(".node").count() == len(drawn)
    assert page.locator(".ways .followed").count() == len(states["followed"])
    queued = [node for node, state in states["nodes"].items() if state == "queued"]
    assert page.locator(".node.is-queued").count() == len(queued)
    filter_ = page.locator(".filters .is-queued button")
    assert filter_.inner_text() == f"In the queue {len(queued)}"
    filter_.click()
    assert page.locator(".node:not(.off)").count() == len(queued)
    filter_.click()
    page.locator(".node.is-current").click()
    here = data["nodes"][page.evaluate(f"{PLAYER}.view.stop.here.node")]
    assert page.locator(".details h3").inner_text().endswith(here["title"])
    assert page.locator(".node.selected .name").inner_text() == here["title"]
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Names").click()
    names = page.locator(".node .name").all_inner_texts()
    assert sorted(names) == sorted(node["title"] for node in drawn)
    page.keyboard.press("g")
    assert page.evaluate(BOXES) == before


def pictures(page: Any, keys: Sequence[str]) -> list[dict[str, list[int]]]:
    """The boxes after each key."""
    found = []
    for key in keys:
        page.keyboard.press(key)
        found.append(page.evaluate(BOXES))
    return found


@pytest.mark.parametrize("name", ["hoprag-coverage", "hoprag-similarity", "ircot"])
def test_a_stop_is_one_picture_by_any_route(opened: Any, name: str) -> None:
    """Also in a window that gets another size."""
    page = opened(name, place="#step=1")
    count = stops(page)
    forward = {}
    for size in BOTH:
        resize(page, size)
        forward[size] = pictures(page, ["Home", *["ArrowRight"] * (count - 1)])
        backward = pictures(page, ["End", *["ArrowLeft"] * (count - 1)])[::-1]
        assert forward[size] == backward
    for turn, number in enumerate((*range(1, count, 3), count - 1)):
        for size in BOTH:
            resize(page, size)
            page.locator(".timeline button").nth(number).click()
            assert page.evaluate(BOXES) == forward[size][number]
            page.keyboard.press("e")
            page.keyboard.press("e")
            assert page.evaluate(BOXES) == forward[size][number]
        first, other = BOTH[turn % 2], BOTH[1 - turn % 2]
        linked = opened(name, first, place=f"#{page.url.partition('#')[2]}")
        assert linked.evaluate(BOXES) == forward[first][number]
        resize(linked, other)
        assert linked.evaluate(BOXES) == forward[other][number]


def test_play_shows_the_same_pictures(opened: Any) -> None:
    page = opened("bm25", place="#step=1")
    forward = pictures(page, ["Home", *["ArrowRight"] * (stops(page) - 1)])
    page.keyboard.press("Home")
    page.clock.install()
    page.keyboard.press(" ")
    for number, expected in enumerate(forward[1:], start=1):
        for _ in range(60):
            page.clock.run_for(250)
            if page.evaluate(f"{PLAYER}.place.stop") == number:
                break
        assert page.evaluate(BOXES) == expected


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


def test_the_clock_of_the_notes_runs_while_their_window_is_open(opened: Any) -> None:
    page = opened("hoprag-similarity", place="#step=5")
    with page.expect_popup() as opening:
        page.keyboard.press("n")
    notes = opening.value
    notes.get_by_text("0:02", exact=True).wait_for(timeout=10_000)
    page.keyboard.press("n")
    assert notes.is_closed()
    with page.expect_popup() as opening:
        page.keyboard.press("n")
    opening.value.get_by_text("0:01", exact=True).wait_for(timeout=10_000)
