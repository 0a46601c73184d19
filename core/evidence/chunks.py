"""Texts that another chunking returned, as passages of the index where they count as them."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from types import MappingProxyType

from core.corpus.record_formats.retrieved_results import Context, ContextKey
from core.evidence.contexts import ContextMatch
from core.evidence.holders import Holders, Parts, parts_of
from core.evidence.holding import held_evidence
from core.types import Evidence


@dataclass(frozen=True)
class PlacedChunks:
    """Returned texts as nodes: passages of the index, or nodes of their own.

    Parameters
    ----------
    nodes : the node of each text.
    passages_by_gold : for each gold id, the nodes that hold it and the passages of the index that
        were not returned.
    """

    nodes: Mapping[ContextKey, str]
    passages_by_gold: Holders


def placed_chunks(
    texts: Sequence[Context],
    matches: Mapping[ContextKey, ContextMatch],
    gold: Iterable[str],
    evidence: Mapping[str, Evidence],
    passages_by_gold: Mapping[str, Sequence[str]],
) -> PlacedChunks:
    """Say which passage each text counts as.

    A text that is a part of a passage without the evidence in it is a node of its own, and so is
    the second text of one passage.

    Parameters
    ----------
    texts : in the order in which they were returned, each key once.
    gold : the gold ids of the question.
    evidence : those of them that are evidence.
    passages_by_gold : the passages of each gold id.
    """
    held = held_evidence(evidence, texts)
    nodes: dict[ContextKey, str] = {}
    taken: set[str] = set()
    for place, one in enumerate(texts):
        match = matches[one.key]
        lacking = [name for name in evidence if not any(place in p for p in held.get(name, ()))]
        lacks = {passage for name in lacking for passage in passages_by_gold.get(name, ())}
        free = (p for p in match.passages if p not in taken and (match.whole or p not in lacks))
        node = next(free, None) or _own_id(one, taken)
        nodes[one.key] = node
        taken.add(node)
    parts = {
        name: merged_parts(
            parts_of(name, passages_by_gold),
            [{nodes[texts[place].key] for place in part} for part in held.get(name, ())],
            {
                nodes[key]: match.passages
                for key, match in matches.items()
                # A part that several passages share has the evidence of none of them.
                if key in nodes and (match.whole or name not in evidence)
            },
        )
        for name in gold
    }
    return PlacedChunks(nodes, Holders.of(parts))


def merged_parts(
    passages: Parts,
    texts: Sequence[Collection[str]],
    larger: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> Parts:
    """Return groups of passages and texts that contain the evidence; one of each group is needed.

    Parameters
    ----------
    passages : groups of passages that contain the evidence.
    texts : groups of texts that contain the evidence, one group for each part of it.
    larger : the passages that each text corresponds to; a large text has several.
    """
    groups = [
        {*group, *(text for text, covered in larger.items() if {*group} & {*covered[1:]})}
        for group in passages
    ]
    if len(texts) > 1 and len(groups) == 1:
        groups = [{*group, *groups[0]} for group in texts]
    elif len(texts) == 1:
        groups = [group | {*texts[0]} for group in groups]
    return tuple(tuple(sorted(group)) for group in groups)


def _own_id(context: Context, taken: Collection[str]) -> str:
    digest = blake2b(context.text.encode(), digest_size=8).hexdigest()
    name = f"imported:{context.id or digest}"
    return name if name not in taken else f"{name} ({digest})"
