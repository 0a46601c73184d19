"""Text that was split across consecutive passages of a document, which may overlap."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from core.evidence.normalising import Text, is_punctuation

_LEAST_SHARED = 2
"""Fewer words may end a passage and begin the next by chance."""

_MOST_REPEATS = 20
"""How often a passage is looked for in one text."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Tokens of a text from `start` to `end`, and the numbers of the passages that contain them."""

    start: int
    end: int
    passages: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Cover:
    """The passages of a document that together contain a text.

    Parameters
    ----------
    stretches : the fewest that are the whole text, apart from punctuation.
    pieces : what each passage holds of the text, however much others hold of it.
    """

    stretches: tuple[Stretch, ...]
    pieces: tuple[Stretch, ...]


def cover(wanted: Text, chain: Sequence[Text], positions: Sequence[int]) -> Cover | None:
    """Split `wanted` across consecutive passages; None if they do not contain it.

    Parameters
    ----------
    chain : passages of a document in order.
    positions : their positions in the document.
    """
    for run in _runs(wanted, chain, positions):
        if stretches := _fewest(wanted.tokens, run):
            return Cover(tuple(stretches), tuple(run))
    return None


Kind = TypeVar("Kind")


def consecutive(chain: Sequence[Kind], positions: Sequence[int]) -> list[list[Kind]]:
    """Return the runs of passages that follow one another in their document."""
    runs: list[list[Kind]] = []
    last = None
    for each, position in zip(chain, positions, strict=True):
        if last is None or position > last + 1:
            runs.append([])
        runs[-1].append(each)
        last = position
    return runs


def joined(passages: Sequence[Sequence[str]]) -> tuple[list[str], list[int]]:
    """Return the words of consecutive passages, and the number of the passage that each is from.

    Words that a passage shares with the end of the one before, as windows do, are there once.
    """
    parts: list[str] = []
    holders: list[int] = []
    for number, held in enumerate(passages):
        before = passages[number - 1] if number else ()
        shared = _overlap(before, held) if before and held else 0
        fresh = held[shared if shared >= _LEAST_SHARED else 0 :]
        parts += fresh
        holders += [number] * len(fresh)
    return parts, holders


def _runs(wanted: Text, chain: Sequence[Text], positions: Sequence[int]) -> Iterator[list[Stretch]]:
    """Yield the pieces in consecutive passages that hold one after the other, as long as possible.

    A piece that begins before those of the passage before is of a copy, and begins another run.
    """
    run: list[Stretch] = []
    start, last = 0, -1
    for number, (passage, position) in enumerate(zip(chain, positions, strict=True)):
        pieces = [Stretch(*piece, (number,)) for piece in _pieces(wanted, passage)]
        later = [each for each in pieces if each.start >= start]
        if run and (not later or position > last + 1):
            yield run
            run = []
        run += later if run else pieces
        start = min((each.start for each in run if number in each.passages), default=0)
        last = position
    yield run


def _pieces(wanted: Text, passage: Text) -> Iterator[tuple[int, int]]:
    """Yield the stretches of `wanted` that a passage holds which is cut where they end."""
    if not passage.tokens:
        return
    size, held = len(wanted.tokens), len(passage.tokens)
    at, number = -1, 0
    for _ in range(_MOST_REPEATS):
        place = wanted.spaced.find(passage.spaced, at + 1)
        if place < 0:
            break
        number += wanted.spaced.count(" ", max(at, 0), place)
        at = place
        yield number, number + held
    if begun := _overlap(passage.tokens, wanted.tokens):
        yield 0, begun
    if ended := _overlap(wanted.tokens, passage.tokens):
        yield size - ended, size


def _overlap(before: Sequence[str], after: Sequence[str]) -> int:
    """Count the tokens at the end of `before` that are the first of `after`, at most.

    By the prefix function of Knuth, Morris and Pratt: linear however a text repeats itself.
    """
    most = min(len(before), len(after))
    text = [*after[:most], "", *before[-most:]]  # no token is empty
    if before[-1] not in text[:most]:
        return 0
    shared = [0] * len(text)
    for at in range(1, len(text)):
        size = shared[at - 1]
        while size and text[at] != text[size]:
            size = shared[size - 1]
        shared[at] = size + (text[at] == text[size])
    return shared[-1]


def _fewest(tokens: Sequence[str], pieces: Sequence[Stretch]) -> list[Stretch]:
    """Return the fewest stretches that cover all `tokens`; none if a token is not covered.

    Each has the passages of every piece that ends where it ends.
    """
    waiting = sorted(pieces, key=lambda each: -each.start)
    reaching: list[Stretch] = []
    stretches: list[Stretch] = []
    at = 0
    while at < len(tokens):
        while waiting and waiting[-1].start <= at:
            reaching.append(waiting.pop())
        reaching = [each for each in reaching if each.end > at]
        if reaching:
            end = max(each.end for each in reaching)
            same = {each.passages[0] for each in reaching if each.end == end}
            stretches.append(Stretch(at, end, tuple(sorted(same))))
            at = end
        elif is_punctuation(tokens[at]):  # such as a line '---', which is in no passage
            at += 1
        else:
            return []
    return stretches
