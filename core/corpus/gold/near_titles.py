"""Titles that gold probably means, where it names a document that a corpus does not have."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice

from rapidfuzz import fuzz, process
from rapidfuzz.utils import default_process

from core.corpus.ids.document_ids import Identities
from core.types import Query

LEAST = 82
"""Least `rapidfuzz.fuzz.token_sort_ratio` of a near title, in [0, 100], without punctuation."""
MOST_TITLES = 100_000
"""Titles of an index that are compared with a reference; of more, none is."""
_TITLES = 3  # of a reference
_REFERENCES = 20  # that are looked up
_LONGEST = 120  # characters of a title
_MOST_SENTENCES = 5


def near_titles(references: Iterable[str], titles: Iterable[str]) -> dict[str, Sequence[str]]:
    """Return the titles that are most like each reference, best first.

    References without a near title are left out, as are all after the first 20, and those that
    are a title, which several documents share.

    >>> near_titles(["Piet Larkin", "Runa Vos"], ["# Piet Larkin", "Runa Voss", "Harbour Rovers"])
    {'Piet Larkin': ['# Piet Larkin'], 'Runa Vos': ['Runa Voss']}
    """
    short = (name for name in dict.fromkeys(references) if 0 < len(name) <= _LONGEST)
    wanted = list(islice(short, _REFERENCES))
    if not wanted:
        return {}
    known = {title: default_process(title) for title in titles if len(title) <= _LONGEST}
    found = {name: _nearest(default_process(name), known) for name in wanted if name not in known}
    return {name: near for name, near in found.items() if near}


def _nearest(wanted: str, known: Mapping[str, str]) -> list[str]:
    """Return up to three titles that are near enough to `wanted`, best first."""
    if not wanted:
        return []
    near = process.extract(
        wanted, known, scorer=fuzz.token_sort_ratio, score_cutoff=LEAST, limit=_TITLES
    )
    return [title for _, _, title in near]


def did_you_mean(titles: Sequence[str]) -> str:
    """Return a question that offers titles.

    >>> did_you_mean(["# Piet Larkin"]), did_you_mean(["a", "b", "c"])
    ("Did you mean '# Piet Larkin'?", "Did you mean 'a', 'b' or 'c'?")
    """
    *others, last = [f"'{title}'" for title in titles]
    return f"Did you mean {', '.join(others)}{' or ' if others else ''}{last}?"


def suggestions(near: Mapping[str, Sequence[str]]) -> list[str]:
    """Return a sentence for each of the first five references with near titles.

    >>> suggestions({"Piet Larkin": ["# Piet Larkin"]})
    ["No document is titled 'Piet Larkin'. Did you mean '# Piet Larkin'?"]
    """
    sentences = [
        f"No document is titled '{name}'. {did_you_mean(titles)}"
        for name, titles in islice(near.items(), _MOST_SENTENCES)
    ]
    more = len(near) - len(sentences)
    others = "gold reference resembles" if more == 1 else "gold references resemble"
    return [*sentences, *([f"{more:,} more {others} a document title."] if more else [])]


def named_in(query: Query) -> tuple[str, ...]:
    """Return the references of a question: its gold and the documents of its evidence."""
    return (*query.gold, *(each.document for each in query.evidence if each.document))


def notes_on_near_titles(queries: Iterable[Query], known: Identities) -> list[str]:
    """Return sentences that offer titles for gold that names no document of the corpus."""
    references = (
        name
        for query in queries
        for name in named_in(query)
        if known.find(name, query.origin) is None
    )
    return suggestions(near_titles(references, (made.title for made in known.documents)))
