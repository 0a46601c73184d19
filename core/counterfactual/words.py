"""Amendments in words, for people."""

from collections.abc import Mapping

from core.counterfactual.amendments import Amendment, Judge, Refuse, Seed, Take
from core.types import Edge, Passage

_LONGEST = 60  # characters of a name


def in_words(
    one: Amendment, passages: Mapping[str, Passage], edges: Mapping[str, Edge] | None = None
) -> str:
    """Describe a change of the walk, by titles and questions if known, else by ids."""
    at = _quoted(passages[one.at].title if one.at in passages else one.at)
    match one:
        case Seed(added=True):
            return f"Start at {at}"
        case Seed():
            return f"Do not start at {at}"
        case Judge(tie=None):
            return f"Follow no edge from {at}"
    known = (edges or {}).get(one.tie or "")
    other = {known.source, known.target} - {one.at} if known else set()
    ends = [_quoted(passages[end].title) for end in other if end in passages]
    edge = f"{at} → {ends[0]}" if ends else f"{_quoted(one.tie or '')} at {at}"
    match one:
        case Take():
            return f"Follow {edge}"
        case Refuse():
            return f"Do not follow {edge}"
        case _:
            return f"Follow only {edge}"


def _quoted(name: str) -> str:
    return f"'{name if len(name) <= _LONGEST else name[: _LONGEST - 1] + '…'}'"
