"""Notices about an index: names that raise no questions, repeated texts, and supplied vectors."""

from collections.abc import Iterator
from string import capwords

from core.store.metadata import Counts, Meta
from core.text.display.plurals import counted, number

_ANOTHER_MODEL = 0.5  # cosine; vectors of two models are nearly orthogonal


def notices(meta: Meta) -> Iterator[str]:
    """Yield what users should know about an index before they use it."""
    yield from filter(
        None,
        (
            supplied_warning(meta),
            supplied_notice(meta),
            extraction_notice(meta),
            hub_notice(meta.counts),
            repeats_notice(meta.counts),
        ),
    )


def supplied_notice(meta: Meta) -> str:
    """Say how many passages have supplied vectors; empty if none has."""
    supplied = meta.supplied
    if not supplied:
        return ""
    others = meta.counts.vertices - supplied.passages
    rest = f", and {number(others, 'other passage')}" if others else ""
    return (
        f"Supplied vectors for {number(supplied.passages, 'passage')}, from "
        f"{', '.join(supplied.sources[:3])}. {meta.embedder.name} embeds pseudo-queries and "
        f"questions{rest}. On {number(supplied.probed, 'passage')} embedded by both, the "
        f"mean cosine is {supplied.agreement:.2f}."
    )


def extraction_notice(meta: Meta) -> str:
    """Say which passages have entities and triples of a file or a model; empty if none has."""
    extraction = meta.extraction
    if not extraction:
        return ""
    others = meta.counts.vertices - extraction.passages
    rules = "; for the other passages, rules extract them."
    if extraction.by_model:
        rules = (
            f". Rules extract those of {number(others, 'passage')} without a usable reply."
            if others
            else "."
        )
    return (
        f"Entities or triples {extraction.origin} for {extraction.passages:,} of "
        f"{number(meta.counts.vertices, 'passage')} ({number(extraction.entities, 'entity')}, "
        f"{number(extraction.triples, 'triple')}). Entity-based retrievers use them{rules}"
    )


def supplied_warning(meta: Meta) -> str:
    """Warn if the embedder did not compute the supplied vectors; empty if it probably did."""
    supplied = meta.supplied
    if not supplied or supplied.agreement >= _ANOTHER_MODEL:
        return ""
    return (
        f"The vectors from {', '.join(supplied.sources[:3])} were probably made with a "
        f"different model from {meta.embedder.name}: for {number(supplied.probed, 'passage')} "
        f"embedded again, the mean cosine is {supplied.agreement:.2f}. Questions will not match "
        "passages. Rebuild with the model that made them."
    )


def hub_notice(counts: Counts) -> str:
    """Say which names raise no questions, and what follows from it; empty if there are none."""
    if not counts.hubs:
        return ""
    names = [f"'{capwords(name)}'" for name in counts.hub_names[:3]]
    if counts.hubs == 1 and names:
        sentence = f"{names[0]} occurs in more than {counts.hub_limit:,} passages, so no edges are "
        sentence += "built from it."
    else:
        examples = ", ".join([*names, "…"] if counts.hubs > len(names) else names)
        sentence = (
            f"{number(counts.hubs, 'name')} occur in more than {counts.hub_limit:,} passages "
        )
        sentence += f"each ({examples}), so no edges are built from them."
    return (
        f"{sentence} To connect these passages, rebuild with a higher hub limit (on Corpus, or "
        "--hub-limit)."
    )


def repeats_notice(counts: Counts) -> str:
    """Say how many passages repeat others; empty if none does, or if unknown."""
    sentences = []
    if near := counts.near_duplicates:
        sentences.append(
            f"{near:,} of {number(counts.vertices, 'passage')} "
            f"{'is a near-duplicate' if near == 1 else 'are near-duplicates'} of an earlier one."
        )
    if windows := counts.overlapping:
        sentences.append(
            f"{counted(windows, 'begins', 'begin')} with the last words of the preceding passage."
        )
    if sentences:
        sentences.append("Repeated texts take up ranks; the distinct retriever leaves them out.")
    return " ".join(sentences)
