"""A film in front of an audience: alone on the screen, in large letters, with time to read."""

from pathlib import Path
from typing import Any

from core.artefacts.workbench import Workbench
from core.cli.common import open_workbench
from core.evaluate.questions import read_questions
from core.funnel.lists import Lists
from core.playback import frame
from core.retrievers import make
from core.sample import QUESTIONS
from core.traces import record
from tests.browser.films import OUTSIDE, QUESTION, drawn, on_stage, opened, shown
from tests.browser.serving import Server
from tests.core.five import silent

PACES = """() => {
  const film = globalThis.__hopFilm, {moments} = film.film.timeline;
  const gold = new Set(moments.filter(({kind}) => kind !== "offered").map(({t}) => t));
  return film.stops.map(({t, caption}) => {
    film.t = t;
    return {pause: film.pause, letters: caption.length, gold: gold.has(t)};
  });
}"""
COUNTS = """() => {
  const {drawing} = globalThis.__hopFilm, box = (of) => of.getBoundingClientRect();
  const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1
    && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const groups = drawing.groups.filter(({g}) => !g.classList.contains("off"));
  const nodes = [...drawing.nodes.values()].filter(({role}) => role);
  return groups.flatMap(({g}) => nodes
    .filter(({body}) => meet(box(g.firstChild), box(body))).map(({data}) => data.label));
}"""
LOOKED_AT = """() => {
  const {drawing, now} = globalThis.__hopFilm;
  const looked = Object.keys(now.nodes).filter((i) => now.nodes[i] === "current");
  return looked.map((i) => drawing.nodes.get(+i)?.role ? "drawn" : `${i} is away`);
}"""
UNSEEN_ROWS = """() => {
  const step = globalThis.__hopFilm.root.querySelector(".side .step");
  if (!step || step.hidden) return [0, ""];
  const list = step.querySelector(".rows"), end = list.getBoundingClientRect().bottom;
  const rows = [...list.children].map((row) => row.getBoundingClientRect());
  const away = rows.filter(({bottom, height}) => height && bottom > end + 1).length;
  return [away, step.querySelector(".below").textContent];
}"""
WHOLE_ROWS = """() => {
  const list = globalThis.__hopFilm.root.querySelector(".ranking .rows");
  const box = (of) => of.getBoundingClientRect();
  const {top, bottom} = box(list);
  const whole = (row) => box(row).top >= top - 1 && box(row).bottom <= bottom + 1;
  return [...list.querySelectorAll(".row")].filter((row) => row.offsetHeight && whole(row)).length;
}"""
NAMELESS = """() => [...globalThis.__hopFilm.drawing.nodes.values()]
  .filter(({role, label, text}) => role && (label.classList.contains("off") || !text.textContent))
  .map(({data}) => data.label)"""
