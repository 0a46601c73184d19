"""Shared by the decomposition rules: names in a question, and the wording of sub-questions."""

import re
from dataclasses import dataclass

from core.text.decomposition.placeholders import PLACE
from core.text.entities.keywords import Keywords
from core.text.stop_words import STOP_WORDS
from core.text.tokens import bare, words

_BRACKET = re.compile(r"\s?\([^()]{1,60}\)")
_QUOTES = '"“”„«»'
_ABBREVIATED = re.compile(r"(?:\b[A-Z]\.)+[A-Z]$")
_JOINT = re.compile(r"[\s\-–&:]{1,3}")
_PEOPLE = re.compile(
    r"(?:\b|-)(?:\w+(?:[eo]rs?|ists?|ians?|man|woman)|spouse|wife|husband|child|son|sibling|king|queen"
    r"|president|pope|individual|person|stars?|individuals|people|band members?)$"
)
_NOT_PEOPLE = re.compile(
    r"\b(?:predecessor|successor|river|order|number|chapter|border|water|mater|character|paper|letter)$"
)
_MANY = re.compile(r"[^siu]s$")
_EMPTY = frozenset("name called known title type kind".split())


@dataclass(frozen=True, slots=True)
class Names:
    """The spans of the names and places of a question, in order, none inside another."""

    spans: tuple[tuple[int, int], ...]

    def starting(self, at: int) -> int | None:
        """Return the end of the name that starts at `at`, or None."""
        return next((end for start, end in self.spans if start == at), None)

    def within(self, start: int, end: int) -> list[tuple[int, int]]:
        return [span for span in self.spans if start <= span[0] and span[1] <= end]

    def around(self, at: int) -> bool:
        """Check whether the character at `at` is part of a name."""
        return any(start <= at < end for start, end in self.spans)


def names_in(text: str, keywords: Keywords) -> Names:
    """Return the names in `text` with quotes and brackets, and its placeholders."""
    spans: list[tuple[int, int, str]] = [(m.start, m.end, m.kind) for m in keywords.mentions(text)]
    spans += [(match.start(), match.end(), "place") for match in PLACE.finditer(text)]
    merged: list[tuple[int, int, bool]] = []
    for start, end, kind in sorted(spans, key=lambda one: (one[0], -one[1])):
        named = kind != "number"
        if merged and start < merged[-1][1]:
            first, last, is_name = merged[-1]
            merged[-1] = (first, max(last, end), is_name or named)
        elif merged and _JOINT.fullmatch(text, merged[-1][1], start) and kind != "place":
            first, _, is_name = merged[-1]
            merged[-1] = (first, end, is_name or named)
        else:
            merged.append((start, end, named))
    return Names(tuple(_full_span(text, start, end) for start, end, named in merged if named))


def _full_span(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span of a name with its article, quotes and bracket, without possessive."""
    start -= 4 * text[:start].endswith(" The ")
    end = start + len(bare(text[start:end]))
    if start and text[start - 1] in _QUOTES and text[end : end + 1] in tuple(_QUOTES):
        start, end = start - 1, end + 1
    if _ABBREVIATED.search(text[start:end]) and text[end : end + 1] == ".":
        end += 1
    bracket = _BRACKET.match(text, end)
    return start, bracket.end() if bracket else end


def who_or_what(description: str) -> str:
    """Return `Who is` if a description is of people, else `What is`."""
    head = description.strip().casefold()
    who = "Who" if _PEOPLE.search(head) and not _NOT_PEOPLE.search(head) else "What"
    return f"{who} {'are' if _MANY.search(head) else 'is'}"


def asks_something(text: str) -> bool:
    """Check whether a question has content besides placeholders."""
    content = set(words(PLACE.sub(" ", text))) - STOP_WORDS - _EMPTY
    return bool(content)
