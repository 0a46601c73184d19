"""Films in a real browser: how one is opened, and what is asked of it."""

from pathlib import Path
from typing import Any

from core.artefacts.workbench import Workbench
from core.cli.common import open_workbench
from core.retrievers import make
from core.traces import record
from tests.browser.serving import Server, idle
from tests.core.five import silent
from tests.estmark import suggested

QUESTION = suggested()[0]
SIZES = ((1440, 900), (1024, 768))
OUTSIDE = """() => ['.queue', '.ranking', '.caption', '.track', '.drawing'].filter((part) => {
  const of = globalThis.__hopFilm.root.querySelector(part);
  const {top, bottom, left, right, width, height} = of.getBoundingClientRect();
  const outside = top < 0 || left < 0 || bottom > innerHeight || right > innerWidth;
  return !width || !height || outside;
})"""

WALK = """async () => {
  const probes = [PROBES], said = [];
  for (const {t} of globalThis.__hopFilm.stops) {
    globalThis.__hopFilm.go(t);
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)));
    said.push(probes.map((probe) => probe()));
  }
  return said;
}"""


def opened(page: Any, server: Server, query: str = QUESTION, **params: str) -> None:
    """The Trace page with the graph of `query`."""
    rest = "".join(f"&{name}={value}" for name, value in {"view": "graph", **params}.items())
    page.goto(f"{server.url}/trace?index=sample&q={query}{rest}")
    page.locator(".film .caption:not(:empty)").wait_for(timeout=90_000)
    idle(page)


def on_stage(page: Any, server: Server, query: str = QUESTION, **params: str) -> None:
    """The same in presenter mode, as a projector has it."""
    page.set_viewport_size({"width": 1024, "height": 768})
    opened(page, server, query, present="1", **params)


def shown(page: Any) -> int:
    return int(page.evaluate("globalThis.__hopFilm.now.t"))


def drawn(page: Any) -> None:
    """Wait for the frame that was asked for to be painted."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)))")


def walked(page: Any, *probes: str) -> list[list[Any]]:
    """What each of `probes` says at each stop of the film that is open, in order of the stops.

    One message goes through the whole film: one for each stop and probe takes most of the time.
    """
    said: list[list[Any]] = page.evaluate(WALK.replace("PROBES", ",\n".join(probes)))
    return said


def count_of(parts: str) -> str:
    """A probe that tells how many there are of `parts` of a film."""
    return f"() => globalThis.__hopFilm.root.querySelectorAll('{parts}').length"


def texts_of(parts: str) -> str:
    """A probe that tells what `parts` of a film say, as they are seen."""
    all_ = f"[...globalThis.__hopFilm.root.querySelectorAll('{parts}')]"
    return f"() => {all_}.map((of) => of.innerText)"


def made_for(sample: Path, retriever: str) -> None:
    """What `retriever` needs of the index, if it is not there: its page would ask for it."""
    stands = open_workbench(str(sample))
    workbench = Workbench(stands.index, stands.embedder, making=silent)
    record(make(retriever, workbench), QUESTION, workbench.index)
