"""The lists beside a film in front of an audience: what of them is read."""

from pathlib import Path
from typing import Any

from core.cli.common import open_workbench
from core.evaluate.questions import read_questions
from core.funnel.lists import Lists
from core.playback import frame
from core.retrievers import make
from core.steps import Offered
from core.traces import record
from tests.browser.films import QUESTION, drawn, made_for, on_stage, opened, walked
from tests.browser.serving import Server
from tests.browser.stage_probes import CUT_WORDS, LEAST, UNSEEN_ROWS, WHOLE_ROWS
from tests.estmark import QUESTIONS

SCHOOLS = "Did the directors of The Tin Choir and Glass Orchard study at the same school?"
TREES = (
    "Which trees grow above the town where the referee of the 2017 Lantern Cup final was raised?"
)

SIZED = """() => __hopFilm.stops.map(({t}) => {
  __hopFilm.go(t);
  cancelAnimationFrame(__hopFilm.frame);
  __hopFilm.draw();
  const {box, caption} = __hopFilm.sentence, own = caption.className;
  const pixels = () => parseFloat(getComputedStyle(caption).fontSize), size = pixels();
  const fitting = ["", "long", "longest"].flatMap((letters) => {
    caption.className = `caption ${letters}`;
    return caption.scrollHeight <= box.clientHeight + 1 ? [pixels()] : [];
  });
  caption.className = own;
  const {top, height} = box.getBoundingClientRect();
  return {size, fitting, box: `${top} ${height}`};
})"""
"""Of each stop how large the letters of its sentence are, which would have room, and its box."""


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
    told = page.locator(".ranking .row.gold .rank:visible").all_inner_texts()
    assert len(told) == page.locator(".ranking .row.gold").count() > 0
    assert rows.evaluate("(of) => of.scrollHeight <= of.clientHeight")


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


REFUSED = """async (heights) => {
  const list = __hopFilm.root.querySelector(".step .rows"), box = list.parentElement, seen = [];
  for (const height of heights) {
    box.style.height = box.style.maxHeight = `${height}px`;
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)));
    const below = (row) => row.offsetTop + row.offsetHeight - list.clientHeight;
    const fits = (row) => row.offsetHeight && below(row) <= 1;
    const whole = [...list.children].filter(fits);
    seen.push(whole.map((row) => row.querySelector(".title")?.textContent ?? "…"));
  }
  return [seen, list.querySelector(".refused.gold .place").textContent];
}"""


def test_refused_gold_stands_below_the_last_that_was_taken(
    page: Any, server: Server, sample: Path
) -> None:
    asked = next(one.text for one in read_questions(QUESTIONS) if "goalkeeper whose" in one.text)
    made_for(sample, "kgp")
    workbench = open_workbench(str(sample))
    trace = record(make("kgp", workbench), asked, workbench.index)
    looks = [(t, step) for t, step in enumerate(trace.steps, 1) if isinstance(step, Offered)]
    gold = "Teo Marrask"
    titles = {name: one.title for name, one in trace.passages.items()}
    t, step = next(
        (t, step)
        for t, step in looks
        if step.taken and any(titles[o.target] == gold and not o.taken for o in step.offers)
    )
    opened(page, server, asked, retriever="kgp", present="1")
    page.evaluate("(t) => __hopFilm.go(t)", t)
    page.locator(".step .row.refused.gold").wait_for()
    taken = [titles[offer.target] for offer in step.taken]
    assert len(taken) == 3
    seen, place = page.evaluate(REFUSED, [190, 140, 110, 80])
    assert seen == [[*taken, gold], [taken[0], taken[-1], gold], [taken[-1], gold], [gold]]
    places = [titles[offer.target] for offer in step.offers]
    assert place == f"{places.index(gold) + 1} of {step.scored}"


