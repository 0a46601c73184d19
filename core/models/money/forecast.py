"""What a number of prompts will cost, before any of them is sent."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from core.models.money.counting import tokens_of
from core.models.money.prices import Price, is_near, price_of
from core.models.money.spread import Range, of_many
from core.models.oracle import Oracle
from core.models.prompt import Prompt
from core.progress import dollars

_LEARNT = 5  # kept replies from which on they tell more than our guess
_SHORT = 20  # tokens of a short reply
_DENSITY = Range(0.7, 1.7)  # a server's tokens of a text, to ours


@dataclass(frozen=True, slots=True)
class Sample:
    """That `rehearsed` of `asked` questions, drawn at random, were looked into for all of them.

    `calls` is from the fewest to the most of what all will make at least, `likely` of what they
    likely make, each with 95 % certainty.
    """

    rehearsed: int
    asked: int
    calls: Range
    likely: Range

    def __str__(self) -> str:
        """A phrase for people."""
        return f"by {self.rehearsed:,} of {self.asked:,} questions, drawn at random"


@dataclass(frozen=True, slots=True)
class Forecast:
    """At least so many `calls`, perhaps `likely` ones where replies lead to more.

    `price` is from that of the least to that of the likely ones in dollars, None if no price is
    known. `near` is a server of this machine or network, which is free if it is the user's own.
    `kept` are replies that are there already; where neither is any, no model is asked. With a
    `sample` all of it is estimated.
    """

    calls: int
    price: Range | None = None
    likely: int = 0
    kept: int = 0
    near: bool = False
    sample: Sample | None = None

    @property
    def asks(self) -> bool:
        """Whether a model has a part in it, were all its replies kept."""
        return bool(self.calls or self.kept)

    def __str__(self) -> str:
        """As people read it: `at least 12 calls, perhaps 30, about $0.10 to $0.20`."""
        if not self.calls:
            return f"no call, {self.sample}" if self.sample else "all kept: no call"
        told = ", ".join(filter(None, (self._calls(), self._price())))
        return f"{told}; 95 % sure, {self.sample}" if self.sample else told

    def _calls(self) -> str:
        if self.sample:
            least = f"at least {_between(self.sample.calls)} calls"
            more = _between(self.sample.likely) if self.likely > self.calls else ""
        else:
            least = f"at least {self.calls:,} call{'s' * (self.calls != 1)}"
            more = f"{self.likely:,}" if self.likely > self.calls else ""
        return f"{least}, perhaps {more}" if more else least

    def _price(self) -> str:
        if self.price is None:
            return (
                "free of charge if the server is your own"
                if self.near
                else "of a price that is not known"
            )
        if not self.price.high:
            return "free of charge"
        low, high = dollars(self.price.low), dollars(self.price.high)
        return f"about {low if low == high else f'{low} to {high}'}"


def _between(calls: Range) -> str:
    low, high = f"{calls.low:,.0f}", f"{calls.high:,.0f}"
    return low if low == high else f"{low} to {high}"


def for_all(found: Forecast, asked: int, calls: Sequence[int], likely: Sequence[int]) -> Forecast:
    """What `asked` questions will take, where `found` is of some of them.

    Parameters
    ----------
    calls, likely : how many each of those makes at least, and likely; at least one.
    """
    rest = asked - len(calls)
    least, most = _total(rest, calls), _total(rest, likely)
    price = found.price
    if price and found.calls:
        price = price.times(least.low / found.calls, most.high / max(found.likely, found.calls))
    return replace(
        found,
        calls=round(asked * sum(calls) / len(calls)),
        likely=round(asked * sum(likely) / len(likely)),
        kept=round(asked * found.kept / len(calls)),
        price=price,
        sample=Sample(len(calls), asked, least, most),
    )


def _total(rest: int, found: Sequence[int]) -> Range:
    """Of those found and of `rest` more like them."""
    more, known = of_many(rest, found), sum(found)
    return Range(known + more.low, known + more.high)


def foreseen(
    oracle: Oracle, prompts: Sequence[Prompt], prices: Path | None, likely: Sequence[Prompt] = ()
) -> Forecast:
    """What `prompts`, which will be sent, and the `likely` ones, if more, will take.

    Tokens are guessed by the length of the texts, and by what kept replies to prompts of their name
    took, thinking with it; where there are none a reply may be as long as is allowed.

    Parameters
    ----------
    prices : the user's own table.

    Raises
    ------
    InputError : the table cannot be read.
    """
    endpoint = oracle.llm.endpoint
    price = price_of(endpoint, prices)
    more = max(prompts, likely, key=len)
    found = None
    if price is not None:
        low, high = _price(oracle, prompts, price).low, _price(oracle, more, price).high
        found = Range(low, high)
    return Forecast(len(prompts), found, len(likely), near=price is None and is_near(endpoint))


def _price(oracle: Oracle, prompts: Sequence[Prompt], price: Price) -> Range:
    """Of all `prompts`, those of each name by themselves."""
    low = high = 0.0
    for name in sorted({prompt.name for prompt in prompts}):
        some = [prompt for prompt in prompts if prompt.name == name]
        tokens_in, tokens_out = _tokens(oracle, name, some)
        low += price.of(tokens_in.low, tokens_out.low)
        high += price.of(tokens_in.high, tokens_out.high)
    return Range(low, high)


def _tokens(oracle: Oracle, name: str, prompts: Sequence[Prompt]) -> tuple[Range, Range]:
    """In and out."""
    number = len(prompts)
    took = oracle.replies.took(name, oracle.llm.model)
    dense = [each.tokens_in / each.letters for each in took if each.letters and each.tokens_in]
    letters = sum(prompt.letters for prompt in prompts)
    guess = sum(tokens_of(prompt.system) + tokens_of(prompt.user) for prompt in prompts)
    tokens_in = Range(guess * _DENSITY.low, guess * _DENSITY.high)
    if len(dense) >= _LEARNT:
        tokens_in = Range(letters * min(dense), letters * max(dense))
    thinking = oracle.llm.endpoint.thinking
    most = sum(prompt.longest + thinking for prompt in prompts)
    tokens_out = Range(number * _SHORT, most)
    if len(took) >= _LEARNT:
        tokens_out = of_many(number, (each.tokens_out for each in took))
    return tokens_in, Range(tokens_out.low, min(tokens_out.high, max(most, tokens_out.low)))
