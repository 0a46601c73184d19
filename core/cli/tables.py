"""Indexes and retrieved passages as tables for the terminal."""

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from rich.table import Table

from core.cli.common import plain
from core.text.display.plurals import counted
from core.text.display.scores import decimals

if TYPE_CHECKING:
    from core.marks import Gold
    from core.store.metadata import Meta
    from core.types import Hit, Passage


def counts_table(meta: "Meta", authorships: Mapping[str, str] | None = None) -> Table:
    """Tabulate the size of the graph, like Table 7 of the paper.

    Parameters
    ----------
    authorships : who wrote each artefact that a model contributed to, by artefact name.
    """
    counts, limits = meta.counts, meta.limits
    table = Table("", "", show_header=False)
    table.columns[1].justify = "right"
    for name, value in (
        ("Documents", f"{counts.documents:,}"),
        ("Passages (vertices)", f"{counts.vertices:,}"),
        ("Edges", f"{counts.edges:,}"),
        ("Average text length (characters)", f"{counts.text_length:,.1f}"),
        ("Average out-degree", f"{counts.out_degree:.2f}"),
        (f"Edges dropped (limit {limits.edges})", f"{counts.dropped_edges:,}"),
        *(
            [("Matches proven optimal", f"{100 * counts.certified:.1f}%")]
            if counts.certified < 1
            else []
        ),
        ("In-questions", f"{counts.in_coming:,}"),
        ("Out-questions", f"{counts.out_coming:,}"),
        (
            f"Passages with fewer than {limits.least_in} in-questions",
            f"{counts.short_in_coming:,}",
        ),
        (
            f"Passages with fewer than {limits.least_out} out-questions",
            f"{counts.short_out_coming:,}",
        ),
        *(
            [
                (
                    f"Names in more than {counts.hub_limit:,} passages (hubs, no edges)",
                    f"{counts.hubs:,}",
                )
            ]
            if counts.hub_limit
            else []
        ),
        *(
            [("Near-duplicate passages", f"{counts.near_duplicates:,}")]
            if counts.near_duplicates is not None
            else []
        ),
        *(
            [("Passages that overlap", f"{counts.overlapping:,}")]
            if counts.overlapping is not None
            else []
        ),
        ("Questions of the corpus", f"{counts.questions:,}"),
        ("Chunking", meta.chunking),
        ("Pseudo-queries by", plain(meta.maker)),
        *([("Graph limits", str(limits))] if str(limits) else []),
        *(
            [("… passages with rule-based questions", f"{counts.fallbacks:,}")]
            if counts.fallbacks
            else []
        ),
        *([("Entities and triples", plain(meta.extraction.origin))] if meta.extraction else []),
        ("Embedder", f"{plain(meta.embedder.name)}, {meta.embedder.precision}"),
        ("Finished", f"{meta.finished_at[:19]} UTC, in {meta.seconds:,.1f} s"),
        *(
            (f"{name} written by", plain(authorship))
            for name, authorship in (authorships or {}).items()
        ),
    ):
        table.add_row(name, value)
    return table


def hits_table(
    hits: Sequence["Hit"], passages: Mapping[str, "Passage"], gold: "Gold", title: str = ""
) -> Table:
    """Tabulate ranked passages, with a gold column if gold is known.

    Parameters
    ----------
    passages : the passages of the hits, by id.
    """
    table = Table(title=title or None, title_justify="left")
    table.add_column("rank", justify="right")
    if gold:
        table.add_column("gold")
    table.add_column("score", justify="right")
    table.add_column("parts", overflow="fold")
    table.add_column("title", overflow="fold")
    table.add_column("id", overflow="fold")
    places = decimals([hit.score for hit in hits])
    for rank, hit in enumerate(hits, start=1):
        passage = passages[hit.passage_id]
        parts = ", ".join(f"{plain(part.name)} {part.value:.{places}f}" for part in hit.parts)
        marked = [_marked(passage.id, gold)]
        table.add_row(
            str(rank),
            *(marked if gold else ()),
            f"{hit.score:.{places}f}",
            parts,
            plain(passage.title),
            plain(passage.id),
        )
    return table


def _marked(passage_id: str, gold: "Gold") -> str:
    if not gold.has(passage_id):
        return ""
    return "gold, marked by hand" if gold.author_of(passage_id) == "hand" else "gold"


def gold_json(gold: "Gold") -> dict[str, object]:
    """Return the gold of a question as JSON: ids, level, marks, and ids not in the index.

    `gold_level` says what counts: evidence, or documents and passages. `gold_marked` says who
    marked a passage, when, and its text.
    """
    from core.marks import level_of_gold, marks_by_id

    return {
        "gold": list(gold.ids),
        "gold_level": level_of_gold(gold),
        "gold_by_hand": list(gold.added),
        "gold_removed": list(gold.removed),
        "gold_not_in_index": list(gold.absent),
        "gold_marked": marks_by_id(gold),
    }


def unknown_gold_text(ids: Collection[str]) -> str:
    """Say how many gold ids are not in the index."""
    one = "gold id is not in this index and counts as missed"
    return counted(len(ids), one, "gold ids are not in this index and count as missed")
