"""Reference lists and the markers that point to them, as Wikipedia and papers have them."""

import re
from collections.abc import Iterable

from core.corpus.layout import Block
from core.corpus.omissions import count

_LISTS = re.compile(
    r"(?:[\divxlc]{1,4}[.)]?\s+)?(?:references?(?: list)?|(?:cited |list of )?references|"
    r"notes and references|references and notes|bibliography|works cited|literature cited|"
    r"footnotes|endnotes|citations|einzelnachweise|literaturverzeichnis|quellenverzeichnis|"
    r"références|notes et références|bibliographie|referencias|bibliografía|riferimenti|"
    r"bibliografia|referências|referenties|bronnen, noten en/of referenties|referenser|"
    r"参考文献|参考资料|脚注|출처|примечания|список литературы)\s*:?",
    re.IGNORECASE,
)
BY_DEFAULT = "left out by default"
"""What is said of references that are left out unless somebody asks for them."""
MARKER = re.compile(
    r"\[(?:[1-9]\d{0,3}(?:\s?[,–-]\s?\d{1,4})*|[a-z]|(?:note|nb|n|Anm\.|A|B)\s?\d{1,3}|"
    r"(?:citation|clarification|page|year) needed|who\?|when\?|update|edit)\](?::\s?\d{1,4})?"
)
"""A marker that refers to an entry of a reference list."""
# Right behind a word or a sign, where the index of 'a[1]' does not stand.
_IN_TEXT = re.compile(rf"(?:(?<=\w\w)|(?<=[.,;:!?)”\"’'\]]))(?:{MARKER.pattern})")


def without_references(blocks: Iterable[Block], *, markers: bool) -> list[Block]:
    """Return `blocks` without reference lists, and count what is left out.

    A document that is nothing but a list is kept as it is.

    Parameters
    ----------
    markers : whether markers such as [1] are left out too, if there was a list.
    """
    every = list(blocks)
    kept: list[Block] = []
    dropped: list[Block] = []
    within = 0  # level of the heading of the list that is left out, 0 outside of one
    for block in every:
        if block.level and (not within or block.level <= within):
            within = block.level if _LISTS.fullmatch(block.text.strip()) else 0
        (dropped if within else kept).append(block)
    listed = (each.text for each in dropped if not each.level)
    lines = [line for text in listed for line in text.split("\n") if line.strip()]
    if not lines or not any(each.text.strip() and not each.level for each in kept):
        return every
    count(f"line{{s}} of reference lists {BY_DEFAULT}", len(lines))
    return [_without_markers(each) for each in kept] if markers else kept


def _without_markers(block: Block) -> Block:
    text, number = _IN_TEXT.subn("", block.text)
    left_out(number)
    return Block(text, block.level, block.page) if number else block


def left_out(markers: int = 1) -> None:
    """Count markers that were left out."""
    count(f"reference marker{{s}} such as [1] {BY_DEFAULT}", markers)
