"""What a model was asked and what it replied, in order."""

from collections.abc import Sequence

from core.playback import Label
from core.steps import Exchange, Offered, Step, Told
from core.text.display.cropping import cropped
from core.text.display.plurals import number
from core.trace_analysis.node_names import Cast
from core.walkthroughs.contract import ExchangeData


def exchanges(
    steps: Sequence[Step], cast: Cast, names: Sequence[Label], room: int
) -> list[ExchangeData]:
    """Return the prompts and replies of a model, whole while they fit in `room`.

    `room` is in characters. Beyond, the longest texts are cropped to one length.
    """
    recorded = [
        (step, name, exchange)
        for step, name in zip(steps, names, strict=True)
        if (exchange := step.told.exchange)
    ]
    texts = [text for *_, one in recorded for text in (one.system, one.user, *one.replies)]
    length = longest([len(text) for text in texts], room)
    return [
        {
            "t": name.t,
            "title": f"Model call{_place_phrase(step, cast)} ({name.text})",
            "model": exchange.model,
            "system": cropped(exchange.system, length),
            "user": cropped(exchange.user, length),
            "replies": [cropped(reply, length) for reply in exchange.replies],
            "note": _note(step.told, exchange),
        }
        for step, name, exchange in recorded
    ]


def longest(lengths: Sequence[int], room: int) -> int:
    """Return the length to which texts of these lengths have to be cropped to fit in `room`
    together.
    """
    ordered = sorted(lengths)
    for before, length in enumerate(ordered):
        share = room // (len(ordered) - before)
        if length > share:
            return max(1, share)
        room -= length
    return max([1, *ordered])


def _place_phrase(step: Step, cast: Cast) -> str:
    return f" at {cast.title(step.at)}" if isinstance(step, Offered) else ""


def _note(told: Told, exchange: Exchange) -> str:
    """Return the verdict, the fallback and the cost of a model call."""
    verdict = f"{told.verdict}: {told.reason}" if told.verdict else ""
    fallback = f"Fallback: {told.fallback}" if told.fallback else ""
    return " · ".join(filter(None, (verdict, fallback, _call_cost(exchange))))


def _call_cost(exchange: Exchange) -> str:
    """Describe the tokens and seconds of a model call."""
    tokens = f"{exchange.tokens_in:,} tokens in, {exchange.tokens_out:,} out"
    if not exchange.replies:
        return "no reply"
    if exchange.cached:
        return f"from the cache; the original call took {tokens}, {exchange.seconds:.2f} s"
    return f"{number(len(exchange.replies), 'reply')}, {tokens}, {exchange.seconds:.2f} s"
