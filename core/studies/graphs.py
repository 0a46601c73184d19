"""The sizes of a study's indexes, as in the paper's Table 7."""

from collections.abc import Sequence

from core.store.tables import last_meta
from core.studies.variants import Variant

COLUMNS = ("documents", "questions", "vertices", "edges", "text length", "edges per vertex")


def graph_rows(variants: Sequence[Variant]) -> list[tuple[str, tuple[float, ...]]]:
    """Return the name of each finished index and its values of `COLUMNS`.

    The text length is in characters of a passage, on average.
    """
    found = []
    for variant in variants:
        if meta := last_meta(variant.place):
            counts = meta.counts
            sizes = (counts.documents, counts.questions, counts.vertices, counts.edges)
            values = (*sizes, counts.text_length, counts.out_degree)
            found.append((variant.label or variant.place.name, tuple(map(float, values))))
    return found
