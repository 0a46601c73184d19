"""What a number of prompts will cost, before any of them is sent."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import ceil
from pathlib import Path
from statistics import fmean

from core.models.kept.replies import Took
from core.models.money.prices import is_near, price_of
from core.models.money.spread import Estimate, Range, of_many
from core.models.oracle import TRIES, Oracle
from core.models.prompt import Prompt
from core.models.token_counts import tokens_of
from core.progress import dollars

_LEARNT = 5  # cached replies from which on they predict better than our guess
_SHARE = 0.3  # of the limit on replies, while no reply of the model is known
_DENSEST = 1.7  # a server's tokens of a text to ours, at most


@dataclass(frozen=True, slots=True)
class Sample:
    """The size of a random sample for a forecast: `rehearsed` of `asked` questions."""

    rehearsed: int
    asked: int

    def __str__(self) -> str:
        """Describe the sample for people."""
        return f"estimated from {self.rehearsed:,} of {self.asked:,} questions, drawn at random"


@dataclass(frozen=True, slots=True)
class Forecast:
    """The expected calls, tokens and price of prompts, with a bound for each.

    Parameters
    ----------
    calls : calls that are certain, whatever the replies say.
    price : in dollars, from the expected price to the bound; None if no price is known.
    likely : calls that are made where replies lead on as they mostly do; 0 if `calls` are all.
    kept : replies that are cached already. With neither calls nor these, no model is needed.
    near : whether the server is on this machine or network, and free if it is the user's own.
    sample : the questions that all of this is estimated from, None if it was all questions.
    tries : calls, including second tries for replies that cannot be used.
    tokens : tokens in and out of all `tries`; None if they are unknown.
    """

    calls: int
    price: Range | None = None
    likely: int = 0
    kept: int = 0
    near: bool = False
    sample: Sample | None = None
    tries: Estimate = field(default_factory=Estimate)
    tokens: Estimate | None = None

    @property
    def asks(self) -> bool:
        """Whether the model takes part, even if all its replies are cached."""
        return bool(self.calls or self.kept)

    def __str__(self) -> str:
        """Format as `about 12 calls (at most 24), 900 tokens (at most 4,000), $0.10`."""
        if not self.calls:
            return f"no calls, {self.sample}" if self.sample else "no calls: all replies are cached"
        sentence = f"{self.taking()}, {self.price_told()}"
        return f"{sentence}; {self.sample}" if self.sample else sentence

    def plus(self, other: "Forecast") -> "Forecast":
        """Add the forecast of another model; the price is known only if both prices are."""
        price = None
        if self.price is not None and other.price is not None:
            low, high = self.price.low + other.price.low, self.price.high + other.price.high
            price = Range(low, high)
        tokens = self.tokens.plus(other.tokens) if self.tokens and other.tokens else None
        return replace(
            self,
            calls=self.calls + other.calls,
            price=price,
            likely=(self.likely or self.calls) + (other.likely or other.calls),
            kept=self.kept + other.kept,
            near=self.near and other.near,
            tries=self.tries.plus(other.tries),
            tokens=tokens,
        )

    def taking(self) -> str:
        """Describe calls and tokens: the expected value, the bound, and second tries."""
        calls = f"about {_figure(self.tries, 'call')}"
        return f"{calls}, {_figure(self.tokens, 'token')}" if self.tokens else calls

    def price_told(self) -> str:
        """Describe the price: the expected value and the bound."""
        if self.price is None:
            return "free of charge if the server is your own" if self.near else "price unknown"
        if not self.price.high:
            return "free of charge"
        low, high = dollars(self.price.low), dollars(self.price.high)
        return low if low == high else f"{low} (at most {high})"


def _figure(amount: Estimate, noun: str) -> str:
    """Format as `12 calls (at most 24)`; round the expected value, and the bound up."""
    expected, most = max(1, round(amount.expected)), ceil(amount.most)
    bound = f" (at most {most:,})" if most > expected else ""
    return f"{expected:,} {noun}{'s' * (expected != 1)}{bound}"


def extrapolate(
    found: Forecast, asked: int, calls: Sequence[int], likely: Sequence[int]
) -> Forecast:
    """Scale the forecast of a sample of questions to all of them, with a 95% prediction interval.

    Parameters
    ----------
    found : the forecast of the sample.
    asked : the number of questions.
    calls, likely : the certain and likely calls of each question of the sample; at least one.
    """
    share = asked / len(likely)
    most = _predicted_total(asked - len(likely), likely).high / max(1, sum(likely))
    price, tokens = found.price, found.tokens
    return replace(
        found,
        calls=round(share * sum(calls)),
        likely=round(share * sum(likely)),
        kept=round(share * found.kept),
        price=price and price.times(share, most),
        tries=found.tries.times(share, most),
        tokens=tokens and tokens.times(share, most),
        sample=Sample(len(likely), asked),
    )


def _predicted_total(rest: int, found: Sequence[int]) -> Range:
    """Return the range of the sum of `found` and `rest` further numbers like them."""
    more, known = of_many(rest, found), sum(found)
    return Range(known + more.low, known + more.high)


def foreseen(
    oracle: Oracle,
    prompts: Sequence[Prompt],
    prices: Path | None,
    likely: Sequence[Prompt] = (),
    *,
    more: int = 0,
) -> Forecast:
    """Forecast the cost of `prompts`, and of the `likely` ones after them.

    Calls, tokens and price are learnt from the replies that are kept of this model: those to
    prompts of the same name, or those to any prompt where these are few. A second try, for a reply
    that cannot be used, counts as a call. Without replies the bound is what a reply may take.

    Parameters
    ----------
    prices : the user's own table.
    more : further prompts like these that may be sent; they count for the bound only.

    Raises
    ------
    InputError : the table cannot be read.
    """
    endpoint = oracle.llm.endpoint
    price = price_of(endpoint, prices)
    expected = max(prompts, likely, key=len)
    most = 1 + more / len(expected)
    tries, tokens_in, tokens_out = (each.times(1, most) for each in _taking(oracle, expected))
    token_range = None
    if price is not None:
        token_range = Range(
            price.of(tokens_in.expected, tokens_out.expected),
            price.of(tokens_in.most, tokens_out.most),
        )
    return Forecast(
        len(prompts),
        token_range,
        len(likely),
        near=price is None and is_near(endpoint),
        tries=tries,
        tokens=tokens_in.plus(tokens_out),
    )


def _taking(oracle: Oracle, prompts: Sequence[Prompt]) -> tuple[Estimate, Estimate, Estimate]:
    """Estimate calls with second tries, tokens in, and tokens out."""
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
    """Estimate the calls per prompt, second tries included; at most TRIES."""
    first = sum(each.attempt == 0 for each in took)
    if first < _LEARNT:
        return Estimate(1.0, TRIES)
    second = min(first, len(took) - first)
    return Estimate(1 + second / first, TRIES)


def _tokens(
    oracle: Oracle, prompts: Sequence[Prompt], took: Sequence[Took], every: Sequence[Took]
) -> tuple[Estimate, Estimate]:
    """Estimate tokens in and out of one call for each of `prompts`, all of one name."""
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
