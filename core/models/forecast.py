"""What a number of prompts will cost, before any of them is sent."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.models.prices import Price
from core.models.prompt import Prompt
from core.progress import dollars

_TOKENS_A_CHARACTER = 0.3
_TOKENS_A_REPLY = 60  # a verdict with its reason in one sentence


@dataclass(frozen=True, slots=True)
class Forecast:
    """At least so many `calls`, perhaps `likely` ones where replies lead to more.

    `price` is that of the likely ones in dollars, None if no price is known. `kept` are replies
    that are there already; where neither is any, no model is asked.
    """

    calls: int
    price: float | None = None
    likely: int = 0
    kept: int = 0

    @property
    def asks(self) -> bool:
        """Whether a model has a part in it, were all its replies kept."""
        return bool(self.calls or self.kept)

    def times(self, number: int) -> "Forecast":
        """What so many take that each take this."""
        price = None if self.price is None else self.price * number
        return Forecast(self.calls * number, price, self.likely * number, self.kept * number)

    def __str__(self) -> str:
        """As people read it: `at least 12 calls, perhaps 30, about $0.01`, `all kept: no call`."""
        if not self.calls:
            return "all kept: no call"
        calls = f"at least {self.calls:,} call{'s' * (self.calls != 1)}"
        if self.likely > self.calls:
            calls += f", perhaps {self.likely:,}"
        if self.price is None:
            return f"{calls}, of a price that is not known"
        return f"{calls}, about {dollars(self.price)}" if self.price else f"{calls}, free of charge"


def priced(
    prompts: Sequence[Prompt], price: Price | None, likely: Sequence[Prompt] = ()
) -> Forecast:
    """What `prompts`, which will be sent, and the `likely` ones, if more, will take.

    Tokens are guessed by the length of the texts.
    """
    all_in_all = max(prompts, likely, key=len)
    letters = sum(len(prompt.system) + len(prompt.user) for prompt in all_in_all)
    replies = _TOKENS_A_REPLY * len(all_in_all)
    dear = price.of(_TOKENS_A_CHARACTER * letters, replies) if price else None
    return Forecast(len(prompts), dear, len(likely))
