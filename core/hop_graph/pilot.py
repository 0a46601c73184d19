"""Estimate what asking a model about every passage will cost, measured on a few passages."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Protocol

from core.errors import InputError, LlmError
from core.models.money.prices import Price
from core.models.money.spread import Range, of_many, share
from core.models.oracle import Oracle
from core.models.prompt import Prompt
from core.models.server.window import in_order
from core.steps import Exchange
from core.types import Passage

PILOT = 5  # passages


class Asking(Protocol):
    """A client that calls a model once per passage; `noun` names what it requests."""

    @property
    def oracle(self) -> Oracle: ...

    @property
    def noun(self) -> str: ...

    def ask(self, passage: Passage) -> tuple[object | None, Exchange]:
        """Return the parsed reply for `passage`, or None if it is unusable, and the exchange."""

    def prompt(self, passage: Passage) -> Prompt: ...

    def read(self, text: str) -> object: ...


@dataclass(frozen=True, slots=True)
class Estimate:
    """The remaining calls after a pilot, whose replies are cached like any others.

    `kept` of `passages` need no call. Ranges are of the sums over all that are left, from mean and
    spread of what the pilot's passages took (`core.models.money.spread`): in random worlds, of
    uneven replies and of replies some of which think ten times as long, more than 9 of 10 stay
    below the most. `price` in dollars is None where none is known; `seconds` is with `at_once`
    calls under way.

    Of the pilot's passages `unusable` got no `noun` that can be used; `why` is why the first of
    them did not.
    """

    passages: int
    kept: int
    calls: Range
    tokens_in: Range
    tokens_out: Range
    price: Range | None
    seconds: Range
    at_once: int
    unusable: int
    why: str
    noun: str = "question"

    @property
    def warning(self) -> str:
        """A warning about passages left to rules; empty if every reply of the pilot is usable."""
        if not self.unusable:
            return ""
        return (
            f"For {self.unusable} of the pilot's passages, the model gave no usable "
            f"{self.noun}; rules would take its place. {self.why}"
        )


def estimate(
    passages: Sequence[Passage], maker: Asking, price: Price | None = None, pilot: int = PILOT
) -> Estimate:
    """Ask the model about `pilot` evenly spread passages and estimate the cost of the rest.

    Raises
    ------
    InputError : there are no passages.
    LlmError : the model cannot be called, or no reply is usable.
    """
    if not passages:
        raise InputError("There are no passages to ask about: every document is empty.")
    oracle = maker.oracle
    pairs = list(in_order(maker.ask, _evenly_spaced(passages, pilot), pilot))
    asked = [exchange for _, exchange in pairs]
    unusable = [exchange.trouble for found, exchange in pairs if found is None]
    if len(unusable) == len(pairs):
        raise LlmError(
            f"The model gave no usable {maker.noun} for any of the pilot's {len(pairs)} passages. "
            f"{unusable[0]} Use another model, or rules."
        )
    prompts = list(map(maker.prompt, passages))
    again = bool(oracle.leave and oracle.leave.again)
    left = len(oracle.to_ask(prompts, maker.read, again=again))
    letters = sum(prompt.letters for prompt in prompts) * left / len(prompts)
    said = [each for each in asked if each.replies]
    second = share(sum(len(each.replies) > 1 for each in said), len(said))
    calls = Range(left * (1 + second.low), left * (1 + second.high)) if left else Range(0, 0)
    more = 1 + second.low, 1 + second.high
    dense = of_many(1, (each.tokens_in / len(each.replies) / _length(each) for each in said))
    tokens_in = dense.times(letters * more[0], letters * more[1])
    out = of_many(left, (each.tokens_out / len(each.replies) for each in said))
    rounds = ceil(left / oracle.llm.at_once)
    seconds = of_many(rounds, (each.seconds for each in said))
    return Estimate(
        passages=len(passages),
        kept=len(passages) - left,
        calls=calls,
        tokens_in=tokens_in,
        tokens_out=out.times(*more),
        price=_price(price, tokens_in, out.times(*more)),
        seconds=seconds,
        at_once=oracle.llm.at_once,
        unusable=len(unusable),
        why=unusable[0] if unusable else "",
        noun=maker.noun,
    )


def _evenly_spaced(passages: Sequence[Passage], number: int) -> list[Passage]:
    """Choose `number` passages, evenly spread from the first to the last."""
    if len(passages) <= number:
        return list(passages)
    return [passages[int((part + 0.5) * len(passages) / number)] for part in range(number)]


def _price(price: Price | None, tokens_in: Range, tokens_out: Range) -> Range | None:
    """Price the lowest and the highest token counts; None without a price."""
    if price is None:
        return None
    low = price.of(tokens_in.low, tokens_out.low)
    return Range(low, price.of(tokens_in.high, tokens_out.high))


def _length(exchange: Exchange) -> int:
    return len(exchange.system) + len(exchange.user)
