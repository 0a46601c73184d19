"""Find known names in a text."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Protocol

from core.text.entities.mentions import Mention
from core.text.scripts import is_han, is_unspaced
from core.text.tokens import Token, normal

# Names this short often occur inside longer words, so they must begin and end at word boundaries.
_SHORT = 2
LONGEST_RUN = 40
"""Most words in a name: longer names hardly occur, and each length is tried at every position."""


class KnownNames(Protocol):
    """Finds known names."""

    def mentions(self, text: str, run: list[Token]) -> Iterator[Mention]:
        """Yield the known names in `text`, whose tokens are `run`."""
        ...


def runs(run: list[Token]) -> Iterator[str]:
    """Yield every short sequence of consecutive words in `run` that could be a name."""
    parts = [normal(token.text) for token in run]
    for start in range(len(parts)):
        for end in range(start + 1, min(start + LONGEST_RUN, len(parts)) + 1):
            yield " ".join(parts[start:end])


def openings(text: str, run: list[Token]) -> Iterator[str]:
    """Yield possible starts of names in a script without spaces."""
    if is_unspaced(text):
        line = _Line(run).text
        for at in range(len(line) - 1):
            yield line[at : at + _SHORT]


class Gazetteer:
    """Finds names by their normal forms, `keys`.

    The search goes from left to right, takes the longest name at each position, and returns no
    overlapping names. In scripts with spaces, a name is a sequence of whole words. In scripts
    without, it is a sequence of characters, because tokenizers split unknown names inconsistently.
    """

    def __init__(self, keys: frozenset[str]) -> None:
        self._keys = keys
        words: defaultdict[str, set[int]] = defaultdict(set)
        characters: defaultdict[str, set[int]] = defaultdict(set)
        for key in keys:
            if not is_unspaced(key):
                words[key.split()[0]].add(key.count(" ") + 1)
            elif len(key) >= _SHORT:
                characters[key[:_SHORT]].add(len(key))
        self._words, self._characters = _longest_first(words), _longest_first(characters)

    def mentions(self, text: str, run: list[Token]) -> Iterator[Mention]:
        """Yield the known names in `text`, whose tokens are `run`."""
        yield from self._names_of_words(text, run)
        if self._characters and is_unspaced(text):
            yield from self._names_within_words(run)

    def _names_of_words(self, text: str, run: list[Token]) -> Iterator[Mention]:
        """Yield the known names in a run of tokens, longest first, without overlap."""
        parts = [normal(token.text) for token in run]
        has_case = any(character.isupper() for character in text)
        position = 0
        while position < len(run):
            length = self._words_at(parts, position)
            # 'home' in a sentence is not the film 'Home', unless nothing here has capitals.
            if length and has_case and _in_lower_case(run[position : position + length]):
                length = 0
            if length:
                key = " ".join(parts[position : position + length])
                yield Mention(key, run[position].start, run[position + length - 1].end, "title")
            position += length or 1

    def _words_at(self, parts: list[str], at: int) -> int:
        """Return the number of words in the longest known name starting at `at`, or 0."""
        for length in self._words.get(parts[at], ()):
            name = parts[at : at + length]
            if len(name) == length and " ".join(name) in self._keys:
                return length
        return 0

    def _names_within_words(self, run: list[Token]) -> Iterator[Mention]:
        """Yield the known names in scripts without spaces, longest first, without overlap."""
        line = _Line(run)
        position = 0
        while position < len(line.text) - 1:
            length = self._longest_name_at(line, position)
            if length:
                start, end = line.places[position], line.places[position + length - 1] + 1
                yield Mention(line.text[position : position + length], start, end, "title")
            position += length or 1

    def _longest_name_at(self, line: "_Line", at: int) -> int:
        """Return the number of characters of the longest known name starting at `at`, or 0."""
        for length in self._characters.get(line.text[at : at + _SHORT], ()):
            end = at + length
            if line.text[at:end] in self._keys and line.can_be_name(at, end):
                return length
        return 0


def _longest_first(lengths: Mapping[str, set[int]]) -> dict[str, list[int]]:
    return {start: sorted(sizes, reverse=True) for start, sizes in lengths.items()}


def _in_lower_case(run: Iterable[Token]) -> bool:
    """Return whether words that could be capitalised are in lower case."""
    first = [token.text[0] for token in run]
    has_case = any(letter.lower() != letter.upper() for letter in first)
    return has_case and not any(letter.isupper() or letter.isdigit() for letter in first)


class _Line:
    """A text in its normal form, with gaps as single spaces.

    `places` is the position of each character in the original text.
    """

    def __init__(self, run: list[Token]) -> None:
        parts: list[str] = []
        self.places: list[int] = []
        self._edges = {0}
        for before, token in pairwise([Token("", 0, 0), *run]):
            if parts and before.end < token.start:
                self._append(" ", before.end, parts)
            self._append(normal(token.text), token.start, parts)
        self.text = "".join(parts)

    def _append(self, part: str, start: int, parts: list[str]) -> None:
        parts.append(part)
        self.places.extend(range(start, start + len(part)))
        self._edges.add(len(self.places))

    def can_be_name(self, start: int, end: int) -> bool:
        """Return whether a name may span these characters: whole words, or long Han text."""
        return all(
            at in self._edges
            or (end - start > _SHORT and all(map(is_han, self.text[at - 1 : at + 1])))
            for at in (start, end)
        )
