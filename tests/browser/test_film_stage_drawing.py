"""The drawing of a film in front of an audience: who is drawn, and with which name."""

from collections.abc import Callable
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import Watch
from tests.browser.films import count_of, drawn, made_for, on_stage, opened, walked
from tests.browser.serving import Server
from tests.browser.stage_probes import (
    ADRIFT,
    BADGES,
    BEYOND,
    COUNTED_ONCE,
    COVERED_LINES,
    CUT_NAMES,
    FREE,
    LISTED_AWAY,
    LOOKED_AT,
    NAMED_AWAY,
    NAMELESS,
    ORIGINS,
    OUT_OF_NOWHERE,
    RINGED,
    SIGNS,
    STANDING,
    TOUCHED,
)

DEDICATED = (
    "To which saint is the church dedicated in the village where the founder of the ferry company "
    "taken over in 2022 was born?"
)
TREES = (
    "Which trees grow above the town where the referee of the 2017 Lantern Cup final was raised?"
)
SANDPIPER = (
    "Which film was shot in the building where the maker of the clock aboard the solar probe "
    "Sandpiper trained?"
)
ASKED = {
    "nameless": NAMELESS,
    "looked at": LOOKED_AT,
    "badges": BADGES,
    "signs": SIGNS,
    "crossed": FREE,
    "counted": count_of(".drawing .node.counted"),
    "adrift": ADRIFT,
    "uncounted": COUNTED_ONCE,
    "refused": count_of(".drawing .node.refused:not(.off)"),
    "behind": COVERED_LINES,
    "out of nowhere": OUT_OF_NOWHERE,
    "origins": ORIGINS,
}
Through = Callable[[str, str], list[dict[str, Any]]]


@pytest.fixture(scope="module")
def through(window: Any, server: Server, built_sample: Path) -> Through:
    """What each of `ASKED` says at each stop of a retriever's film, which is opened once."""

    @cache
    def gone(retriever: str, grain: str) -> list[dict[str, Any]]:
        page, watch = window.new_page(), Watch(server.url)
        watch.follow(page)
        page.emulate_media(reduced_motion="reduce")
        on_stage(page, server, t="1", grain=grain, retriever=retriever)
        said = [dict(zip(ASKED, stop, strict=True)) for stop in walked(page, *ASKED.values())]
        page.close()
        assert watch.troubles == server.foreign == []
        return said

    return gone


def test_on_a_stage_what_is_looked_at_is_drawn_and_every_node_has_its_name(
    through: Through,
) -> None:
    looked = 0
    for stop in through("hoprag-similarity", "event"):
        assert stop["nameless"] == []
        looked += bool(stop["looked at"])
        assert set(stop["looked at"]) <= {"drawn"}
    assert looked > 10


def test_on_a_stage_all_that_spreads_is_named_and_no_name_touches_another(
    page: Any, server: Server, sample: Path
) -> None:
    made_for(sample, "hipporag2")
    page.emulate_media(reduced_motion="reduce")
    on_stage(page, server, t="1", grain="event", retriever="hipporag2")
    for wrong in walked(page, TOUCHED, LISTED_AWAY, NAMELESS):
        assert wrong == [[], [], []]
    link = page.locator(".legend .entry:visible", has_text="Link")
    directed = page.evaluate("__hopFilm.film.lines.some(({directed}) => directed)")
    assert bool(link.locator(".head").get_attribute("d")) == directed
    headings = page.locator(".drawing .bands text").all_text_contents()
    assert {*headings} == {"Entities", "Facts", "Passages"}
    assert not page.locator(".legend .entry:visible", has_text="Fact").count()  # a heading says it


