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

    `price` is that of the likely ones in dollars, None if no price is known.
    """

    calls: int
    price: float | None = None
    likely: int = 0

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


def forecast(
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
