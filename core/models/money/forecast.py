"""What a number of prompts will cost, before any of them is sent."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil
from pathlib import Path
from statistics import fmean

from core.models.kept.replies import Took
from core.models.money.counting import tokens_of
from core.models.money.prices import is_near, price_of
from core.models.money.spread import Estimate, Range, of_many
from core.models.oracle import TRIES, Oracle
from core.models.prompt import Prompt
from core.progress import dollars

_LEARNT = 5  # kept replies from which on they tell more than our guess
_SHARE = 0.3  # of the longest reply that is asked for, as long as nothing is known of the model
_DENSEST = 1.7  # a server's tokens of a text to ours, at most


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

    `tries` are the calls with those for replies that cannot be used, and `tokens` those read and
    written by them, of the likely ones. `price` is from what is expected to a bound, in dollars;
    None if no price is known. `near` is a server of this machine or network, which is free if it is
    the user's own. `kept` are replies that are there already; where neither is any, no model is
    asked. With a `sample` all of it is estimated.
    """

    calls: int
    price: Range | None = None
    likely: int = 0
    kept: int = 0
    near: bool = False
    sample: Sample | None = None
    tries: Estimate | None = None
    tokens: Estimate | None = None

    @property
    def asks(self) -> bool:
        """Whether a model has a part in it, were all its replies kept."""
        return bool(self.calls or self.kept)

    def __str__(self) -> str:
        """As people read it: `at least 12 calls, perhaps 30, about $0.10 to $0.20`."""
        if not self.calls:
            return f"no call, {self.sample}" if self.sample else "all kept: no call"
        told = ", ".join(filter(None, (self._calls(), self.price_told())))
        told = "; ".join(filter(None, (told, self._taking())))
        return f"{told}; 95 % sure, {self.sample}" if self.sample else told

    def _calls(self) -> str:
        if self.sample:
            least = f"at least {_between(self.sample.calls)} calls"
            more = _between(self.sample.likely) if self.likely > self.calls else ""
        else:
            least = f"at least {self.calls:,} call{'s' * (self.calls != 1)}"
            more = f"{self.likely:,}" if self.likely > self.calls else ""
        return f"{least}, perhaps {more}" if more else least

    def price_told(self) -> str:
        """Return the price in words, as expected and at most."""
        if self.price is None:
            return (
                "free of charge if the server is your own"
                if self.near
                else "of a price that is not known"
            )
        if not self.price.high:
            return "free of charge"
        low, high = dollars(self.price.low), dollars(self.price.high)
        return f"about {low if low == high else f'{low}, at most {high}'}"

    def taking(self) -> str:
        """Return calls and tokens in words, as expected and at most: second tries included."""
        if self.tries is None or self.tokens is None:
            return ""
        calls = f"about {_upper(self.tries.expected)}, at most {_upper(self.tries.most)} calls"
        tokens = f"{_upper(self.tokens.expected)}, at most {_upper(self.tokens.most)} tokens"
        return f"{calls} with second tries, {tokens}"

    def _taking(self) -> str:
        return "" if self.sample else self.taking()


def _upper(amount: float) -> str:
    return f"{ceil(amount):,}"


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
    oracle: Oracle,
    prompts: Sequence[Prompt],
    prices: Path | None,
    likely: Sequence[Prompt] = (),
) -> Forecast:
    """Return what `prompts`, which will be sent, and the `likely` ones, if more, will take.

    Calls, tokens and price are learnt from the replies that are kept of this model: those to
    prompts of the same name, or those to any prompt where these are few. A second try, for a reply
    that cannot be used, counts as a call. Without replies the bound is what a reply may take.

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
    calls, tokens_in, tokens_out = _taking(oracle, more)
    found = None
    if price is not None:
        found = Range(
            price.of(tokens_in.expected, tokens_out.expected),
            price.of(tokens_in.most, tokens_out.most),
        )
    return Forecast(
        len(prompts),
        found,
        len(likely),
        near=price is None and is_near(endpoint),
        tries=calls,
        tokens=tokens_in.plus(tokens_out),
    )


def _taking(oracle: Oracle, prompts: Sequence[Prompt]) -> tuple[Estimate, Estimate, Estimate]:
    """Return calls with second tries, tokens in, and tokens out."""
    calls = tokens_in = tokens_out = Estimate()
    every = oracle.replies.took("", oracle.llm.model)
    for name in sorted({prompt.name for prompt in prompts}):
        some = [prompt for prompt in prompts if prompt.name == name]
        took = oracle.replies.took(name, oracle.llm.model)
        again = _second_tries(took if len(took) >= _LEARNT else every)
        calls = calls.plus(Estimate(len(some), len(some)).times(again.expected, again.most))
        read, written = _tokens(oracle, some, took, every)
        tokens_in = tokens_in.plus(read.times(again.expected, again.most))
        tokens_out = tokens_out.plus(written.times(again.expected, again.most))
    return calls, tokens_in, tokens_out


def _second_tries(took: Sequence[Took]) -> Estimate:
    """Return how many calls a prompt takes; TRIES at most."""
    first = sum(each.attempt == 0 for each in took)
    if first < _LEARNT:
        return Estimate(1.0, TRIES)
    second = min(first, len(took) - first)
    return Estimate(1 + second / first, TRIES)


def _tokens(
    oracle: Oracle, prompts: Sequence[Prompt], took: Sequence[Took], every: Sequence[Took]
) -> tuple[Estimate, Estimate]:
    """Return tokens in and out of one call for each of `prompts`, which have one name."""
    number, letters = len(prompts), sum(prompt.letters for prompt in prompts)
    known = took if len(took) >= _LEARNT else every
    dense = [each.tokens_in / each.letters for each in known if each.letters and each.tokens_in]
    guess = sum(tokens_of(prompt.system) + tokens_of(prompt.user) for prompt in prompts)
    tokens_in = Estimate(guess, guess * _DENSEST)
    if len(dense) >= _LEARNT:
        tokens_in = Estimate(letters * fmean(dense), letters * max(dense))
    allowed = sum(prompt.longest + oracle.llm.endpoint.thinking for prompt in prompts)
    tokens_out = Estimate(min(allowed, _SHARE * sum(p.longest for p in prompts)), allowed)
    written = [each.tokens_out for each in known]
    if len(written) >= _LEARNT:
        mean = number * fmean(written)
        most = of_many(number, written).high if known is took else float(allowed)
        tokens_out = Estimate(min(mean, allowed), max(min(most, allowed), min(mean, allowed)))
    return tokens_in, tokens_out
