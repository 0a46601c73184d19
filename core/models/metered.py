"""A model whose calls are counted, and end where a budget does.

Only calls that are made count: a reply that is kept costs nothing.
"""

import threading
from dataclasses import dataclass
from typing import Any

from core.errors import BudgetReached, InputError
from core.models.budget import NO_BUDGET, Budget
from core.models.leave import Leave, need
from core.models.llm import Llm
from core.models.prices import Price
from core.models.prompt import Prompt, Reply
from core.progress import Spending
from core.settings import Endpoint

_TOKENS_A_CHARACTER = 0.3  # guessed until a reply has told better, here and in the next line
_TOKENS_A_REPLY = 200


@dataclass(frozen=True, slots=True)
class _Guess:
    tokens_in: int
    tokens_out: int


class Meter:
    """Counts what a run pays for, and lets a call begin only if the budget will hold it.

    What a call will take is guessed from the largest so far: tokens a character of the prompt, and
    tokens of a reply. Calls under way count with their guess; one that would fit but for them
    waits until they have ended. Safe to share between threads.

    Raises
    ------
    InputError : the budget is money and no price is known.
    """

    def __init__(self, price: Price | None = None, budget: Budget = NO_BUDGET) -> None:
        self.price = price
        self._budget = budget
        if self._budget.money is not None and price is None:
            raise InputError(
                "No price is known for this model, so that no budget in money can be kept. Name a "
                "file with its price in HOPRAG_PRICES, or give a budget in tokens."
            )
        self._changed = threading.Condition()
        self._under_way: list[_Guess] = []
        self._spent = _Guess(0, 0)
        self._calls = 0
        self._a_character = 0.0
        self._a_reply = 0
        self._reached = False

    @property
    def spending(self) -> Spending:
        with self._changed:
            return self._spending()

    def begin(self, prompt: Prompt) -> _Guess:
        """Wait for room in the budget; returns what is to be handed to `end`.

        Raises
        ------
        BudgetReached : the call would pass the budget, or one before it would have.
        """
        with self._changed:
            while not self._reached and (wait := self._must_wait(prompt)):
                self._changed.wait(wait)
            if self._reached:
                while self._under_way:  # so that it is told to the last call
                    self._changed.wait(1.0)
                raise BudgetReached(
                    f"The budget of {self._budget} holds no further call; this run has paid for "
                    f"{self._spending()}. That is kept: resume, with the same budget or a larger "
                    "one, to go on from there."
                )
            guess = self._guess(prompt)
            self._under_way.append(guess)
            return guess

    def end(self, guess: _Guess, prompt: Prompt, reply: Reply | None) -> None:
        """A call has ended; `reply` is None if it failed."""
        with self._changed:
            self._under_way.remove(guess)
            if reply is not None:
                # A server that does not count is taken at our guess.
                took = _Guess(
                    reply.tokens_in or guess.tokens_in, reply.tokens_out or guess.tokens_out
                )
                self._calls += 1
                self._spent = _sum([self._spent, took])
                self._a_character = max(self._a_character, took.tokens_in / _length(prompt))
                self._a_reply = max(self._a_reply, took.tokens_out)
            self._changed.notify_all()

    def _must_wait(self, prompt: Prompt) -> float:
        """Seconds until it is worth looking again, 0 to go ahead; may find the budget used up."""
        if not self._budget:
            return 0.0
        guess = self._guess(prompt)
        if not self._fits(_sum([self._spent, guess])):
            self._reached = True
        alone = self._calls == 0  # the first call tells what the others will take
        crowded = alone or not self._fits(_sum([self._spent, guess, *self._under_way]))
        return 1.0 if self._under_way and crowded else 0.0

    def _fits(self, all_in_all: _Guess) -> bool:
        money, tokens = self._budget.money, self._budget.tokens
        taken = all_in_all.tokens_in, all_in_all.tokens_out
        return (tokens is None or sum(taken) <= tokens) and (
            money is None or self.price is None or self.price.of(*taken) <= money
        )

    def _guess(self, prompt: Prompt) -> _Guess:
        a_character = self._a_character or _TOKENS_A_CHARACTER
        return _Guess(round(a_character * _length(prompt)), self._a_reply or _TOKENS_A_REPLY)

    def _spending(self) -> Spending:
        taken = self._spent.tokens_in, self._spent.tokens_out
        return Spending(self._calls, *taken, self.price.of(*taken) if self.price else None)


def _length(prompt: Prompt) -> int:
    return len(prompt.system) + len(prompt.user) or 1


def _sum(guesses: list[_Guess]) -> _Guess:
    return _Guess(sum(g.tokens_in for g in guesses), sum(g.tokens_out for g in guesses))


class Metered(Llm):
    """A model whose calls are counted, and end with `BudgetReached` when the budget does."""

    def __init__(self, endpoint: Endpoint, meter: Meter, **limits: Any) -> None:
        super().__init__(endpoint, **limits)
        self.meter = meter

    def complete(self, prompt: Prompt, leave: Leave | None) -> Reply:
        """As `Llm.complete`; BudgetReached if the call would pass the budget."""
        need(leave)  # before it is counted, or waits for one that is
        guess = self.meter.begin(prompt)
        reply = None
        try:
            reply = super().complete(prompt, leave)
        finally:
            self.meter.end(guess, prompt, reply)
        return reply