TOUCHED = """() => {
  const film = globalThis.__hopFilm, {drawing, now} = film, found = [];
  const box = (of) => of.getBoundingClientRect();
  const meet = (a, b) => a.left < b.right && b.left < a.right
    && a.top < b.bottom && b.top < a.bottom;
  const seen = [...drawing.nodes.values()].filter(({role}) => role);
  for (const {i, label, text, data} of seen.filter(({label}) => !label.classList.contains("off"))) {
    for (const other of seen) {
      if (other.i === i) continue;
      const named = !other.label.classList.contains("off") && meet(box(text), box(other.text));
      const over = named || meet(box(text), box(other.body));
      if (over) found.push(`${data.label} on ${other.data.label}`);
    }
  }
  const top = (now.board?.rows ?? []).filter(({node}) => node !== undefined).slice(0, 6);
  const drawn = new Set(seen.map(({i}) => i));
  const away = top.filter(({node, sign}) => sign !== "n" && !drawn.has(node));
  return [...found, ...away.map(({node}) => `${film.film.nodes[node].label} is away`)];
}"""
BADGES = """() => {
  const nodes = [...globalThis.__hopFilm.drawing.nodes.values()].filter(({role}) => role);
  const box = (of) => of.getBoundingClientRect();
  const meet = (a, b) => a.left < b.right && b.left < a.right
    && a.top < b.bottom && b.top < a.bottom;
  const named = nodes.filter(({label}) => !label.classList.contains("off"));
  const badges = nodes.filter(({count}) => count > 1).map(({badge}) => badge);
  return {
    sizes: badges.map((of) => box(of.lastChild).height / 1.3),
    over: badges.flatMap((of) => named.filter(({text}) => meet(box(of.firstChild), box(text))))
      .map(({data}) => data.label),
  };
}"""
WATCHED = """(() => {
  globalThis.bare = 0;
  const look = () => {
    const first = document.getElementById("first"), style = first && getComputedStyle(first);
    const outlined = style && style.display !== "none" && style.visibility !== "hidden";
    const seen = document.querySelector("#root *") && !globalThis.__hopFilm?.presenting;
    if (seen && !outlined) globalThis.bare += 1;
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})()"""
LETTERS = """() => [...globalThis.__hopFilm.root.querySelectorAll('*')]
  .filter((of) => [...of.childNodes].some((one) => one.nodeType === 3 && one.data.trim()))
  .filter((of) => of.checkVisibility() && !of.closest('.badge'))
  .map((of) => parseFloat(getComputedStyle(of).fontSize))"""


def test_a_presenter_sees_the_film_alone(page: Any, server: Server, sample: Path) -> None:
    on_stage(page, server, t="1", grain="event", retriever="hoprag-similarity")
    sizes = page.evaluate(LETTERS)
    assert min(sizes) >= 18
    hint = page.locator(".film .hint")
    assert "Space plays" in hint.inner_text()
    assert page.locator(".film .star:visible").count() == len(page.evaluate("__hopFilm.film.gold"))
    page.keyboard.press("End")
    drawn(page)
    assert page.evaluate(NAMELESS) == []
    size = page.locator(".film .caption").get_attribute("class")
    page.context.set_offline(True)
    last = page.evaluate("globalThis.__hopFilm.stops.at(-1).t")
    for _ in range(40):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("End")
    drawn(page)
    assert shown(page) == last
    assert "read" in str(hint.get_attribute("class"))
    assert page.evaluate(OUTSIDE) == []
    assert page.locator(".film .caption").get_attribute("class") == size
    legend = "[...globalThis.__hopFilm.root.querySelectorAll('.entry')]"
    below = "(of) => of.offsetTop + of.offsetHeight > of.parentElement.offsetTop + 60"
    assert not page.evaluate(f"{legend}.some({below})")
    page.context.set_offline(False)
    page.keyboard.press("Escape")
    assert "present=1" not in page.url
    assert page.locator(".film.presenting").count() == 0
    drawn(page)
    assert page.evaluate(COUNTS) == []


def test_the_answer_is_told_at_the_end_alone(page: Any, server: Server, sample: Path) -> None:
    page.set_viewport_size({"width": 1024, "height": 768})
    for retriever in ("hoprag-coverage", "hoprag-similarity"):
        opened(page, server, present="1", t="1", retriever=retriever)
        answer = page.locator(".film .answer")
        assert answer.count() == 0
        page.keyboard.press("End")
        drawn(page)
        assert "answer" in answer.inner_text()
        assert set(page.evaluate(OUTSIDE)) <= {".queue"}  # an empty one is folded away
        page.keyboard.press("ArrowLeft")
        drawn(page)
        assert answer.count() == 0


def test_a_table_is_closed_with_the_film_that_it_was_of(
    page: Any, server: Server, sample: Path
) -> None:
    opened(page, server, present="1")
    page.keyboard.press("End")
    drawn(page)
    page.locator(".film .group:not(.off)").first.click()
    table = page.locator(".film .twin")
    assert table.is_visible()
    before = page.evaluate("globalThis.__hopFilm.film.query")
    page.keyboard.press("]")
    page.wait_for_function("(was) => globalThis.__hopFilm.film.query !== was", arg=before)
    drawn(page)
    assert table.is_hidden()
    assert page.locator(".film .opening").is_visible()
    page.keyboard.press("ArrowRight")
    assert shown(page) == 2
    page.keyboard.press("t")
    assert "What is drawn now" in table.inner_text()


