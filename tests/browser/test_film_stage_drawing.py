"""The drawing of a film in front of an audience: who is drawn, and with which name."""

from pathlib import Path
from typing import Any

from core.artefacts.workbench import Workbench
from core.cli.common import open_workbench
from core.retrievers import make
from core.traces import record
from tests.browser.films import QUESTION, drawn, on_stage
from tests.browser.serving import Server
from tests.browser.stage_probes import BADGES, LISTED_AWAY, LOOKED_AT, NAMELESS, TOUCHED
from tests.core.five import silent


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
        assert page.evaluate(LISTED_AWAY) == []
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
