"""Entries of the search: a title, and the page and parameters that show it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from core.evidence import Piece
from core.glossary import GLOSSARY
from core.help_pages import help_pages
from core.retrievers import CARDS, Spec
from core.runs import Run
from core.site_search.snippets import snippet
from core.studies.naming import run_title
from core.text.display.question_types import named
from core.types import Passage, Query

Kind = Literal["page", "help", "question", "passage", "run", "method", "setting", "index"]

_APP_SETTINGS = (
    ("Theme", "light or dark: in the menu ⋮ at the top right of every page"),
    ("Embedder for new indexes", "Settings"),
    ("Embedder on a server", "Settings"),
    ("Language model", "Settings: server URL, model and key"),
    ("Folders", "Settings: where indexes and uploads are stored"),
    ("Environment", "Settings: variables that are read when the app starts"),
    ("Installed", "Settings: versions of libraries"),
)


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
    also : other words by which it is found.
    """

    kind: Kind
    title: str
    detail: tuple[Piece, ...]
    page: str
    params: Mapping[str, str] = field(default_factory=dict)
    editors_only: bool = False
    also: str = ""


def method_entries() -> list[Entry]:
    """Return an entry for each retriever."""
    return [
        Entry("method", card.title, _plain(card.summary), "methods", {"method": key})
        for key, card in CARDS.items()
    ]


def setting_entries() -> list[Entry]:
    """Return an entry for each setting of the application and of each retriever."""
    own = [
        Entry("setting", title, _plain(said), "settings", editors_only=True)
        for title, said in _APP_SETTINGS
    ]
    return [*own, *(entry for key in CARDS for entry in _retriever_settings(key))]


def _retriever_settings(key: str) -> list[Entry]:
    """Return an entry for each setting of a retriever, found by its title, name and meaning."""
    return [
        Entry(
            "setting",
            one.title,
            _plain(f"{CARDS[key].title} · {one.name}: {one.setting.says}"),
            "methods",
            {"method": key},
            also=f"{one.name}{' weight' if one.kind is float else ''} {one.setting.says}",
        )
        for one in Spec(key).declared
    ]


def help_entries() -> list[Entry]:
    """Return an entry for each page of the help, each of its sections and each glossary term."""
    pages = help_pages().values()
    whole = [
        Entry("help", page.title, _plain("Help"), "help", {"topic": page.name}) for page in pages
    ]
    sections = [
        Entry("help", heading, _plain(f"Help · {page.title}"), "help", {"topic": page.name})
        for page in pages
        for heading in page.sections
    ]
    terms = [
        Entry(
            "help",
            term.name,
            _plain(f"Glossary · {term.meaning}"),
            "help",
            {"topic": "glossary", "term": key},
            also=term.symbol,
        )
        for key, term in GLOSSARY.items()
    ]
    return [*whole, *sections, *terms]


def index_entries(names: Iterable[str]) -> list[Entry]:
    """Return an entry for each finished index of these names."""
    return [Entry("index", name, _plain("Index"), "trace", {"index": name}) for name in names]


def run_entries(index: str, runs: Iterable[Run]) -> list[Entry]:
    """Return an entry for each run of an index."""
    return [
        Entry(
            "run",
            run_title(run),
            _plain(f"{index} · {run.questions:,} question{'' if run.questions == 1 else 's'}"),
            "evaluate",
            {"index": index, "run": run.id},
        )
        for run in runs
    ]


def question_entry(index: str, question: Query) -> Entry:
    """Return the search entry for a question."""
    detail = _plain(" · ".join(filter(None, (named(question.type), question.dataset))))
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
    """Return a text in which nothing is marked."""
    return ((text, False),) if text else ()