def test_on_a_stage_what_would_keep_gold_covers_no_heading(
    page: Any, server: Server, sample: Path
) -> None:
    on_stage(page, server, stop="99", retriever="hoprag-similarity")
    told = "One change would retrieve it: top k 71 (now 20), which puts it at rank 25. " * 2
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
        told = "One change would retrieve it: top k 71 (now 20), at rank 25. " * 9
        page.evaluate("(told) => globalThis.__hopFilm.sidebar.keep([{told, action: 'Try'}])", told)
        assert page.evaluate(WHOLE_ROWS) >= 3


def test_on_a_stage_a_heading_counts_the_rows_that_are_shown_where_some_have_no_room(
    page: Any, server: Server, sample: Path
) -> None:
    page.set_viewport_size({"width": 1024, "height": 640})
    page.emulate_media(reduced_motion="reduce")
    opened(page, server, present="1", t="1", grain="event", retriever="hoprag-similarity")
    counted = 0
    for ((away, seen, told),) in walked(page, UNSEEN_ROWS)[:-1]:
        assert told == (f"· {seen} shown" if away else "")
        counted += bool(away)
    assert counted


def test_on_a_stage_no_word_of_how_gold_was_lost_is_cut(
    page: Any, server: Server, sample: Path
) -> None:
    lost = 0
    for retriever, question in (
        *(("ircot", TREES), ("ircot", SCHOOLS)),
        *(("hoprag-similarity", QUESTION), ("hoprag-similarity", TREES)),
    ):
        on_stage(page, server, question, stop="99", retriever=retriever)
        assert page.evaluate(CUT_WORDS) == []
        lost += page.locator(".ended .step .row:visible").count()
        button, head = page.locator(".keeps"), page.locator(".side .step .head")
        assert button.bounding_box()["y"] == head.bounding_box()["y"]
    assert lost > 4


UNITS = """() => [...__hopFilm.root.querySelectorAll(".side .head")]
  .filter((head) => head.offsetHeight).map((head) => {
    const unit = head.querySelector(".unit"), box = (of) => of.getBoundingClientRect();
    const note = box(head.querySelector(".noted")), own = unit?.textContent ? box(unit) : null;
    const out = !own || own.top >= box(head).bottom - 1;
    const apart = own && (own.left >= note.right || own.top >= note.bottom - 3);
    const whole = apart && !out && unit.scrollWidth <= unit.clientWidth;
    const told = out ? "" : unit.textContent;
    return [told, out || whole, head.parentNode.className, box(head).height];
  })"""
"""Of each list what is said of its numbers, if all of that is read, and how tall its head is."""


def test_on_a_stage_a_list_says_what_its_numbers_are_where_that_has_room(
    page: Any, server: Server, sample: Path
) -> None:
    for retriever, units in (("hipporag2", {"", "probability"}), ("raptor", {""})):
        made_for(sample, retriever)
        on_stage(page, server, t="1", grain="event", retriever=retriever)
        told = [each for (heads,) in walked(page, UNITS) for each in heads]
        assert units == {unit for unit, *_ in told}
        assert [one for one in told if not one[1]] == []
        ranked = {tall for _, _, name, tall in told if "ranking" in name}
        assert len(ranked) == 1


REASONS = """(times) => {
  const {step} = __hopFilm.sidebar.boards, {rows} = step.shown;
  step.show({...step.shown, rows: rows.map((row) => ({...row, text: row.text.repeat(times)}))});
}"""


def test_reasons_without_room_are_told_briefly(page: Any, server: Server, sample: Path) -> None:
    on_stage(page, server, TREES, stop="99", retriever="hoprag-similarity")
    rows = page.evaluate("__hopFilm.sidebar.boards.step.shown.rows")
    told = page.locator(".ended .step .row .text")
    assert told.all_inner_texts() == [
        row["text"] if len(row["text"]) <= 90 else row["brief"] for row in rows
    ]
    page.evaluate(REASONS, 9)
    drawn(page)
    assert told.all_inner_texts() == [row["brief"] for row in rows]
    assert page.evaluate(CUT_WORDS) == []
    page.keyboard.press("p")
    page.set_viewport_size({"width": 1440, "height": 1200})
    drawn(page)
    assert told.all_inner_texts() == [row["text"] for row in rows]
    page.evaluate(REASONS, 9)
    drawn(page)
    assert told.all_inner_texts() == [row["brief"] for row in rows]


