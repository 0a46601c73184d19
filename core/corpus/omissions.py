"""Count what a reader leaves out or changes, so that the user is told.

A reader, or anything it calls, reports with `count`. Whoever reads a file collects the reports with
`tallying`. The reports of all files are then added up, see `sentences`.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

_NAMED = 3  # files that are named with their own number
_current: ContextVar[Counter[str] | None] = ContextVar("tally", default=None)


@contextmanager
def tallying() -> Iterator[Counter[str]]:
    """Collect the counts of omissions and changes made inside this context."""
    counts: Counter[str] = Counter()
    token = _current.set(counts)
    try:
        yield counts
    finally:
        _current.reset(token)


def count(what: str, number: int = 1) -> None:
    """Add `number` to what is left out or changed in the file that is being read.

    Parameters
    ----------
    what : words that follow the number, with `{s}` for the plural: "hidden element{s} left out".
    """
    tally = _current.get()
    if tally is not None and number:
        tally[what] += number


def sentences(tallies: Iterable[tuple[str, Mapping[str, int]]]) -> list[str]:
    """Return one sentence for each kind of change, over all files.

    Parameters
    ----------
    tallies : the name of each file, and what was counted in it.

    Examples
    --------
    >>> sentences([("a.html", {"form control{s} left out": 2}), ("b.txt", {})])
    ['a.html: 2 form controls left out']
    """
    files: dict[str, Counter[str]] = defaultdict(Counter)
    for name, tally in tallies:
        for what, number in tally.items():
            files[what][name] += number
    return [_sentence(what, numbers) for what, numbers in files.items()]


def _sentence(what: str, numbers: Counter[str]) -> str:
    """Format a count as a sentence with the files it concerns; `what` has '{s}' for the plural."""
    total = numbers.total()
    said = f"{total:,} {what.replace('{s}', '' if total == 1 else 's')}"
    if len(numbers) == 1:
        return f"{next(iter(numbers))}: {said}"
    named = ", ".join(f"{name} {number:,}" for name, number in numbers.most_common(_NAMED))
    more = len(numbers) - _NAMED
    return f"{len(numbers):,} files: {said} ({named}{f', and {more:,} more' if more > 0 else ''})"
