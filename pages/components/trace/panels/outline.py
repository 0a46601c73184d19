"""The questions of a retrieval as an outline: who was asked what, and what came of it."""

from html import escape

from core.playback import Frame, Question
from pages.components.trace.rows import Names, head, panel, pick_row


def outline(now: Frame, names: Names) -> str:
    """Every question so far, indented as the brackets nest, with its answer."""
    here = now.asked.id if now.asked else ""
    rows = [_row(one, one.asked.id == here, names) for one in now.questions.values()]
    waiting = [
        thing
        for thing in now.things.values()
        if thing.kind == "query" and thing.id not in now.questions
    ]
    rows += [
        f"<p class='tr-fact tr-waits' dir='auto'><b>{escape(thing.id)}</b> "
        f"<q>{escape(thing.label)}</q> waits</p>"
        for thing in waiting
    ]
    note = f"{len(now.questions)} asked" + (f", {len(waiting)} waiting" if waiting else "")
    return panel("visits", head("Questions", note), rows, "Nothing has been asked yet.")


def _row(one: Question, here: bool, names: Names) -> str:
    step = one.asked
    from_ = f" from {escape('; '.join(map(names.title, step.parents)))}" if step.parents else ""
    answer = f"<br><b>=</b> {escape(one.answer)}" if one.answer else ""
    inner = (
        f"<span class='tr-kind'>{escape(step.id)}</span><div dir='auto'>"
        f"<q>{escape(step.query)}</q>"
        f"<span class='tr-small'> {escape(step.retriever)}{from_}</span>{answer}</div>"
    )
    name = "tr-question tr-fresh" if here else "tr-question"
    return pick_row("node", step.id, inner, name=name, hint=step.query)
