"""Choices of a walk over the hop graph that a person makes otherwise, and their text.

    take(EDGE@VERTEX)     follow this edge there, besides what is followed
    refuse(EDGE@VERTEX)   do not follow it there
    judge(EDGE@VERTEX)    follow this edge there and no other one; nobody is asked
    judge(@VERTEX)        follow none there; nobody is asked
    start(PASSAGE)        start there too
    skip(PASSAGE)         do not start there

Several are separated by commas; their order means nothing. Ids are percent-encoded. A walk takes
each vertex from its queue once, so edge and vertex say when. In a retrieval of several walks they
hold for each of them.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias
from urllib.parse import quote, unquote

from core.errors import InputError

MOST = 50
"""Amendments of one retrieval."""
LONGEST = 20_000
"""Characters of their text."""
_SHAPE = re.compile(r"([a-z]{1,10})\(([A-Za-z0-9_.~%-]*)(@?)([A-Za-z0-9_.~%-]*)\)")
_WRITE = (
    "Write take(EDGE@VERTEX), refuse(EDGE@VERTEX), judge(EDGE@VERTEX), judge(@VERTEX), "
    "start(PASSAGE) or skip(PASSAGE), separated by commas."
)


@dataclass(frozen=True, slots=True)
class Take:
    """Follow the edge `tie` at the vertex `at` too, whether it was on offer there or not."""

    at: str
    tie: str

    def __str__(self) -> str:
        return f"take({_edge(self.tie, self.at)})"


@dataclass(frozen=True, slots=True)
class Refuse:
    """Do not follow the edge `tie` at the vertex `at`."""

    at: str
    tie: str

    def __str__(self) -> str:
        return f"refuse({_edge(self.tie, self.at)})"


@dataclass(frozen=True, slots=True)
class Judge:
    """Follow `tie` at the vertex `at` and nothing else, or nothing at all where it is None.

    A model is not asked there.
    """

    at: str
    tie: str | None

    def __str__(self) -> str:
        return f"judge({_edge(self.tie or '', self.at)})"


@dataclass(frozen=True, slots=True)
class Seed:
    """Start at the passage `at` too; or do not start there, where it is not `added`."""

    at: str
    added: bool

    def __str__(self) -> str:
        return f"{'start' if self.added else 'skip'}({quote(self.at, safe='')})"


Amendment: TypeAlias = Take | Refuse | Judge | Seed
Amendments: TypeAlias = tuple[Amendment, ...]
PLAIN: Amendments = ()
"""A walk as its retriever takes it."""


def amendments_text(amendments: Iterable[Amendment]) -> str:
    """Return the amendments as text, which `parse` reads.

    >>> amendments_text([Take("a", "a>b"), Seed("c", added=False)])
    'take(a%3Eb@a),skip(c)'
    """
    return ",".join(map(str, amendments))


def parse(text: str) -> Amendments:
    """Parse amendments from a text, which may be untrusted; duplicates are dropped.

    >>> parse("judge(@a)")
    (Judge(at='a', tie=None),)

    Raises
    ------
    InputError : it is none, too long, or says of one thing two that cannot both be.
    """
    if len(text) > LONGEST:
        raise InputError(f"The amendments have more than {LONGEST:,} characters. Remove some.")
    amendments: dict[Amendment, None] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        one = _parse_amendment(part)
        if any(_contradict(one, other) for other in amendments):
            raise InputError(
                f"{str(one)[:80]!r} conflicts with another amendment. Remove one of them."
            )
        amendments[one] = None
    if len(amendments) > MOST:
        raise InputError(f"There are more than {MOST} amendments. Remove some.")
    return tuple(amendments)


def append_amendment(amendments: Iterable[Amendment], one: Amendment) -> Amendments:
    """Append an amendment, and drop earlier ones that it replaces.

    A judgement replaces all amendments of edges at its vertex.
    """
    return (*(other for other in amendments if other != one and not _taken_back(other, one)), one)


def _parse_amendment(part: str) -> Amendment:
    """Parse one amendment, such as `judge(@a)`; InputError if it is malformed."""
    shape = _SHAPE.fullmatch(part)
    if shape is None:
        raise _unreadable(part)
    verb, first, sign, at = shape.groups()
    first, at = _decode_id(first, part), _decode_id(at, part)
    if sign and at and (verb == "judge" or first):
        made: dict[str, Amendment] = {
            "take": Take(at, first),
            "refuse": Refuse(at, first),
            "judge": Judge(at, first or None),
        }
        if verb in made:
            return made[verb]
    if not sign and first and verb in ("start", "skip"):
        return Seed(first, verb == "start")
    raise _unreadable(part)


def _decode_id(encoded: str, part: str) -> str:
    """Decode a percent-encoded id; InputError if it is not UTF-8."""
    try:
        return unquote(encoded, errors="strict")
    except UnicodeDecodeError:
        raise _unreadable(part) from None


def _edge(tie: str, at: str) -> str:
    return f"{quote(tie, safe='')}@{quote(at, safe='')}"


def _contradict(one: Amendment, other: Amendment) -> bool:
    """Return whether the two amendments contradict each other."""
    if one.at != other.at or one == other:
        return False
    match one, other:
        case (Seed(), Seed()) | (Judge(), Judge()):
            return True
        case (Take(tie=a), Refuse(tie=b)) | (Refuse(tie=a), Take(tie=b)):
            return a == b
        case (Judge(tie=a), Refuse(tie=b)) | (Refuse(tie=b), Judge(tie=a)):
            return a == b
    return False


def _taken_back(other: Amendment, one: Amendment) -> bool:
    judged = isinstance(one, Judge) and isinstance(other, Take | Refuse) and other.at == one.at
    return judged or _contradict(one, other)


def _unreadable(part: str) -> InputError:
    return InputError(f"{part[:80]!r} is not a change to a walk. {_WRITE}")
