"""The panel of lists that become one."""

from core.playback import Frame
from core.playback.rounds import Round
from core.steps import Pooled
from pages.components.trace.rows import Names, bar, head, highest, panel, ranked_row, tones


def panel_of(now: Frame, whole: Round | None, names: Names) -> str:  # noqa: ARG001
    """The one list, with what each of the lists gave to a score."""
    step = now.step
    if not isinstance(step, Pooled):
        return ""
    tone = tones((hit.parts for hit in step.hits), names.parts)
    top = highest(hit.parts for hit in step.hits)
    rows = [
        ranked_row(rank, hit, names, bar(hit.parts, tone, top))
        for rank, hit in enumerate(step.hits, start=1)
    ]
    note = f"{len(step.hits)} of {' and '.join(step.of)}"
    return panel("offers", head("Pooled", note, tone), rows, "Nothing is in it.")
