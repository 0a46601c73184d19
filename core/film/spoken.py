"""Words of a film: what was asked and said, and what a model was asked, in order."""

from collections.abc import Mapping, Sequence

from core.film.cast import Cast
from core.film.data import ExchangeData, QuestionData, SaidData
from core.film.searches import Finding
from core.film.words import TEXT, cropped
from core.playback import Label
from core.playback.layers import nouns
from core.playback.wording import begun, number, voice
from core.steps import ROOT, Asked, Exchange, Offered, Said, Step, Told


def questions(steps: Sequence[Step], found: Mapping[int, Finding]) -> list[QuestionData]:
    """Every question that was asked, and every thought that was searched with; with what was
    `found` for those of some steps.
    """
    asked = [(t, step) for t, step in enumerate(steps, start=1) if isinstance(step, Asked)]
    whole = asked[0][1].query if asked else ""
    called = nouns(steps, {step.id: step.query for _, step in asked})
    told = ((t, _question(t, step, whole, called[step.id])) for t, step in asked)
    return [
        {**one, "found": found[t].told, "until": found[t].t} if t in found else one
        for t, one in told
    ]


def _question(t: int, step: Asked, whole: str, noun: str) -> QuestionData:
    if step.id == ROOT:
        return {"t": t, "id": step.id, "name": "Question", "text": cropped(whole, TEXT)}
    if step.query == whole:
        return {"t": t, "id": step.id, "name": f"Search {step.id}: the question itself", "text": ""}
    told = f"Search {step.id}: {noun}" if noun != "question" else f"Search {step.id}"
    return {"t": t, "id": step.id, "name": told, "text": cropped(step.query, TEXT)}


def said(steps: Sequence[Step], cast: Cast) -> list[SaidData]:
    return [
        {
            "t": t,
            "by": begun(voice(step.by)),
            "text": cropped(step.text, TEXT),
            "about": cast.number.get(step.about),
            "ends": step.ends,
        }
        for t, step in enumerate(steps, start=1)
        if isinstance(step, Said)
    ]


def exchanges(
    steps: Sequence[Step], cast: Cast, names: Sequence[Label], room: int
) -> tuple[list[ExchangeData], str]:
    """What a model was asked and what it replied, whole as long as all of it fits `room`.

    `room` is in characters. Beyond, the longest texts are cropped to one length. The second part
    says how much is left out, empty if nothing is.
    """
    told = [
        (step, name, exchange)
        for step, name in zip(steps, names, strict=True)
        if (exchange := step.told.exchange)
    ]
    texts = [text for *_, one in told for text in (one.system, one.user, *one.replies)]
    length = longest([len(text) for text in texts], room)
    found: list[ExchangeData] = [
        {
            "t": name.t,
            "title": f"The model{_at(step, cast)}, {name.text.lower()}",
            "model": exchange.model,
            "system": cropped(exchange.system, length),
            "user": cropped(exchange.user, length),
            "replies": [cropped(reply, length) for reply in exchange.replies],
            "note": _note(step.told, exchange),
        }
        for step, name, exchange in told
    ]
    left = sum(len(text) - length for text in texts if len(text) > length)
    if not left:
        return found, ""
    return found, f"Cropped to {length:,} characters each; {left:,} of all characters are left out."


def longest(lengths: Sequence[int], room: int) -> int:
    """The length to which texts of these lengths have to be cropped to fit in `room` together."""
    ordered = sorted(lengths)
    for before, length in enumerate(ordered):
        share = room // (len(ordered) - before)
        if length > share:
            return max(1, share)
        room -= length
    return max([1, *ordered])


def _at(step: Step, cast: Cast) -> str:
    return f" at {cast.title(step.at)}" if isinstance(step, Offered) else ""


def _note(told: Told, exchange: Exchange) -> str:
    """What it decided, and what it took."""
    verdict = f"{told.verdict}: {told.reason}" if told.verdict else ""
    fallback = f"Fallback: {told.fallback}" if told.fallback else ""
    return " · ".join(filter(None, (verdict, fallback, _took(exchange))))


def _took(exchange: Exchange) -> str:
    tokens = f"{exchange.tokens_in:,} tokens in, {exchange.tokens_out:,} out"
    if not exchange.replies:
        return "no reply"
    if exchange.cached:
        return f"from the cache, no call; it once took {tokens}, {exchange.seconds:.2f} s"
    return f"{number(len(exchange.replies), 'reply')}, {tokens}, {exchange.seconds:.2f} s"
