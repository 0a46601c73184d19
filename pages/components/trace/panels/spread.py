"""The panel of an iteration: how much of what is spread stands at each node now."""

from core.playback import Frame
from core.playback.rounds import Round
from core.playback.wording import begun
from core.steps import Spread
from core.types import Hit
from pages.components.trace.rows import (
    Names,
    bar,
    head,
    highest,
    panel,
    parts_text,
    pick_row,
    tones,
)


def panel_of(now: Frame, whole: Round | None, names: Names) -> str:  # noqa: ARG001
    """Passages and things by their share, best first, split by where it came from."""
    step = now.step
    if not isinstance(step, Spread):
        return ""
    tone = tones((hit.parts for hit in step.hits), names.parts)
    top = highest(hit.parts for hit in step.hits)
    rows = [_row(hit, now, names, bar(hit.parts, tone, top)) for hit in step.hits]
    moved = f"{step.moved:.1%} has moved" if step.moved else "it stands still"
    return panel("offers", head(begun(step.of), moved, tone), rows, "It is nowhere.")


def _row(hit: Hit, now: Frame, names: Names, stack: str) -> str:
    thing = now.things.get(hit.passage_id)
    kind = thing.kind if thing else ""
    inner = (
        f"<span class='tr-kind'>{kind}</span>{names.html(hit.passage_id)}{stack}"
        f"<span class='tr-num'>{hit.score:.3f}</span>"
    )
    hint = f"{names.title(hit.passage_id)}\n{hit.score:.4f} = {parts_text(hit.parts)}"
    return pick_row("node", hit.passage_id, inner, name="tr-share", hint=hint)
