"""What the types mean that known question sets give their questions, for who does not know them."""

from collections.abc import Mapping

_MEANINGS: Mapping[str, str] = {
    # MuSiQue (Trivedi et al. 2022, Table 1): hops, and the shape of the graph of its parts.
    "2hop": "two hops in a row",
    "3hop1": "three hops in a row",
    "3hop2": "three hops, branching",
    "4hop1": "four hops in a row",
    "4hop2": "four hops, branching",
    "4hop3": "four hops, branching",
    # HotpotQA and 2WikiMultiHopQA.
    "bridge": "bridge: the first passage names the second",
    "comparison": "comparison of two passages",
    "bridge_comparison": "comparison across a hop",
    "compositional": "two facts in a row",
    "inference": "two facts and a rule",
}


def meaning(kind: str) -> str:
    """What `kind` says of a question; nothing where its question set is not known."""
    return _MEANINGS.get(kind, "")


def explained(kind: str) -> str:
    """`3hop1 = three hops in a row`; `kind` alone where it is not known."""
    return f"{kind} = {meaning(kind)}" if meaning(kind) else kind
