"""Explanations of the question types of known question sets."""

from collections.abc import Mapping

_MEANINGS: Mapping[str, str] = {
    # MuSiQue (Trivedi et al. 2022, Table 1): hops, and the shape of the graph of its parts.
    "2hop": "chain of two hops",
    "3hop1": "chain of three hops",
    "3hop2": "three hops, branching",
    "4hop1": "chain of four hops",
    "4hop2": "four hops, branching",
    "4hop3": "four hops, branching",
    # HotpotQA and 2WikiMultiHopQA.
    "bridge": "the first passage names the second",
    "comparison": "comparison of two passages",
    "bridge_comparison": "comparison across a hop",
    "compositional": "chain of two facts",
    "composition": "chain of two facts",
    "inference": "two facts and a rule",
}


_NAMES: Mapping[str, str] = {
    "2hop": "2 hops",
    "3hop1": "3 hops",
    "3hop2": "3 hops, branching",
    "4hop1": "4 hops",
    "4hop2": "4 hops, branching",
    "4hop3": "4 hops, branching",
}
_WORDS: Mapping[str, str] = {
    "bridge": "bridge question",
    "bridge_comparison": "bridge comparison",
    "compositional": "composition",
}
"""Names of types whose code is a word."""


def named(kind: str) -> str:
    """Return the name of a type, with its code if it has none of its words: `3 hops (3hop1)`.

    >>> named("3hop1"), named("bridge"), named("temporal")
    ('3 hops (3hop1)', 'bridge question', 'temporal')
    """
    return f"{_NAMES[kind]} ({kind})" if kind in _NAMES else _WORDS.get(kind, kind)


def meaning(kind: str) -> str:
    """Return the meaning of a question type; empty if it is unknown."""
    return _MEANINGS.get(kind, "")


def explained(kind: str) -> str:
    """Return the meaning of a question type, with its code; an unknown type as it is.

    >>> explained("3hop1"), explained("mine")
    ('chain of three hops (3hop1)', 'mine')
    """
    return f"{meaning(kind)} ({kind})" if meaning(kind) else kind
