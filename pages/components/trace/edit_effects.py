"""What the edits of a copy change for the question: gold ranks and edges, before and after."""

from collections.abc import Sequence
from html import escape
from pathlib import Path

import streamlit as st

from core.artefacts.workbench import Workbench
from core.edits import EdgeChanges, Edits, edge_changes, read_edits
from core.errors import HopRagError
from core.marks import Gold
from core.playback.wording import series
from core.store.index import Index
from core.text.display.plurals import number
from core.text.display.shares import percent
from core.traces import Trace
from core.traces.changes import Found, found
from core.types import Edge
from pages.components.ask.request import Ask
from pages.components.passages.gold import GoldMarks
from pages.components.shell import layout, resources
from pages.components.shell.glossary import term
from pages.components.trace.before_after import gold_names, known_trace

_EDGES = 20


def edits_of(index: Index) -> Edits | None:
    """Return the edits of an index; None if it is no edited copy."""
    return read_edits(index.path) if isinstance(index.path, Path) else None


def show_edits(index: Index) -> None:
    """List the edits of a copy."""
    if edits := edits_of(index):
        with st.expander(f"Edited copy of {layout.literal(edits.source)}", expanded=False):
            for edit in edits.edits:
                st.text(str(edit))
                if edit.text is not None:
                    st.text(edit.text)


def show_edited(workbench: Workbench, wanted: Ask, trace: Trace, gold: Gold) -> None:
    """Compare the retrieval on an edited copy with the original; draw nothing for other indexes."""
    edits = edits_of(workbench.index)
    if edits is None:
        return
    try:
        original = resources.workbench(resources.entry(edits.source))
    except HopRagError:
        st.caption(
            layout.literal(
                f"Edited copy of {edits.source}. No comparison: the original cannot be opened."
            )
        )
        return
    before = known_trace(original, wanted)
    index = workbench.index
    versions = (original.index.meta.finished_at, index.meta.finished_at)
    changes = _changes(*versions, original, workbench)
    gold_before = GoldMarks(wanted.question, original.index).now()
    was = found(before.steps, gold_before) if before else None
    now = found(trace.steps, gold_before)  # passages keep their ids, so both are of the same gold
    with st.expander(layout.literal(_headline(edits.source, was, now, changes))):
        st.text("; ".join(map(str, edits.edits)))
        if was is None:
            st.text("No comparison of ranks: the model was never called for the original.")
        else:
            names = gold_names(gold_before, original.index)
            st.html(_ranks(was, now, names))
            if rewritten := [names[one] for one in gold_before.held if one in gold.absent]:
                st.text(f"The edited text no longer contains the evidence for {series(rewritten)}.")
        st.html(
            _edges("appeared", changes.appeared, index)
            + _edges("vanished", changes.vanished, original.index)
        )


def _headline(source: str, was: Found | None, now: Found, changes: EdgeChanges) -> str:
    """Summarise what the edits changed, for the closed expander."""
    told = []
    if was and was.recall is not None and now.recall is not None:
        told.append(f"recall {percent(was.recall)} → {percent(now.recall)}")
        moved = sum(rank != now.ranks.get(name) for name, rank in was.ranks.items())
        told.append(f"{moved} of {len(was.ranks)} gold ranks changed")
    told.append(f"{number(len(changes.appeared), 'edge')} appeared")
    told.append(f"{len(changes.vanished):,} vanished")
    return f"Edited copy of {source}: {', '.join(told)}"


@st.cache_resource(max_entries=8, show_spinner=False)
def _changes(
    before: str,  # noqa: ARG001 - a part of the cache's key
    after: str,  # noqa: ARG001
    _original: Workbench,
    _copy: Workbench,
) -> EdgeChanges:
    """Return the edges that the edits added or removed, computed once per version."""
    return edge_changes(_original.index, _copy.index)


def _ranks(was: Found, now: Found, names: dict[str, str]) -> str:
    """Return a table of recall and the rank of each gold passage."""
    rows = [(term("evidence_recall", "Recall"), _share(was.recall), _share(now.recall))]
    for name in dict.fromkeys((*was.ranks, *now.ranks)):
        before, after = (_rank(one.ranks.get(name), one.kept) for one in (was, now))
        rows.append((escape(names.get(name, name)), before, after))
    cells = "".join(
        f"<tr><th scope='row' dir='auto'>{name}</th><td>{before}</td>"
        f"<td>{f'<b>{after}</b>' if after != before else after}</td></tr>"
        for name, before, after in rows
    )
    return (
        f"<table class='hop-edited'><thead><tr><th scope='col'>{term('gold')}</th>"
        "<th scope='col'>Original</th>"
        f"<th scope='col'>Edited copy</th></tr></thead><tbody>{cells}</tbody></table>"
    )


def _share(recall: float | None) -> str:
    return "no gold" if recall is None else percent(recall)


def _rank(rank: int | None, kept: int) -> str:
    if rank is None:
        return "not ranked"
    return f"rank {rank}" if rank <= kept else f"rank {rank}, cut off"


def _edges(what: str, edges: Sequence[Edge], index: Index) -> str:
    """Return edges as questions between titles."""
    head = f"<p class='hop-small-title'>{number(len(edges), 'edge')} {what}</p>"
    items = "".join(
        f"<li dir='auto'>{escape(index.titled(edge.source).title)} → "
        f"{escape(index.titled(edge.target).title)}: {escape(edge.question)} "
        f"({edge.similarity:.3f})</li>"
        for edge in edges[:_EDGES]
    )
    more = f"<p>… and {len(edges) - _EDGES:,} more</p>" if len(edges) > _EDGES else ""
    return f"{head}<ul class='hop-questions'>{items}</ul>{more}" if edges else head
