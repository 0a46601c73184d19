"""Extract aliases and types of an entity from the first sentence of its passage.

Rules for English, in place of a model that reads each passage. 'Ada Mary Birch (born 1952), known
as Ladybird, is a Scottish potter.' has two other names and the kind 'potter'.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from core.artefacts.entity_graph.graph import is_linkable
from core.text.entities.mentions import entity_key
from core.text.sentences import sentences

_BRACKETED = re.compile(r"\(([^()]{2,60})\)\s*$")
_HEAD = re.compile(r"((?:(?! refers? to).){2,80}?)\s*(?=[(,;:–—]|\b(?:is|was|are|were)\b)")
_CALLED = re.compile(
    r"(?:\b(?:known|called|titled|written|abbreviated|shortened|nicknamed)\b"
    r"(?: (?:simply|professionally|commonly|mononymously|also|in English))*(?: as| by| to| simply)?"
    r"|\b(?:born|né|née|a\.k\.a\.|aka|abbreviated))\s+(?:the )?[\"“'‘]?"
    r"(?P<name>(?!\w+ \d)[A-Z][\w.’'&-]*(?: (?:of |the |and |de |von )?[A-Z][\w.’'&-]*){0,5})"
)
_OR = re.compile(r"\s(?:or|née|né|born)\s")
_INITIALS = re.compile(r"\(([A-Z][A-Z.&-]{1,9})[);,]")
_DEFINES = re.compile(r"\b(?:is|was|are|were)\s+(?:an?|the|one of the)\s+(?P<what>[^.;]{2,120})")
_END = re.compile(
    r"[,(]|\b(?:of|who|whom|whose|that|which|where|when|in|on|at|from|for|by|and|or|with|to|as|near"
    r"|between|along|based|set|born|known|about|under|into|is|was|\w+ed|starring|written|made|held)\b"
)
_WORD = re.compile(r"[A-Za-z-]+")
_NO_KIND = frozenset("born best name term disambiguation one first only part number".split())


@dataclass(frozen=True, slots=True)
class Defined:
    """Aliases in their normal form, and types of one word each."""

    aliases: frozenset[str] = frozenset()
    types: frozenset[str] = frozenset()


def definition_of(title: str, name: str, text: str) -> Defined:
    """Extract the aliases and types that a passage's first sentence gives to `name`.

    Parameters
    ----------
    title : may end in a bracket that also names a type: 'Low Tide (film)'.
    """
    own, opening = entity_key(name), next(iter(sentences(text[:600])), "")
    head = _HEAD.match(opening)
    subjects = [entity_key(one) for one in _OR.split(head[1])] if head else []
    if _OR.search(name):  # 'A Dream or Two Ago'
        subjects = subjects[:1]
    if not own or not subjects or not _is_about(subjects[0], own):
        return Defined(types=frozenset(_bracket(title)))
    what = _DEFINES.search(opening)
    before = opening[: what.start()] if what else opening
    # 'Inside Man' is no other name of 'Inside Man: Most Wanted', nor 'Charles I' of a landgrave.
    aliases_before = {one for one in subjects if " " in one and not own.startswith(f"{one} ")}
    aliases_before |= set(map(entity_key, _other_names(before)))
    aliases = frozenset(one for one in aliases_before - {own} if is_linkable(one))
    types = {kind} if what and (kind := _kind(what["what"])) else set()
    return Defined(aliases, frozenset(types.union(_bracket(title))))


def _is_about(subject: str, own: str) -> bool:
    """Check whether a sentence with the subject `subject` is about the name `own`."""
    one, other = subject.split(), own.split()
    short, long = sorted((one, other), key=len)
    return bool(short) and (one == other or set(short) <= set(long))


def _other_names(text: str) -> Iterator[str]:
    yield from (match["name"] for match in _CALLED.finditer(text))
    yield from (match[1].replace(".", "") for match in _INITIALS.finditer(text))


def _kind(what: str) -> str:
    """Return the head noun of a description: 'film' of 'a 1998 drama film directed by'.

    >>> _kind("1998 American drama film directed by Mara Quist")
    'film'
    """
    end = _END.search(what)
    words = _WORD.findall(what[: end.start()] if end else what)
    return words[-1] if words and _is_kind(words[-1]) else ""


def _bracket(title: str) -> Iterator[str]:
    """Yield the last word in a title's bracket, years aside: 'film' of 'Low Tide (1998 film)'."""
    if match := _BRACKETED.search(title):
        words = _WORD.findall(match[1])
        if words and _is_kind(words[-1]):
            yield words[-1]


def _is_kind(word: str) -> bool:
    return word.islower() and word not in _NO_KIND and not word.endswith("ly")