def test_the_sign_of_a_kind_is_drawn_as_its_nodes_are(
    page: Any, server: Server, sample: Path
) -> None:
    on_stage(page, server, DEDICATED, retriever="ircot", stop="99")
    passage = page.locator(".legend .entry:visible", has_text="Passage")
    assert passage.count() == 0  # questions and thoughts have one sign, which tells neither
    page.keyboard.press("p")
    drawn(page)
    shapes = page.evaluate("""() => [...globalThis.__hopFilm.drawing.nodes.values()]
      .filter(({role, data}) => role && data.kind === "passage").map(({role}) => role)""")
    assert set(shapes) == {"retrieved", "ghost"}  # two were never seen
    corner = (
        "(of) => of.getAttribute('d').split(/a/).length"  # a square has four, a disc two halves
    )
    assert passage.locator(".body").evaluate(corner) == 5


def test_on_a_stage_signs_and_lists_say_what_is_drawn(
    through: Through,
) -> None:
    counted = 0
    for stop in through("hoprag-similarity", "event"):
        badges, signs = stop["badges"], stop["signs"]
        assert badges["over"] == []
        assert min(badges["sizes"], default=16) >= 15
        assert signs["visited"] == bool(badges["sizes"])
        assert not [of for of in signs["counts"] if "of" in of]
        assert signs["last"] == "Result"
        if away := signs["away"]:
            counted += 1
            assert int(away[0][1:].split()[0]) + signs["rows"] == signs["waiting"]
    assert counted
    assert signs["visits"] == "visits"


def test_on_a_stage_what_was_never_seen_stands_below_all_columns_with_its_whole_name(
    page: Any, server: Server, sample: Path
) -> None:
    on_stage(page, server, t="1", grain="event", retriever="hoprag-similarity")
    headings = page.locator(".drawing .bands .band:not(.shelf) text")
    assert headings.all_text_contents()[::-1] == ["Seeds", "Hop 1", "Hops 2–4"]
    shelf = page.locator(".drawing .shelf")
    assert shelf.get_attribute("class") == "band shelf off"
    page.keyboard.press("End")
    drawn(page)
    assert shelf.get_attribute("class") == "band shelf"
    assert shelf.locator("text").text_content() == "Out of reach"
    places = page.evaluate("""() => [...__hopFilm.drawing.nodes.values()]
      .filter(({role}) => role).map(({role, y}) => [role, y])""")
    ghosts = [y for role, y in places if role == "ghost"]
    assert ghosts
    assert min(ghosts) > max(y for role, y in places if role != "ghost")
    assert page.evaluate(CUT_NAMES) == []
    assert page.evaluate(BEYOND) == []


def test_on_a_stage_nothing_moves_nor_is_named_and_away_and_no_ring_touches_a_name(
    page: Any, server: Server, sample: Path
) -> None:
    page.emulate_media(reduced_motion="reduce")
    for retriever, question in (("hoprag-coverage", TREES), ("treehop", SANDPIPER)):
        on_stage(page, server, question, t="1", grain="event", retriever=retriever)
        stands = []
        for stand, *wrong in walked(page, STANDING, NAMED_AWAY, RINGED):
            stands.append(stand)
            assert wrong == [[], []]
        assert stands == stands[:1] * len(stands)


def test_in_a_larger_window_a_stage_is_larger_and_what_is_pointed_at_is_picked(
    page: Any, server: Server, sample: Path
) -> None:
    page.set_viewport_size({"width": 1920, "height": 1080})
    opened(page, server, present="1", stop="99", retriever="hoprag-similarity")
    name = page.locator(".drawing .label:not(.off) text:not(.ground)").first
    tall = "(of) => of.getBoundingClientRect().height / of.children.length"
    assert name.evaluate(tall) > 24
    assert page.evaluate(BEYOND) == []
    page.set_viewport_size({"width": 1024, "height": 768})
    drawn(page)
    assert name.evaluate(tall) < 24
    assert page.evaluate(BEYOND) == []
    page.set_viewport_size({"width": 1920, "height": 1080})
    drawn(page)
    node = page.locator("svg.drawing .node:not(.off)").nth(1)
    node.click()
    assert "selected" in str(node.get_attribute("class"))
    before, far = node.bounding_box(), 60
    page.mouse.move(before["x"] + before["width"] / 2, before["y"] + before["height"] / 2)
    page.mouse.down()
    page.mouse.move(before["x"] + before["width"] / 2, before["y"] + before["height"] / 2 + far)
    drawn(page)
    assert abs(node.bounding_box()["y"] - before["y"] - far) < 2
    page.mouse.up()


