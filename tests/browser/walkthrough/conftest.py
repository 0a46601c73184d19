"""A page for each walkthrough, and a window that opens them without a server."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core.artefacts.workbench import Workbench
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
from tests.browser.walkthrough.story_pages import (
    AUDIENCE,
    BACKWARDS,
    CHAIN_BREAKS,
    COMES_BACK,
    LOST,
    PROBES,
    RETRIEVERS,
    longest,
    resize,
)


@pytest.fixture(scope="session")
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


@pytest.fixture(scope="session")
def offline(browser: Any) -> Iterator[Any]:
    """A window for all pages: one of its own would load and compile all scripts for each page.

    Its first tab stays, and with it the process in which they are compiled.
    """
    context = browser.new_context(reduced_motion="reduce", offline=True)
    context.add_init_script(path=PROBES)
    context.new_page().goto(PROBES.as_uri())
    yield context
    context.close()


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