def test_on_a_stage_what_is_looked_at_is_drawn_and_every_node_has_its_name(
    page: Any, server: Server, sample: Path
) -> None:
    page.emulate_media(reduced_motion="reduce")
    on_stage(page, server, t="1", grain="event", retriever="hoprag-similarity")
    looked = 0
    for t in page.evaluate("globalThis.__hopFilm.stops.map(({t}) => t)"):
        page.evaluate(f"globalThis.__hopFilm.go({t})")
        drawn(page)
        assert page.evaluate(NAMELESS) == []
        here = page.evaluate(LOOKED_AT)
        looked += bool(here)
        assert set(here) <= {"drawn"}
    assert looked > 10


def test_on_a_stage_a_stop_stands_as_long_as_it_takes_to_read(
    page: Any, server: Server, sample: Path
) -> None:
    on_stage(page, server, t="1", grain="event", retriever="hoprag-similarity")
    stops = page.evaluate(PACES)
    decisive = [stop for stop in stops if stop["gold"]]
    assert decisive
    assert len(decisive) < len(stops)
    for stop in stops:
        read = min(5000, 900 + 25 * stop["letters"])
        assert stop["pause"] == read + (1500 if stop["gold"] else 0)
    slow = page.evaluate("globalThis.__hopFilm.pause")
    before = page.locator(".tool-play").bounding_box()
    page.locator(".film .speed").click()
    assert page.evaluate("globalThis.__hopFilm.pause") == slow / 2
    assert page.locator(".tool-play").bounding_box() == before
    page.keyboard.press("p")
    drawn(page)
    assert len({stop["pause"] for stop in page.evaluate(PACES)}) == 1


def test_on_a_stage_the_list_ends_with_gold_at_any_rank(
    page: Any, server: Server, sample: Path
) -> None:
    workbench = open_workbench(str(sample))
    for asked in read_questions(QUESTIONS):
        trace = record(make("hoprag-similarity", workbench), asked.text, workbench.index)
        hits = frame(trace.steps, len(trace.steps)).hits
        found = [trace.passages[hit.passage_id].document_id for hit in hits]
        ranks = [found.index(name) + 1 for name in asked.gold if name in found]
        if max(ranks, default=0) > 12:
            break
    on_stage(page, server, asked.text, stop="99", retriever="hoprag-similarity")
    told = page.locator(".ranking .row.gold .rank:visible").all_inner_texts()
    assert {*ranks} <= {int(rank) for rank in told}
    rows = page.locator(".ranking .rows")
    assert rows.evaluate("(of) => of.scrollHeight <= of.clientHeight")
    assert page.locator(".ranking .gap:visible").count() >= 1
    page.keyboard.press("ArrowLeft")
    drawn(page)
    assert page.locator(".ranking .gap").count() == 0


# The first words of each line of the ranking where it has room for so many.
LEAST = """() => [3, 4, 5].map((lines) => {
  const { ranking } = globalThis.__hopFilm.sidebar.boards;
  ranking.lines = lines;
  ranking.gather();
  const seen = [...ranking.list.children].filter((row) => !row.hidden);
  return seen.map((row) => (row.querySelector(".rank") ?? row).textContent);
})"""


