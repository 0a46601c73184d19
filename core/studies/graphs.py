"""The sizes of a study's indexes, as in the paper's Table 7."""

from collections.abc import Sequence

from core.store.tables import last_meta
from core.studies.variants import Variant

COLUMNS = (
    *("Documents", "Questions", "Passages", "Edges"),
    *("Text length, characters", "Edges per passage"),
)


def graph_rows(variants: Sequence[Variant]) -> list[tuple[str, tuple[float, ...]]]:
    """Return the name of each finished index and its values of `COLUMNS`.

    The text length is that of a passage, on average. Averages have three significant figures.
    """
    rows = []
    for variant in {one.place: one for one in variants}.values():
        if meta := last_meta(variant.place):
            counts = meta.counts
            sizes = (counts.documents, counts.questions, counts.vertices, counts.edges)
            values = (*sizes, *map(_rounded, (counts.text_length, counts.out_degree)))
            rows.append((variant.label or variant.place.name, tuple(map(float, values))))
    return rows


def _rounded(value: float) -> float:
    """Return a value with three significant figures, or as a whole number from 100 on.

    >>> _rounded(348.423), _rounded(1.8369), _rounded(12345.6)
    (348.0, 1.84, 12346.0)
    """
    return float(round(value)) if value >= 100 else float(f"{value:.3g}")
