"""What a model's questions will cost, measured on a few passages before all are asked about."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil

from core.errors import InputError
from core.hop_graph.model_questions import ByModel, prompt_of
from core.models.prices import Price
from core.models.window import in_order
from core.steps import Exchange
from core.types import Passage

PILOT = 5  # passages


@dataclass(frozen=True, slots=True)
class Range:
    """At the least and at the most that the pilot saw."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Estimate:
    """What is left to ask, after a pilot whose own replies are kept like any others.

    `kept` of `passages` need no call. Ranges lie between the least and the most that a passage of
    the pilot took; for five passages the median of all lies there with 94 %. `price` in dollars is
    None where none is known; `seconds` is with `at_once` calls under way.
    """

    passages: int
    kept: int
    calls: Range
    tokens_in: Range
    tokens_out: Range
    price: Range | None
    seconds: Range
    at_once: int


def estimate(
    passages: Sequence[Passage], maker: ByModel, price: Price | None = None, pilot: int = PILOT
) -> Estimate:
    """Ask about `pilot` passages, spread over all of them, and say what the rest will take.

    Raises
    ------
    InputError : there is no passage.
    LlmError : the model cannot be asked.
    """
    if not passages:
        raise InputError("There is no passage to ask about: every document is empty.")
    oracle = maker.oracle
    asked = [found[1] for found in in_order(maker.ask, _spread(passages, pilot), pilot)]
    prompts = [prompt_of(passage) for passage in passages]
    left = oracle.unknown(prompts)
    length = sum(len(prompt.system) + len(prompt.user) for prompt in prompts) / len(prompts)
    calls = _times(left, (len(each.replies) for each in asked))
    tokens_in = _times(left * length, (each.tokens_in / _length(each) for each in asked))
    tokens_out = _times(left, (each.tokens_out for each in asked))
    return Estimate(
        passages=len(passages),
        kept=len(passages) - left,
        calls=calls,
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        price=_price(price, tokens_in, tokens_out),
        seconds=_times(ceil(left / oracle.llm.at_once), (each.seconds for each in asked)),
        at_once=oracle.llm.at_once,
    )


def _spread(passages: Sequence[Passage], number: int) -> list[Passage]:
    """`number` passages, evenly spread from the first to the last."""
    if len(passages) <= number:
        return list(passages)
    return [passages[int((part + 0.5) * len(passages) / number)] for part in range(number)]


def _price(price: Price | None, tokens_in: Range, tokens_out: Range) -> Range | None:
    if price is None:
        return None
    low = price.of(tokens_in.low, tokens_out.low)
    return Range(low, price.of(tokens_in.high, tokens_out.high))


def _times(units: float, each: Iterable[float]) -> Range:
    found = list(each)
    return Range(units * min(found), units * max(found))


def _length(exchange: Exchange) -> int:
    return len(exchange.system) + len(exchange.user)