def test_gold_that_no_list_has_stands_below_the_line_with_its_rank(
    page: Any, server: Server, sample: Path
) -> None:
    workbench = open_workbench(str(sample))
    lists = Lists(workbench)
    for asked in read_questions(QUESTIONS):
        trace = record(make("bm25", workbench), asked.text, workbench.index)
        kept = {hit.passage_id for hit in frame(trace.steps, len(trace.steps)).hits}
        whole = lists.whole(trace.steps[0])
        ranks = whole.rank if whole else {}
        held = {name: workbench.index.document_passages.get(name, (name,)) for name in asked.gold}
        lost = [min(ranks[one] for one in each) for each in held.values() if not kept & {*each}]
        if lost and min(lost) > len(kept) + 4:
            break
    for present in ("", "1"):
        page.set_viewport_size({"width": 1024, "height": 768})
        opened(page, server, asked.text, stop="99", retriever="bm25", present=present)
        row = page.locator(".ranking .cut ~ .row.gold")
        assert row.locator(".rank").all_inner_texts() == [str(rank) for rank in sorted(lost)]
        assert "the result ends here" in page.locator(".ranking .cut").inner_text()
        line, gold = page.locator(".ranking .cut").bounding_box(), row.last.bounding_box()
        list_ = page.locator(".ranking .rows").bounding_box()
        assert line["y"] >= list_["y"] - 1
        assert gold["y"] + gold["height"] <= list_["y"] + list_["height"] + 1
    # With little room rank 1 and the line are kept, and dots for what is left out between.
    least = page.evaluate(LEAST)
    assert [lines[0][0] for lines in least] == ["1"] * 3
    assert [lines[-1] for lines in least] == [str(max(lost))] * 3
    assert all("the result ends here" in " ".join(lines) for lines in least)
    assert least[1][1] == "…"
    assert [len(lines) for lines in least] == [3, 4, 5]
    page.goto("about:blank")
    opened(page, server, asked.text, stop="99", retriever="bm25")
    page.get_by_role("button", name="As a table").click()
    table = page.locator(".twin .row:has(.star)")
    assert {*table.locator("td:last-child").all_inner_texts()} >= {str(rank) for rank in lost}


def test_nothing_of_the_page_is_seen_before_a_presenter_begins(
    page: Any, server: Server, sample: Path
) -> None:
    page.add_init_script(WATCHED)
    opened(page, server, present="1", t="1", retriever="bm25")
    assert page.evaluate("globalThis.bare") == 0
    page.keyboard.press("Escape")
    assert page.locator(".hop-title").is_visible()
    assert page.locator("#first").is_hidden()


def test_on_a_stage_all_that_spreads_is_named_and_no_name_touches_another(
    page: Any, server: Server, sample: Path
) -> None:
    stands = open_workbench(str(sample))
    workbench = Workbench(stands.index, stands.embedder, making=silent)
    record(make("hipporag2", workbench), QUESTION, workbench.index)  # the page finds what it made
    page.emulate_media(reduced_motion="reduce")
    on_stage(page, server, t="1", grain="event", retriever="hipporag2")
    for t in page.evaluate("globalThis.__hopFilm.stops.map(({t}) => t)"):
        page.evaluate(f"globalThis.__hopFilm.go({t})")
        drawn(page)
        assert page.evaluate(TOUCHED) == []
        assert page.evaluate(NAMELESS) == []
    link = page.locator(".legend .entry:visible", has_text="Link")
    directed = page.evaluate("__hopFilm.film.lines.some(({directed}) => directed)")
    assert bool(link.locator(".head").get_attribute("d")) == directed
    headings = page.locator(".drawing .bands text").all_text_contents()
    assert {*headings} == {"Entities", "Facts", "Passages"}
    assert not page.locator(".legend .entry:visible", has_text="Fact").count()  # a heading says it


def test_the_sign_of_a_kind_is_drawn_as_its_nodes_are(
    page: Any, server: Server, sample: Path
) -> None:
    on_stage(page, server, retriever="ircot", stop="99")
    passage = page.locator(".legend .entry:visible", has_text="Pass")
    shapes = page.evaluate("""() => [...globalThis.__hopFilm.drawing.nodes.values()]
      .filter(({role, data}) => role && data.kind === "passage").map(({role}) => role)""")
    assert set(shapes) == {"retrieved", "ghost"}  # one was never seen
    assert "Passage" in passage.inner_text()
    corner = (
        "(of) => of.getAttribute('d').split(/a/).length"  # a square has four, a disc two halves
    )
    assert passage.locator(".body").evaluate(corner) == 5


