"""Where each gold passage stands in a step, in a few words."""

from core.playback import Frame
from core.store.index import Index
from core.types import Passage
from pages.components.passages.gold import GoldMarks
from pages.components.trace.picture import Picture


def gold_rows(
    stage: Picture, now: Frame, marks: GoldMarks, index: Index | None
) -> list[tuple[str, str, str]]:
    """(passage id, title, where it stands) of each gold passage, those of the trace first."""
    return [
        (gold, gold, standing(now, gold))
        if isinstance(gold, str)
        else (gold.id, gold.title or gold.id, standing(now, gold.id))
        for gold in _gold_passages(stage, marks, index)
    ]


def _gold_passages(stage: Picture, marks: GoldMarks, index: Index | None) -> list[Passage | str]:
    """Passages where they are at hand, in the trace or in the index, else ids."""
    here = [p for p in stage.trace.passages.values() if marks.has(p)]
    known = {p.id for p in here} | {p.document_id for p in here}
    found: list[Passage | str] = list(here)
    for name in marks.ids():
        if name in known:
            continue
        ids = _ids(name, index)
        found += [index.passage(id_) for id_ in ids] if index and ids else [name]
    return found


def _ids(name: str, index: Index | None) -> tuple[str, ...]:
    """Ids of the passages that `name` stands for, a passage's or a document's."""
    if index is None:
        return ()
    return (name,) if name in index.number else index.document_passages.get(name, ())


def standing(now: Frame, passage_id: str) -> str:
    """Its rank now, or how far it has come."""
    ended = now.ended and now.depth == 1
    for row in now.standings:
        if row.hit.passage_id == passage_id:
            return f"rank {row.rank}" + ("" if row.kept else " (pruned)" if ended else " (cut)")
    role = now.roles.get(passage_id)
    if role == "offered":
        return "lost: offered, never taken" if ended else "offered, not taken"
    if role is not None:
        return "lost: reached, not ranked" if ended else "reached"
    return "lost: never seen" if ended else "not seen yet"
