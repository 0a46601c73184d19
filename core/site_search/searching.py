"""Find pages, questions, passages, runs, methods and indexes by what is typed."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.artefacts.workbench import Workbench
from core.explore.searching import by_words
from core.site_search.entries import Entry, Kind, passage_entry, question_entry
from core.site_search.matching import Titles, closeness
from core.visitors.roles import Visitor

LIMIT = 5
"""Entries of a kind."""
_TITLES: dict[Kind, str] = {
    "page": "Pages",
    "help": "Help",
    "question": "Questions",
    "passage": "Passages",
    "run": "Runs",
    "method": "Methods",
    "index": "Indexes",
}


@dataclass(frozen=True, slots=True)
class Group:
    """Found entries of one kind, best first, and the heading of the kind."""

    title: str
    entries: tuple[Entry, ...]


class IndexTexts:
    """The questions and passages of one index, prepared for many searches.

    The titles of a large index are not read: its own search finds them.
    """

    def __init__(self, workbench: Workbench) -> None:
        index = workbench.index
        self._workbench = workbench
        self._questions = [question_entry(index.name, one) for one in index.questions]
        self._asked = Titles([one.title for one in self._questions])
        titles = [] if index.large else [passage.title for passage in index.passages]
        self._titles = Titles(titles)

    def questions(self, text: str) -> list[Entry]:
        """Return at most `LIMIT` questions that match `text`."""
        return [self._questions[place] for place in self._asked.best(text, LIMIT)]

    def passages(self, text: str) -> list[Entry]:
        """Return at most `LIMIT` passages: by title, then by the words of their text."""
        index = self._workbench.index
        if index.large:
            named = [passage.id for passage in index.search(text, LIMIT)]
        else:
            named = [index.ids[place] for place in self._titles.best(text, LIMIT)]
        by_text = [held.passage.id for held in by_words(self._workbench, text, LIMIT).held]
        # Titles do not take every place: words of a text are found nowhere else.
        most = named[: LIMIT - 2] if len(by_text) > 1 else named
        ids = list(dict.fromkeys([*most, *by_text, *named]))[:LIMIT]
        return [passage_entry(index.name, index.titled(one), text) for one in ids]


def search(
    text: str, entries: Iterable[Entry], visitor: Visitor, index: IndexTexts | None = None
) -> tuple[Group, ...]:
    """Return what matches `text` and `visitor` may open, grouped by kind.

    Parameters
    ----------
    entries : pages, help, runs, methods and indexes.
    index : questions and passages; none are found without it.

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
    for kind in ("page", "help", "run", "method", "index"):
        of_kind = [one for one in allowed if one.kind == kind]
        places = Titles([one.title for one in of_kind]).best(text, LIMIT)
        hits += [of_kind[place] for place in places]
    if index:
        hits += [*index.questions(text), *index.passages(text)]
    return tuple(
        sorted(
            groups_of(hits),
            key=lambda group: min(closeness(one.title, text) for one in group.entries),
        )
    )


def groups_of(entries: Sequence[Entry]) -> tuple[Group, ...]:
    """Return `entries` grouped by kind, in the order of `_TITLES`."""
    kept = {kind: tuple(one for one in entries if one.kind == kind) for kind in _TITLES}
    return tuple(Group(_TITLES[kind], some) for kind, some in kept.items() if some)
