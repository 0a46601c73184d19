"""The syntax of a retriever with its settings: `rerank(over=hoprag-coverage,depth=40)`.

    SPEC  = KEY [ "(" NAME "=" VALUE { "," NAME "=" VALUE } ")" ]
    VALUE = SPEC | a bare text | a text in double quotes, escaped as in JSON

This module checks the form only; `core.retrievers.spec` checks the keys, names and values.
"""

import json
import re
from dataclasses import dataclass
from typing import Union

from core.errors import InputError

LONGEST = 2000  # characters; it has to fit into an address
DEEPEST = 8  # retrievers within one another

_KEY = re.compile(r"[a-z0-9][a-z0-9-]*")
_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_BARE = re.compile(r'[^\s,()="]+')
_PLAIN = re.compile(r"[\w.:/@+~-]+")
_SPACE = re.compile(r"\s*")


@dataclass(frozen=True, slots=True)
class Written:
    """A key and its settings as written: each value is a text or a nested `Written`."""

    key: str
    settings: tuple[tuple[str, Union[str, "Written"]], ...] = ()


def read(text: str) -> Written:
    """Parse the text of a spec.

    Raises
    ------
    InputError : it has another form, is cut short, too long or nested too deep.
    """
    if len(text) > LONGEST:
        raise refused(text, f"it is longer than {LONGEST:,} characters")
    reader = _Reader(text)
    written = reader.spec(1)
    reader.end()
    return written


def split(text: str) -> list[str]:
    """Split a list at its commas, except in parentheses and quotes."""
    pieces, depth, quoted, escaped = [""], 0, False, False
    for sign in text:
        if sign == "," and not depth and not quoted:
            pieces.append("")
            continue
        pieces[-1] += sign
        if sign == '"' and not escaped:
            quoted = not quoted
        elif not quoted:
            depth += (sign == "(") - (sign == ")")
        escaped = quoted and sign == "\\" and not escaped
    return [piece.strip() for piece in pieces if piece.strip()]


def quoted(text: str) -> str:
    """Format a text as a value, in quotes if needed."""
    return text if _PLAIN.fullmatch(text) else json.dumps(text, ensure_ascii=False)


def refused(text: str, why: str) -> InputError:
    """Return the error for a retriever text that cannot be parsed."""
    return InputError(
        f"Could not read the retriever {text[:60]!r}: {why}. Write it like "
        "hoprag-coverage(top_k=10,n_hop=2)."
    )


class _Reader:
    """Reads a text from left to right; `at` is the current position."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self._space()

    def spec(self, depth: int) -> Written:
        """Read a key and its settings, if any; `depth` counts the nesting from 1."""
        if depth > DEEPEST:
            raise refused(self.text, f"retrievers are nested more than {DEEPEST} deep")
        key = self._take(_KEY, "the key of a retriever")
        return Written(key, self._settings(depth) if self._skip("(") else ())

    def end(self) -> None:
        if self.at < len(self.text):
            raise refused(self.text, f"unexpected text at {self.text[self.at : self.at + 20]!r}")

    def _settings(self, depth: int) -> tuple[tuple[str, str | Written], ...]:
        """Read `NAME=VALUE` pairs up to and including the closing parenthesis."""
        settings: list[tuple[str, str | Written]] = []
        while True:
            name = self._take(_NAME, "the name of a setting")
            self._need("=")
            settings.append((name, self._value(depth)))
            if not self._skip(","):
                self._need(")")
                return tuple(settings)

    def _value(self, depth: int) -> str | Written:
        """Read a quoted text, a bare text, or a nested retriever."""
        if self.text.startswith('"', self.at):
            return self._read_quoted()
        start = self.at
        bare = self._take(_BARE, "a value")
        if not self.text.startswith("(", self.at):
            return bare
        self.at = start
        return self.spec(depth + 1)

    def _read_quoted(self) -> str:
        """Read a quoted text at the current position."""
        try:
            value, self.at = json.JSONDecoder().raw_decode(self.text, self.at)
        except ValueError:
            raise refused(
                self.text, "a quoted text has no closing quote or an invalid escape"
            ) from None
        self._space()
        return str(value)

    def _take(self, pattern: re.Pattern[str], what: str) -> str:
        """Read what `pattern` matches at the current position; `what` names it in the error."""
        match = pattern.match(self.text, self.at)
        if not match:
            raise self._missing(what)
        self.at = match.end()
        self._space()
        return match[0]

    def _need(self, sign: str) -> None:
        if not self._skip(sign):
            raise self._missing(repr(sign))

    def _skip(self, sign: str) -> bool:
        """Read `sign` and the space after it; return whether it was there."""
        if not self.text.startswith(sign, self.at):
            return False
        self.at += 1
        self._space()
        return True

    def _space(self) -> None:
        space = _SPACE.match(self.text, self.at)
        self.at = space.end() if space else self.at

    def _missing(self, what: str) -> InputError:
        """Return the error that `what` is missing at the current position."""
        rest = self.text[self.at : self.at + 20]
        where = f"at {rest!r}" if rest else "at the end"
        return refused(self.text, f"{what} is missing {where}")
