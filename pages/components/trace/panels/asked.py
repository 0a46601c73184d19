"""The panel of a question: what it came from, its keywords, and what a filter left to search."""

from html import escape

from core.playback import Frame
from core.playback.rounds import Round
from core.steps import Asked
from pages.components.trace.rows import Names, head, panel


def panel_of(now: Frame, whole: Round | None, names: Names) -> str:  # noqa: ARG001
    """The question in full, and what is known of it."""
    step = now.step
    if not isinstance(step, Asked):
        return ""
    facts = [("Asked of", step.retriever), ("Kept at most", f"{step.top_k:,}")]
    if step.terms:
        facts.append(("Keywords", ", ".join(step.terms)))
    if step.parents:
        facts.append(("Comes from", "; ".join(map(names.title, step.parents))))
    if step.narrowed:
        before, left = step.narrowed
        facts.append(("Left by the filter", f"{left:,} of {before:,} passages"))
    rows = [f"<p class='tr-say' dir='auto'><q>{escape(step.query)}</q></p>"]
    rows += [f"<p class='tr-fact'><b>{escape(a)}</b> {escape(b)}</p>" for a, b in facts]
    return panel("offers", head("Question", "" if now.depth == 1 else step.id), rows, "")
