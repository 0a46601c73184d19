"""The panel of a scored list: what is on offer in a step, and what of it is taken."""

from html import escape

from core.playback import Frame
from core.playback.rounds import Round
from core.playback.wording import begun
from core.steps import Offer, Offered
from pages.components.trace.rows import (
    Names,
    bar,
    head,
    highest,
    notes_html,
    notes_text,
    panel,
    parts_text,
    pick_row,
    tones,
)

ENTRIES = "Entries"


def panel_of(now: Frame, whole: Round | None, names: Names) -> str:
    """All that is on offer in this step, best first; with `whole` what its round followed."""
    step = now.step
    if whole and isinstance(step, Offered):
        return _followed(whole, names)
    if not isinstance(step, Offered):
        return panel("offers", head("On offer", ""), [], "Nothing is looked at in this step.")
    title = ENTRIES if step.entry else f"{begun(step.of)} on offer"
    why = _why(step)
    tone = tones((o.parts for o in step.offers), names.parts)
    top = highest(o.parts for o in step.offers)
    rows = [_offer(offer, names, "", bar(offer.parts, tone, top)) for offer in step.offers]
    if why and rows and not step.entry:
        rows.insert(0, f"<p class='tr-why'>{escape(why)}</p>")
    return panel("offers", head(title, _considered(step), tone), rows, why)


def _followed(whole: Round, names: Names) -> str:
    shown = [offer for _, offer in whole.followed]
    tone, top = tones((o.parts for o in shown), names.parts), highest(o.parts for o in shown)
    rows = [
        _offer(offer, names, f"{names.title(at)} → ", bar(offer.parts, tone, top))
        for at, offer in whole.followed
    ]
    title = f"{begun(whole.of)} followed"
    note = f"{len(shown)} of {whole.considered:,} scored"
    return panel("offers", head(title, note, tone), rows, "Nothing was followed in this round.")


def _why(step: Offered) -> str:
    """The reason; with a model also its verdict, and the fallback."""
    told = step.told
    verdict = f"{begun(told.verdict)}: " if told.verdict else ""
    fallback = f"Fallback: {told.fallback} " if told.fallback else ""
    return f"{fallback}{verdict}{told.reason}"


def _considered(step: Offered) -> str:
    if step.entry:
        return f"{len(step.offers)} of {step.considered:,} {step.of} scored"
    if not step.offers:
        return ""
    listed = f", best {len(step.offers)} listed" if step.scored > len(step.offers) else ""
    room = ""
    if step.room:
        used = sum(offer.size for offer in step.taken)
        room = f", {used:,} of {step.room:,} used"
    return f"{len(step.taken)} chosen of {step.scored:,} scored{listed}{room}"


def _offer(offer: Offer, names: Names, origin: str, stack: str) -> str:
    back = "<span title='walked backwards'>⟵ </span>" if offer.backwards else ""
    asked = f"<q dir='auto'>{escape(offer.label)}</q>" if offer.label else ""
    inner = (
        f"<span class='tr-mark'>{'✓' if offer.taken else '✗'}</span><div class='tr-what'>"
        f"<div class='tr-line'>{back}<span class='tr-origin'>{escape(origin)}</span>"
        f"{names.html(offer.target)}</div>"
        f"<div class='tr-line tr-small'><div class='tr-words'>{notes_html(offer)}</div>{asked}"
        f"</div></div>{stack}<span class='tr-num'>{offer.score:.3f}</span>"
    )
    end = names.title(offer.target)
    score = (
        f"{offer.score:.3f} = {parts_text(offer.parts)}" if offer.parts else f"{offer.score:.3f}"
    )
    hint = f"{offer.label}\n{origin}{end}\n{score}{notes_text(offer)}"
    state = "tr-offer tr-taken" if offer.taken else "tr-offer tr-refused"
    if offer.tie and names.is_line(offer.tie):
        return pick_row("edge", offer.tie, inner, name=state, hint=hint)
    return pick_row("node", offer.target, inner, name=state, hint=hint)
