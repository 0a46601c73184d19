"""What can be found: a title, and the page and parameters that show it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from core.retrievers import CARDS
from core.runs import Run
from core.types import Passage, Query

Kind = Literal["page", "question", "passage", "run", "method", "index"]
_EXCERPT = 140  # characters


@dataclass(frozen=True, slots=True)
class Entry:
    """Something that a page of the application shows.

    Parameters
    ----------
    title : what it is called, and what is searched.
    detail : a second line; it is not searched.
    page : name of the page that shows it.
    params : query parameters of the page's address.
    editors_only : whether readers cannot open it.
    """

    kind: Kind
    title: str
    detail: str
    page: str
    params: Mapping[str, str] = field(default_factory=dict)
    editors_only: bool = False


def method_entries() -> list[Entry]:
    """Return an entry for each retriever."""
    return [
        Entry("method", card.title, card.summary, "methods", {"method": key})
        for key, card in CARDS.items()
    ]


def index_entries(names: Iterable[str]) -> list[Entry]:
    """Return an entry for each finished index of these names."""
    return [Entry("index", name, "Index", "trace", {"index": name}) for name in names]


def run_entries(index: str, runs: Iterable[Run]) -> list[Entry]:
    """Return an entry for each run of an index."""
    return [
        Entry(
            "run",
            run.name,
            f"{index} · {run.questions:,} question{'' if run.questions == 1 else 's'}",
            "evaluate",
            {"index": index, "run": run.id},
        )
        for run in runs
    ]


def question_entry(index: str, question: Query) -> Entry:
    """Return the search entry for a question."""
    detail = " · ".join(filter(None, (question.type, question.dataset)))
    return Entry("question", question.text, detail, "trace", {"index": index, "q": question.text})


def passage_entry(index: str, passage: Passage) -> Entry:
    """Return the search entry for a passage."""
    return Entry(
        "passage",
        passage.title or passage.id,
        passage.text[:_EXCERPT],
        "explore",
        {"index": index, "passage": passage.id},
    )
