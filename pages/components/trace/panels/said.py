"""The panel of a voice: what it says, about what, what it rests on and what it ends."""

from html import escape

from core.playback import Frame
from core.playback.rounds import Round
from core.playback.wording import begun
from core.steps import Said
from pages.components.trace.rows import Names, chip, head, panel


def panel_of(now: Frame, whole: Round | None, names: Names) -> str:  # noqa: ARG001
    """The words of this step, and the passages that they rest on."""
    step = now.step
    if not isinstance(step, Said):
        return ""
    rows = [_line(step, names)]
    if step.rests_on:
        rests = "".join(chip(names, name) for name in step.rests_on)
        rows.append(f"<p class='tr-fact'><b>Rests on</b></p><div class='tr-chips'>{rests}</div>")
    if step.told.reason:
        rows.append(f"<p class='tr-fact'><b>Why</b> {escape(step.told.reason)}</p>")
    if step.told.fallback:
        rows.append(f"<p class='tr-fact'><b>Fallback</b> {escape(step.told.fallback)}</p>")
    return panel("offers", head(begun(step.by), ""), rows, "")


def transcript(now: Frame, names: Names) -> str:
    """All that was said so far, in order."""
    rows = [
        f"<p class='tr-fact'><b>{escape(begun(said.by))}</b></p>{_line(said, names)}"
        for said in now.said
    ]
    note = f"{len(rows)} so far" if rows else ""
    return panel("visits", head("Transcript", note), rows, "Nobody has said anything yet.")


def _line(step: Said, names: Names) -> str:
    ends = f"<p class='tr-ends'>It stops here: {escape(step.ends)}.</p>" if step.ends else ""
    about = escape(names.title(step.about))
    return f"<p class='tr-say' dir='auto' title='about {about}'>{escape(step.text)}</p>{ends}"