def test_on_a_stage_counts_and_rings_are_free_and_the_legend_has_one_line(
    through: Through,
) -> None:
    stops = through("hoprag-similarity", "event")
    assert [stop["crossed"] for stop in stops if stop["crossed"]] == []
    assert sum(stop["counted"] for stop in stops)


RUNS = """() => [...__hopFilm.timeline.runs.children].map((run) => {
  const {left, right} = run.getBoundingClientRect();
  const below = [...__hopFilm.timeline.rounds.children].filter((of) => {
    const box = of.getBoundingClientRect();
    return box.left >= left - 1 && box.right <= right + 1;
  });
  return [run.textContent, below.map((of) => of.textContent).join(" ")];
})"""


CROWDED = """() => {
  const {drawing, film, now} = __hopFilm, node = (i) => drawing.nodes.get(i);
  const there = [...drawing.lines.values()].filter(({i, data}) =>
    now.lines[i] && node(data.source).role && node(data.target).role);
  const shown = there.filter(({role}) => role), away = there.filter(({role}) => !role);
  const gold = ({data}) => [data.source, data.target].some((i) => film.nodes[i].gold);
  const crowds = Map.groupBy(shown, ({data}) =>
    [data.source, data.target].map((i) => Math.round(node(i).x)).sort((a, b) => a - b).join());
  const ends = (lines) => new Set(lines.flatMap(({data}) => [data.source, data.target]));
  const lonely = [...ends(away)].filter((i) => !ends(shown).has(i));
  return [away.length, away.filter(gold).length, lonely.length,
    Math.max(...[...crowds.values()].map(({length}) => length))];
}"""
"""How many lines are left out, to gold of them, nodes that no other is drawn to, and the most lines
that join two columns.
"""


def test_on_a_stage_rounds_share_a_name_and_of_a_crowd_lines_to_gold_are_drawn(
    page: Any, server: Server, sample: Path
) -> None:
    made_for(sample, "hipporag2")
    page.emulate_media(reduced_motion="reduce")
    on_stage(page, server, stop="99", retriever="hipporag2")
    assert page.evaluate(RUNS) == [["Round", " ".join(map(str, range(1, 8)))]]
    rounds = page.locator(".rounds .round").all_inner_texts()
    assert (rounds[0], rounds[-1]) == ("Question", "Result")
    away, of_gold, lonely, most = page.evaluate(CROWDED)
    assert away
    assert (of_gold, lonely) == (0, 0)
    assert most <= 12
    on_stage(page, server, stop="99", retriever="hoprag-coverage")
    assert page.evaluate(RUNS) == []  # each has room for its whole name
    names = page.evaluate("__hopFilm.film.timeline.segments.map(({label}) => label)")
    assert page.locator(".rounds .round").all_inner_texts() == names


COUNTED = """() => __hopFilm.drawing.groups.filter(({g}) => !g.classList.contains("off"))
  .map(({data, g}) => {
    const {nodes} = __hopFilm.now, drawn = (n) => __hopFilm.drawing.nodes.get(n)?.role;
    const counts = (n) => nodes[n] && nodes[n] !== "refused";
    const roles = data.nodes.filter((n) => counts(n) && !drawn(n)).map((n) => nodes[n]);
    return [roles, g.textContent, g.getBoundingClientRect().toJSON()];
  })"""
"""Of each count the roles of what it counts, what it says, and where."""


