"""Text from anywhere and tables of it, as Markdown shows them letter by letter."""

import html
import re
from collections.abc import Iterable, Sequence

# What Markdown reads as a sign: anywhere, at the edge of a word, or where a line begins.
_SPECIAL = re.compile(r"([\\`*\[\]|~$]|(?<![^\W_])_|_(?![^\W_])|:(?=\w+:)|^[#+\-=:])")
_LISTED = re.compile(r"^([0-9]{1,9})([.)])")


def escape(text: str) -> str:
    """Escape `text` so that Markdown shows it literally, on one line."""
    shown = html.escape(" ".join(text.split()), quote=False)
    return _LISTED.sub(r"\1\\\2", _SPECIAL.sub(r"\\\1", shown))


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table; its cells are Markdown, on one line each."""
    lines = (head, ("---",) * len(head), *rows)
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
