"""Find pages, questions, passages, runs, methods and indexes by what is typed."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.artefacts.workbench import Workbench
from core.explore.searching import by_words
from core.places import Place
from core.site_search.entries import Entry, Kind, passage_entry, question_entry
from core.site_search.matching import Titles, closeness
from core.store.index import Index
from core.store.metadata import Meta
from core.visitors.roles import Visitor

LIMIT = 5
"""Entries of a kind."""
_FUZZY = 4  # closeness of a title that does not contain the text
_TITLES: dict[Kind, str] = {
    "page": "Pages",
    "help": "Help",
    "question": "Questions",
    "passage": "Passages",
    "run": "Runs",
    "method": "Methods",
    "setting": "Settings",
    "index": "Indexes",
}


@dataclass(frozen=True, slots=True)
class Group:
    """Found entries of one kind, best first, and the heading of the kind."""

    title: str
    entries: tuple[Entry, ...]


class IndexTitles:
    """The questions and titles of passages of one index, prepared for many searches.

    The titles of a large index are not read: its own search finds them.
    """

    def __init__(self, index: Index) -> None:
        self._index = index
        self._questions = [question_entry(index.name, one) for one in index.questions]
        self._asked = Titles([one.title for one in self._questions])
        titles = [] if index.large else [passage.title for passage in index.passages]
        self._titles = Titles(titles)

    @classmethod
    def at(cls, path: Place, meta: Meta | None = None) -> "IndexTitles":
        """Return the titles of the index at `path`."""
        return cls(Index.open(path, meta=meta))

    def questions(self, text: str) -> list[Entry]:
        """Return at most `LIMIT` questions that match `text`."""
        return [self._questions[place] for place in self._asked.best(text, LIMIT)]

    def named(self, text: str) -> list[str]:
        """Return the ids of at most `LIMIT` passages whose title matches `text`."""
        if self._index.large:
            return [passage.id for passage in self._index.search(text, LIMIT)]
        return [self._index.ids[place] for place in self._titles.best(text, LIMIT)]

    def passages(self, text: str) -> list[Entry]:
        """Return at most `LIMIT` passages whose title matches `text`."""
        return self._entries(self.named(text), text)

    def _entries(self, ids: Iterable[str], text: str) -> list[Entry]:
        index = self._index
        return [passage_entry(index.name, index.titled(one), text) for one in ids]


class IndexTexts(IndexTitles):
    """The questions and passages of one index, which are also found by the words of their text."""

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench.index)
        self._workbench = workbench

    def passages(self, text: str) -> list[Entry]:
        """Return at most `LIMIT` passages: by title, then by the words of their text."""
        named = self.named(text)
        by_text = [held.passage.id for held in by_words(self._workbench, text, LIMIT).held]
        # Titles do not take every place: words of a text are found nowhere else.
        most = named[: LIMIT - 2] if len(by_text) > 1 else named
        ids = list(dict.fromkeys([*most, *by_text, *named]))[:LIMIT]
        return self._entries(ids, text)


def search(
    text: str,
    entries: Iterable[Entry],
    visitor: Visitor,
    index: IndexTexts | None = None,
    others: Sequence[IndexTitles] = (),
) -> tuple[Group, ...]:
    """Return the entries that match `text` and that `visitor` may open, grouped by kind.

    Parameters
    ----------
    entries : pages, help, runs, methods, settings and indexes.
    index : questions and passages.
    others : questions and titles of passages of other indexes, which stand below equal matches.

    Returns
    -------
    Groups with at most `LIMIT` entries each, that of the best matching title first. Without text,
    all pages.
    """
    if visitor.role is None:
        return ()
    allowed = [one for one in entries if visitor.may_edit or not one.editors_only]
    if not text.strip():
        return groups_of([one for one in allowed if one.kind == "page"])
    hits: list[Entry] = []
    for kind in ("page", "help", "run", "method", "setting", "index"):
        of_kind = [one for one in allowed if one.kind == kind]
        hits += _titled(of_kind, text)
    indexes = [*([index] if index else []), *others]
    hits += _closest([one for each in indexes for one in each.questions(text)], text)
    hits += _closest([one for each in indexes for one in each.passages(text)], text)
    return tuple(
        sorted(
            groups_of(hits),
            key=lambda group: min(closeness(one.title, text) for one in group.entries),
        )
    )


def _titled(entries: Sequence[Entry], text: str) -> list[Entry]:
    """Return at most `LIMIT` entries that match by their title, or by what they are found by, too.

    Misspelt titles come last.
    """
    found = [entries[place] for place in Titles([one.title for one in entries]).best(text, LIMIT)]
    also = (one for one in entries if one.also and closeness(one.also, text) < _FUZZY)
    found += [one for one in also if one not in found]
    known = [min(closeness(one.title, text), closeness(one.also, text)) for one in found]
    order = sorted(range(len(found)), key=lambda place: known[place] == _FUZZY)
    return [found[place] for place in order[:LIMIT]]


def _closest(entries: list[Entry], text: str) -> list[Entry]:
    """Return at most `LIMIT` entries, those of the first index first among equal titles."""
    return sorted(entries, key=lambda one: closeness(one.title, text))[:LIMIT]


def groups_of(entries: Sequence[Entry]) -> tuple[Group, ...]:
    """Return `entries` grouped by kind, in the order of `_TITLES`."""
    kept = {kind: tuple(one for one in entries if one.kind == kind) for kind in _TITLES}
    return tuple(Group(_TITLES[kind], some) for kind, some in kept.items() if some)
