"""The ranking of a trace as a table for a spreadsheet."""

from core.drawing.export import written_csv
from core.marks import level_of_gold
from core.steps import result
from core.traces.trace import Trace

COLUMNS = ("rank", "kept", "gold", "gold_level", "passage", "title", "score", "parts", "text")


def ranking_csv(trace: Trace) -> bytes:
    """Return a row for each passage that was kept or cut, best first; UTF-8 with a heading.

    `parts` are what the score is the sum of. A text that a spreadsheet would run as a formula is
    given an apostrophe in front.
    """
    ranked, gold = result(trace.steps), trace.kept_gold
    kept = len(ranked.hits)
    rows = []
    for rank, hit in enumerate((*ranked.hits, *ranked.pruned), start=1):
        passage = trace.passages[hit.passage_id]
        rows.append(
            {
                "rank": rank,
                "kept": "yes" if rank <= kept else "no",
                "gold": gold.author_of(hit.passage_id) if gold.has(hit.passage_id) else "",
                "gold_level": level_of_gold(gold) if gold.has(hit.passage_id) else "",
                "passage": hit.passage_id,
                "title": passage.title,
                "score": float(hit.score),
                "parts": ", ".join(f"{part.name} {part.value:.4f}" for part in hit.parts),
                "text": passage.text,
            }
        )
    return written_csv(COLUMNS, rows)