def said_of(roles: list[str], brief: bool) -> str:
    all_, kept = len(roles), roles.count("retrieved")
    counted = f"+{all_}" if brief else f"+{all_} more"
    outside = roles.count("refused") + roles.count("plain")
    if kept:
        return f"{counted} ({kept} retrieved)" if kept < all_ else f"+{kept} retrieved"
    if outside == all_:
        return f"+{all_} not reached" if "plain" in roles else f"+{all_} more"
    return f"{counted} ({all_ - outside} reached)" if outside else f"+{all_} more"


@pytest.mark.parametrize("retriever", ["hoprag-coverage", "hipporag2", "proprag"])
def test_what_is_not_drawn_is_counted_by_how_it_stands_in_one_row(
    page: Any, server: Server, sample: Path, retriever: str
) -> None:
    made_for(sample, retriever)
    kinds = set()
    on_stage(page, server, stop="2", retriever=retriever)
    for key in ("ArrowRight", "ArrowRight", "ArrowRight", "End"):
        page.keyboard.press(key)
        drawn(page)
        groups, brief = page.evaluate(COUNTED), page.evaluate("__hopFilm.drawing.brief")
        assert [said for _, said, _ in groups] == [said_of(roles, brief) for roles, _, _ in groups]
        boxes = sorted((box for *_, box in groups), key=lambda box: box["x"])
        assert len({round(box["y"]) for box in boxes}) <= 1
        assert all(one["right"] < other["left"] for one, other in pairwise(boxes))
        kinds |= {said.rpartition(" ")[2] for _, said, _ in groups}
    assert len(kinds) > 1


def test_on_a_stage_what_was_only_on_offer_is_joined_to_something_or_is_counted(
    through: Through,
) -> None:
    joined = 0
    for key in ("hoprag-similarity", "hoprag-coverage"):
        for grain in ("round", "event"):
            for stop in through(key, grain):
                assert stop["adrift"] == []
                assert stop["uncounted"] == []
                joined += stop["refused"]
    assert joined > 0


def test_on_a_stage_no_line_runs_behind_a_count(through: Through) -> None:
    for key in ("hoprag-coverage", "hoprag-similarity"):
        stops = through(key, "event")
        assert [stop["behind"] for stop in stops if stop["behind"]] == []
        assert stops[-1]["badges"]["over"] == []


LINKS = """() => [...__hopFilm.root.querySelectorAll(".drawing .line.plain .stroke")]
  .filter((of) => of.checkVisibility()).map((of) => {
    const {stroke, strokeWidth} = getComputedStyle(of);
    return {stroke, wide: parseFloat(strokeWidth)};
  })"""
"""The strokes of links that are drawn."""


def test_links_are_seen_from_the_last_row(page: Any, server: Server, sample: Path) -> None:
    made_for(sample, "hipporag2")
    for scheme, grey in (("light", "rgb(98, 105, 118)"), ("dark", "rgb(165, 172, 186)")):
        page.emulate_media(color_scheme=scheme)
        on_stage(page, server, stop="3", retriever="hipporag2")
        links = page.evaluate(LINKS)
        assert links
        assert all(one["wide"] >= 1.5 and one["stroke"] == grey for one in links)


def test_names_grow_where_they_have_as_much_room(page: Any, server: Server, sample: Path) -> None:
    sizes = []
    on_stage(page, server, retriever="ircot")
    for width, height in ((1024, 768), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        drawn(page)
        sizes.append(page.evaluate("__hopFilm.drawing.px * (__hopFilm.root.currentCSSZoom ?? 1)"))
    assert sizes[0] >= 18
    assert sizes[1] >= 26


def test_what_was_reached_from_what_is_only_counted_has_an_arrow_that_begins_with_dots(
    through: Through,
) -> None:
    joined = 0
    for stop in through("hoprag-similarity", "event"):
        assert stop["out of nowhere"] == []
        ends = stop["origins"]
        assert all(begins and ends for begins, ends in ends), ends
        joined += len(ends)
    assert joined > 0
