"""The ranking so far, as stacked bars with the cut-off line."""

from core.playback import Frame, Standing
from pages.components.trace.rows import Names, bar, head, highest, parts_text, pick_row, tones


def ranking_head(now: Frame, names: Names) -> str:
    """Title of the ranking, with the names of the parts."""
    kept = sum(row.kept for row in now.standings)
    note = f"{kept} of {len(now.standings)} kept" if now.standings else ""
    # Only the paper's Helpfulness (Eq. 2) counts visits.
    counted = now.asked is not None and now.asked.weight_of_visits > 0
    title = "Helpfulness" if counted else "Score"
    return head(title, note, tones((row.hit.parts for row in now.standings), names.parts))


def ranking(now: Frame, names: Names) -> str:
    """All visited so far as stacked bars, with the cut-off line where pruning would cut now."""
    tone = tones((row.hit.parts for row in now.standings), names.parts)
    top = highest(row.hit.parts for row in now.standings)
    kept = [row for row in now.standings if row.kept]
    cut = [row for row in now.standings if not row.kept]
    if not kept:
        return "<p class='tr-none'>Nothing is ranked yet.</p>"
    lines = [_standing(row, names, bar(row.hit.parts, tone, top)) for row in kept]
    lines.append(_cut(now))
    lines += [_standing(row, names, bar(row.hit.parts, tone, top)) for row in cut]
    return f"<div class='tr-list'>{''.join(lines)}</div>"


def _standing(row: Standing, names: Names, stack: str) -> str:
    hit = row.hit
    times = f"×{row.visits}" if row.visits else ""
    inner = (
        f"<span class='tr-rank'>{row.rank}</span>{names.html(hit.passage_id)}{stack}"
        f"<span class='tr-times'>{times}</span><span class='tr-num'>{hit.score:.3f}</span>"
    )
    hint = f"{names.title(hit.passage_id)}\n{hit.score:.3f} = {parts_text(hit.parts)}"
    name = "tr-standing" if row.kept else "tr-standing tr-pruned"
    return pick_row("node", hit.passage_id, inner, name=name, hint=hint)


def _cut(now: Frame) -> str:
    ended = now.ended
    if now.cutoff is None:
        text = "nothing was pruned" if ended else "if pruned now: all are kept"
    else:
        text = f"{'pruned' if ended else 'if pruned now'}: cut-off {now.cutoff:.3f}"
    return f"<div class='tr-cut'><span>{text}</span></div>"