def test_on_a_stage_what_would_keep_gold_covers_no_heading(
    page: Any, server: Server, sample: Path
) -> None:
    on_stage(page, server, stop="99", retriever="hoprag-similarity")
    told = "One change would retrieve it: top k 71 instead of 20, which puts it at rank 25. " * 2
    page.evaluate(
        "(told) => globalThis.__hopFilm.sidebar.keep([1, 2].map(() => ({told, action: 'Try'})))",
        told,
    )
    head = page.locator(".side .step .head").bounding_box()
    middle, told_at = page.locator(".middle").bounding_box(), page.locator(".keeps").bounding_box()
    assert head["y"] >= middle["y"]
    assert head["y"] + head["height"] <= told_at["y"]


def test_what_would_keep_gold_leaves_three_rows_of_the_ranking(
    page: Any, server: Server, sample: Path
) -> None:
    page.set_viewport_size({"width": 1024, "height": 768})
    for place in ({}, {"present": "1"}):
        opened(page, server, stop="99", retriever="hoprag-similarity", **place)
        told = "One change would retrieve it: top k 71 instead of 20, at rank 25. " * 9
        page.evaluate("(told) => globalThis.__hopFilm.sidebar.keep([{told, action: 'Try'}])", told)
        assert page.evaluate(WHOLE_ROWS) >= 3


def test_on_a_stage_a_heading_counts_the_rows_that_have_no_room(
    page: Any, server: Server, sample: Path
) -> None:
    page.set_viewport_size({"width": 1024, "height": 640})
    page.emulate_media(reduced_motion="reduce")
    opened(page, server, present="1", t="1", grain="event", retriever="hoprag-similarity")
    counted = 0
    for t in page.evaluate("globalThis.__hopFilm.stops.slice(0, -1).map(({t}) => t)"):
        page.evaluate(f"globalThis.__hopFilm.go({t})")
        drawn(page)
        away, told = page.evaluate(UNSEEN_ROWS)
        assert told == (f"+{away} more" if away else "")
        counted += bool(away)
    assert counted


def test_on_a_stage_no_card_stays_over_the_drawing(page: Any, server: Server, sample: Path) -> None:
    opened(page, server, present="1", stop="99", retriever="hoprag-coverage")
    drawn(page)
    page.locator("svg.drawing .node:not(.off)").first.click()
    assert page.locator(".tab[aria-selected=true]").inner_text() == "Details"
    assert page.locator(".hovered").is_hidden()
    page.keyboard.press("Escape")
    page.locator("svg.drawing .group:not(.off)").first.click()
    page.keyboard.press("Escape")
    assert page.locator(".twin").is_hidden()
    assert page.locator(".hovered").is_hidden()


def test_on_a_stage_signs_and_lists_say_what_is_drawn(
    page: Any, server: Server, sample: Path
) -> None:
    page.emulate_media(reduced_motion="reduce")
    on_stage(page, server, t="1", grain="event", retriever="hoprag-similarity")
    visited = page.locator(".legend .entry:visible", has_text="Visited n times")
    counted = 0
    for t in page.evaluate("globalThis.__hopFilm.stops.map(({t}) => t)"):
        page.evaluate(f"globalThis.__hopFilm.go({t})")
        drawn(page)
        badges = page.evaluate(BADGES)
        assert badges["over"] == []
        assert min(badges["sizes"], default=16) >= 15
        assert visited.count() == bool(badges["sizes"])
        assert not [of for of in page.locator(".legend .count").all_inner_texts() if "of" in of]
        assert page.locator(".rounds .round").last.inner_text() == "Result"
        waiting = page.evaluate("__hopFilm.now.queue.rows.filter(({sign}) => sign !== '-').length")
        if away := page.locator(".queue .away:visible").all_inner_texts():
            counted += 1
            assert (
                int(away[0][1:].split()[0]) + page.locator(".queue .row:visible").count() == waiting
            )
    assert counted
    assert page.locator(".ranking .visits").inner_text() == "visits"
