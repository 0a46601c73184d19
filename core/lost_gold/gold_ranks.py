"""The rank of gold at a step, and how far missed gold is from what was reached."""

from collections.abc import Mapping

from core.funnel.data import Fate
from core.funnel.stages import STAGES
from core.marks.gold_signs import Marked
from core.playback import Frame
from core.text.display.plurals import number
from core.traces import Trace
from core.types import Passage

Marks = Mapping[str, Marked]
"""By id of a passage, or of a document as a whole, who says that it is gold; empty: it is not."""


def gold_author(marks: Marks, passage: Passage) -> Marked:
    """Return who marked a passage as gold; its own mark precedes that of its document."""
    return marks.get(passage.id, marks.get(passage.document_id, ""))


def mark_history(trace: Trace, passage_id: str) -> str:
    """Return who marked or unmarked a passage by hand and when; empty if unknown."""
    made = trace.made.get(passage_id)
    return str(made) if made else ""


def rank_status(now: Frame, node: str, fate: Fate | None = None, *, gold: bool = True) -> str:
    """Return the rank of `node` at a step, or how far it has come; at the end how it was lost.

    Parameters
    ----------
    fate : what became of it, if it was not kept and that is known.
    gold : whether it can be lost at all.
    """
    ended = now.ended and now.depth == 1
    if ended and fate:
        # How many a search lists is told once, of all.
        brief = fate.brief.partition("; ")[0]
        return f"lost: {brief}" if gold else brief
    for row in now.ranking_rows:
        if row.hit.passage_id == node:
            return f"rank {row.rank}{_at(now, row.kept)}"
    role = now.roles.get(node)
    if role == "offered":
        return "a candidate, not followed"
    if role is not None and now.ranking_rows and now.depth == 1 and not ended:
        return f"reached, not in the top {sum(row.kept for row in now.ranking_rows)}"
    if role is not None:
        return "reached, not ranked" if ended else "reached"
    if not ended:
        return STAGES["far"] if fate and has_seeds(now) and fate.stage == "far" else "not found yet"
    return f"lost: {STAGES['below']}" if gold else STAGES["below"]


def has_seeds(now: Frame) -> bool:
    """Return whether a walk has its seeds, which decide what it can reach."""
    return now.depth == 1 and bool(now.entries)


def _at(now: Frame, kept: bool) -> str:
    """Return to which list a rank belongs, and whether it is below the cut-off."""
    k = sum(row.kept for row in now.ranking_rows)
    if now.depth > 1 and now.asked:
        where = f"{'' if now.ended else ' so far'} in search {now.asked.id}"
        return where if kept else f"{where}, below its top {k}"
    if now.ended:
        return "" if kept else f", below the top {k}"
    return " so far" if kept else f" so far, below the top {k}"


def far(steps: int, title: str, how: str, back: int = 0) -> str:
    """Say how far gold is from `title`, which was reached as `how` says.

    Parameters
    ----------
    back : the number of edges on the way that point against it.
    """
    turned = (
        f", {back if back < steps else 'all'} of them against the edge direction" if back else ""
    )
    if steps == back == 1:
        turned = ", against the edge direction"
    return f"{number(steps, 'edge')} from '{title}' ({how}){turned}"
