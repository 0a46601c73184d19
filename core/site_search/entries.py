"""What can be found: a title, and the page and parameters that show it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from core.evidence import Piece
from core.help_pages import help_pages
from core.retrievers import CARDS
from core.runs import Run
from core.site_search.snippets import snippet
from core.types import Passage, Query

Kind = Literal["page", "help", "question", "passage", "run", "method", "index"]


@dataclass(frozen=True, slots=True)
class Entry:
    """Something that a page of the application shows.

    Parameters
    ----------
    title : what it is called, and what is searched.
    detail : a second line in pieces, of which those that match what is searched are marked.
    page : name of the page that shows it.
    params : query parameters of the page's address.
    editors_only : whether readers cannot open it.
    """

    kind: Kind
    title: str
    detail: tuple[Piece, ...]
    page: str
    params: Mapping[str, str] = field(default_factory=dict)
    editors_only: bool = False


def method_entries() -> list[Entry]:
    """Return an entry for each retriever."""
    return [
        Entry("method", card.title, _plain(card.summary), "methods", {"method": key})
        for key, card in CARDS.items()
    ]


def help_entries() -> list[Entry]:
    """Return an entry for each page of the help and each of its sections."""
    pages = help_pages().values()
    whole = [
        Entry("help", page.title, _plain("Help"), "help", {"topic": page.name}) for page in pages
    ]
    sections = [
        Entry("help", heading, _plain(f"Help · {page.title}"), "help", {"topic": page.name})
        for page in pages
        for heading in page.sections
    ]
    return [*whole, *sections]


def index_entries(names: Iterable[str]) -> list[Entry]:
    """Return an entry for each finished index of these names."""
    return [Entry("index", name, _plain("Index"), "trace", {"index": name}) for name in names]


def run_entries(index: str, runs: Iterable[Run]) -> list[Entry]:
    """Return an entry for each run of an index."""
    return [
        Entry(
            "run",
            run.name,
            _plain(f"{index} · {run.questions:,} question{'' if run.questions == 1 else 's'}"),
            "evaluate",
            {"index": index, "run": run.id},
        )
        for run in runs
    ]


def question_entry(index: str, question: Query) -> Entry:
    """Return the search entry for a question."""
    detail = _plain(" · ".join(filter(None, (question.type, question.dataset))))
    return Entry("question", question.text, detail, "trace", {"index": index, "q": question.text})


def passage_entry(index: str, passage: Passage, typed: str) -> Entry:
    """Return the search entry of a passage that matches the text `typed`."""
    return Entry(
        "passage",
        passage.title or passage.id,
        snippet(passage.text, typed),
        "explore",
        {"index": index, "passage": passage.id},
    )


def _plain(text: str) -> tuple[Piece, ...]:
    """A text in which nothing is marked."""
    return ((text, False),) if text else ()