def test_on_a_stage_sentences_have_the_largest_letters_in_which_all_have_room_and_their_box_stays(
    page: Any, server: Server, sample: Path
) -> None:
    on_stage(page, server, t="1", grain="event", retriever="hoprag-coverage")
    told = page.evaluate(SIZED)
    assert len({one["box"] for one in told}) == 1
    common = max(one["size"] for one in told)
    for one in told:  # those of single steps may be longer than all of the show
        assert one["size"] == min(max(one["fitting"]), common)
    page.keyboard.press("Home")
    letters = "() => parseFloat(getComputedStyle(__hopFilm.sentence.caption).fontSize)"
    assert {size for (size,) in walked(page, letters)} == {common}


SEEN_ROWS = """() => __hopFilm.stops.map(({t}) => {
  __hopFilm.go(t);
  cancelAnimationFrame(__hopFilm.frame);
  __hopFilm.draw();
  const {root, sidebar: {boards}} = __hopFilm;
  for (const board of Object.values(boards)) board.snap();
  const box = (of) => of.getBoundingClientRect(), rim = 2 * (root.currentCSSZoom ?? 1);
  const room = (list) => [...list.querySelectorAll(".row")]
    .filter((row) => row.offsetHeight && box(row).bottom <= box(list).bottom + 1);
  const cut = (list) => [...list.querySelectorAll(".row")].filter((row) => row.offsetHeight
    && box(row).top < box(list).bottom - rim && box(row).bottom > box(list).bottom + 1);
  const named = (board) => root.querySelector(`.side .${board} .rows`);
  const held = ["step", "ranking"].map(named).filter((list) => list.checkVisibility());
  return {rows: held.map((list) => room(list).length), cut: held.flatMap(cut).length};
})"""
"""Of each stop how many rows of a step and of the ranking are seen whole, and how many are cut."""


def test_a_larger_window_shows_no_fewer_rows_and_cuts_none(
    page: Any, server: Server, sample: Path
) -> None:
    page.emulate_media(reduced_motion="reduce")
    made_for(sample, "kgp")
    for retriever in ("hoprag-coverage", "kgp"):
        seen: list[list[int]] = []
        on_stage(page, server, t="1", grain="event", retriever=retriever)
        for width, height in ((1024, 768), (1440, 900), (1920, 1080)):
            page.set_viewport_size({"width": width, "height": height})
            drawn(page)
            stops = page.evaluate(SEEN_ROWS)[:-1]
            assert [n for n, stop in enumerate(stops, start=1) if stop["cut"]] == [], width
            now = [rows for stop in stops for rows in stop["rows"]]
            assert not seen or all(more >= rows for more, rows in zip(now, seen[-1], strict=True))
            seen.append(now)
        assert sum(seen[0]) > len(seen[0])


TITLES = """() => [...__hopFilm.root.querySelectorAll(".step .row")]
  .filter((row) => row.offsetHeight)
  .map((row) => [...row.querySelectorAll(".title")].map((one) => [...one.getClientRects()]
    .filter(({bottom}) => bottom <= row.getBoundingClientRect().bottom + 1)
    .reduce((sum, {width}) => sum + width, 0)))"""
"""Of each row of a step how wide the parts of its name are that are seen, on all its lines."""


def test_a_cut_relation_still_tells_both_its_ends_on_a_stage(
    page: Any, server: Server, sample: Path
) -> None:
    made_for(sample, "lightrag")
    on_stage(page, server, stop="4", grain="event", retriever="lightrag")
    cut = page.evaluate(TITLES)
    assert cut
    assert all(len(parts) == 2 and min(parts) > 40 for parts in cut)
