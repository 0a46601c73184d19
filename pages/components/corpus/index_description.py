"""How an index is made, in words."""

from pathlib import PurePath

from core.store.metadata import Meta
from core.text.display.plurals import number
from core.text.import_sources import FILE, GRAPH

CUTTINGS = {
    "fit": "Automatic",
    "as-is": "Whole documents",
    "paragraph": "Paragraphs",
    "sentence": "Sentences",
    "tokens": "Tokens",
}
"""What the ways of cutting documents into passages are called."""
_CUT = {
    "fit": "automatic chunking",
    "as-is": "whole documents as passages",
    "paragraph": "paragraphs as passages",
    "sentence": "sentences as passages",
}


def made_with(meta: Meta) -> tuple[str, str, str]:
    """Describe the chunking, the making of the graph, and the embedder."""
    made, by_rules = meta.embedder, meta.counts.fallbacks
    others = f", rule-based for {number(by_rules, 'passage')}" if by_rules else ""
    limits = f", {meta.limits}" if str(meta.limits) else ""
    return (
        cut_into(meta.chunking),
        f"{made_by(meta.maker)}{others}{limits}",
        f"{PurePath(made.name).name}, {made.dimension} dimensions, {made.precision}",
    )


def made_by(maker: str) -> str:
    """Return the maker of an index's pseudo-queries or edges."""
    _, _, file = maker.partition(":")
    if maker.startswith(GRAPH):
        return f"edges from {file}"
    if maker.startswith(FILE):
        return f"pseudo-queries from {file}"
    return f"pseudo-queries by {maker or 'rules'}"


def cut_into(chunking: str) -> str:
    """Describe the passages that a chunking makes."""
    kind, _, sizes = chunking.partition(":")
    return _CUT.get(kind) or f"passages of {sizes.partition(':')[0]} {kind}"
