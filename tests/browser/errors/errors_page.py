"""The page Errors in a browser: an index with a run, and what is said on it."""

import time
from pathlib import Path
from typing import Any

from core.artefacts.workbench import Workbench
from core.indexing.updates import build
from core.models.embedder import Embedder, load_embedder
from core.retrievers import Spec
from core.reviews import Reviews
from core.runs import measuring
from core.settings import BUNDLED_EMBEDDER
from core.store.index import Index
from core.types import Document, Query
from tests.browser.serving import Server, idle
from tests.core.five import QUESTION, corpus, silent

ASKED, PROGRESS = ".hop-case-asked b", ".hop-progress b"


INDEX = "judged"


LOST = "hoprag-coverage(top_k=1,n_hop=1)"


NOTE = "Stayed at the club."


QUESTIONS = (
    QUESTION,
    Query("q2", "Where did the husband of Mara Quist tour?", (), ("owner", "singer")),
    Query("q3", "On which river lies the town of the Lantern Ground?", (), ("stadium", "town")),
)


NEW = Document("ferry", "Ferry", "A ferry was repainted in the spring.", "ferry.txt")


ON = ".st-key-errors_labels button[aria-pressed=true]"


NOTES = "[class*='st-key-errors_note'] textarea"


SIGN = ".st-key-errors_typing [aria-hidden]"


STAGE = ".walkthrough .headline"


def measured(server: Server, name: str, index: str = INDEX) -> tuple[Path, Embedder]:
    """The folder of an index that a run of this name has asked everything, with its embedder."""
    folder, embedder = server.home / "indexes" / index, load_embedder(BUNDLED_EMBEDDER)
    build(folder, corpus(queries=QUESTIONS), embedder, silent)
    bench = Workbench(Index.open(folder, embedder.info), embedder, making=silent)
    spec = Spec.parse(LOST)
    run = measuring.begin(bench, QUESTIONS, [spec], name=name, question_set="three.jsonl")
    measuring.measure(run, bench)
    return folder, embedder


def opened(page: Any, server: Server, index: str = INDEX) -> None:
    page.goto(f"{server.url}/errors?index={index}")
    page.locator(STAGE).wait_for()
    idle(page)


def signed(page: Any, name: str = "ann") -> None:
    new, default = page.get_by_role("textbox", name="Your name"), page.get_by_text("Reviewing as")
    new.or_(default).first.wait_for()
    if not new.count():  # the default name is changed
        default.click()
        new = page.get_by_role("textbox", name="Change name")
    new.fill(name)
    page.keyboard.press("Enter")
    new.wait_for(state="detached")
    page.locator(".st-key-errors_fail").wait_for()
    idle(page)


def said(page: Any) -> tuple[str, str, list[str], str]:
    """The question, the progress, the labels that are on, and the note."""
    return (
        page.locator(ASKED).inner_text(),
        page.locator(PROGRESS).inner_text(),
        page.locator(ON).all_inner_texts(),
        page.locator(NOTES).input_value(),
    )


def noted(reviews: Reviews, reviewer: str) -> str:
    return next((one.note for one in reviews.all(reviewer)), "")


def until_noted(page: Any, reviews: Reviews, reviewer: str, text: str) -> None:
    until = time.monotonic() + 20
    while noted(reviews, reviewer) != text and time.monotonic() < until:
        page.wait_for_timeout(50)
    assert noted(reviews, reviewer) == text


def turned(page: Any, key: str) -> None:
    before = page.locator(ASKED).inner_text()
    page.keyboard.press(key)
    page.wait_for_function(
        f"""before => {{
            const now = document.querySelector('{ASKED}').innerText;
            return now !== before && globalThis.__hopWalkthrough.data.query === now;
        }}""",
        arg=before,
    )
    idle(page)
