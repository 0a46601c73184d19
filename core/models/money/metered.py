"""A model whose calls are counted, and stop at a budget.

Only calls that are made count: a reply that is kept costs nothing.
"""

import threading
from dataclasses import dataclass
from typing import Any

from core.errors import BudgetReached, Cancelled, InputError, StoreError
from core.models.leave import Leave, need
from core.models.llm import Llm
from core.models.money.budget import NO_BUDGET, Budget
from core.models.money.prices import Price
from core.models.prompt import Prompt, Reply
from core.models.server.limits import exceeds
from core.models.server.window import abandoned
from core.models.token_counts import counted, most_tokens_of
from core.progress import Spending, dollars
from core.settings import Endpoint

_LOOK = 0.25  # seconds


@dataclass(frozen=True, slots=True)
class _Tokens:
    """Tokens, and the dollars that they cost as far as a price is known."""

    tokens_in: int
    tokens_out: int
    money: float = 0.0


@dataclass(slots=True, eq=False)
class _Call:
    """A call in flight, and the most tokens that it may take as far as is known."""

    most: _Tokens
    price: Price | None


class Meter:
    """Counts the cost of a run, and starts a call only if the budget covers its largest cost.

    The largest cost assumes the most tokens that the text can have and the longest requested reply.
    Running tries count with it; a try that would fit without them waits for them. So does a failed
    try that may have been billed.

    A server may ignore the limit on replies. So, with a budget, no more tries run than have ended:
    the first runs alone. Once a reply exceeds its limit, all tries are assumed to be as long, and
    run one at a time. Shared between threads.

    Parameters
    ----------
    price : of the model, unless a call has its own price.

    Raises
    ------
    InputError : the budget is money and no price is known.
    """

    def __init__(self, price: Price | None = None, budget: Budget = NO_BUDGET) -> None:
        self.price = price
        self._budget = budget
        self._unpriced = False
        self.check(price)
        self._changed = threading.Condition()
        self._under_way: list[_Call] = []
        self._spent = _Tokens(0, 0)
        self._calls = 0
        self._estimated = False
        self._denser = 1.0  # a server's tokens of a text to our most
        self._longest = 0  # reply that exceeded its limit
        self._reached = False

    def check(self, price: Price | None) -> None:
        """Raise InputError if the budget is money and `price` is not known."""
        if self._budget.money is not None and price is None:
            raise InputError(
                "This model has no known price, so a budget in dollars is not possible. Set a "
                "token budget, or add the price to the file in HOPRAG_PRICES (in = 0 and out = 0 "
                "for your own server)."
            )

    @property
    def spending(self) -> Spending:
        with self._changed:
            return self._spending()

    def begin(
        self, prompt: Prompt, thinking: int = 0, exceeded: int = 0, price: Price | None = None
    ) -> _Call:
        """Wait for room in the budget; return the call to pass to `end`.

        Parameters
        ----------
        thinking : tokens that the model may write beside the longest reply.
        exceeded : tokens of the longest reply with which the server exceeded its limit in other
            runs; 0 if it is not known to do so.
        price : of this call, if the model is another one than that of the meter.

        Raises
        ------
        BudgetReached : the try could pass the budget, or one before it could have.
        Cancelled : nobody waits for it any more.
        """
        price = price or self.price
        with self._changed:
            self._unpriced = self._unpriced or price is None
            self._longest = max(self._longest, exceeded)
            while not self._reached and self._must_wait(self._largest(prompt, thinking, price)):
                self._wait()
            largest = self._largest(prompt, thinking, price)
            if self._reached:
                while self._under_way:  # so that it is told to the last call
                    self._wait()
                raise BudgetReached(
                    f"Budget reached: this run has spent {self._spent_of_budget()}, and the "
                    f"next call could take up to {self._amount(largest)}. All replies are "
                    "cached. To continue, resume with the same budget or a larger one."
                )
            call = _Call(largest, price)
            self._under_way.append(call)
            return call

    def end(
        self, call: _Call, prompt: Prompt, reply: Reply | None, *, billed: bool = False
    ) -> None:
        """Replace the reserved cost of a call by its actual cost.

        `reply` is None if the call failed; the server may have `billed` it nevertheless.
        """
        with self._changed:
            self._under_way.remove(call)
            if reply is not None:
                usage = counted(prompt, reply)
                self._count(_cost(usage.tokens_in, usage.tokens_out, call.price), usage.estimated)
                most = most_tokens_of(prompt)
                self._denser = max(self._denser, reply.tokens_in / most)
                if exceeds(usage.tokens_out, call.most.tokens_out):
                    self._expect(usage.tokens_out)
            elif billed:
                self._count(call.most, True)
            self._changed.notify_all()

    def _expect(self, longest: int) -> None:
        """Expect every reply, also of calls in flight, to be as long as an overlong one."""
        self._longest = max(self._longest, longest)
        for call in self._under_way:
            most = call.most
            if most.tokens_out:  # where none are written, as by an embedder, none exceed
                longest = max(most.tokens_out, self._longest)
                call.most = _cost(most.tokens_in, longest, call.price)

    def _count(self, took: _Tokens, estimated: bool) -> None:
        self._calls += 1
        self._spent = _sum([self._spent, took])
        self._estimated = self._estimated or estimated

    def _wait(self) -> None:
        if abandoned():
            raise Cancelled("This call is no longer needed.")
        self._changed.wait(_LOOK)

    def _must_wait(self, largest: _Tokens) -> bool:
        """Decide whether a call has to wait; raise BudgetReached if waiting is useless."""
        if not self._budget:
            return False
        if not self._fits(_sum([self._spent, largest])):
            self._reached = True
        alone = self._longest > 0 or len(self._under_way) >= self._calls
        under_way = [call.most for call in self._under_way]
        crowded = alone or not self._fits(_sum([self._spent, largest, *under_way]))
        return bool(self._under_way) and crowded

    def _fits(self, all_in_all: _Tokens) -> bool:
        money, tokens = self._budget.money, self._budget.tokens
        taken = all_in_all.tokens_in + all_in_all.tokens_out
        return (tokens is None or taken <= tokens) and (money is None or all_in_all.money <= money)

    def _largest(self, prompt: Prompt, thinking: int, price: Price | None) -> _Tokens:
        longest = max(prompt.limit(thinking), self._longest if prompt.longest else 0)
        return _cost(round(self._denser * most_tokens_of(prompt)), longest, price)

    def _amount(self, taken: _Tokens) -> str:
        """Format the token count, with the cost if the budget is in dollars."""
        tokens = f"{taken.tokens_in + taken.tokens_out:,} tokens"
        if self._budget.money is None:
            return tokens
        return f"{tokens}, {dollars(taken.money)}"

    def _spent_of_budget(self) -> str:
        """Format the spending and the budget: `600 of 1,000 tokens in 10 calls`."""
        spent, budget = self._spending(), self._budget
        about = "about " if spent.estimated else ""
        parts = []
        if budget.tokens is not None:
            parts.append(f"{about}{spent.tokens:,} of {budget.tokens:,} tokens")
        if budget.money is not None:
            parts.append(f"{about}{dollars(spent.price or 0.0)} of {dollars(budget.money)}")
        calls = f"{spent.calls:,} call{'s' * (spent.calls != 1)}"
        return f"{' and '.join(parts)} in {calls}"

    def _spending(self) -> Spending:
        """Return the spending so far; the price is None if a call had no price."""
        taken = self._spent
        known = not self._unpriced and self.price is not None
        price = taken.money if known else None
        return Spending(self._calls, taken.tokens_in, taken.tokens_out, price, self._estimated)


def _cost(tokens_in: int, tokens_out: int, price: Price | None) -> _Tokens:
    return _Tokens(tokens_in, tokens_out, price.of(tokens_in, tokens_out) if price else 0.0)


def _sum(all_of: list[_Tokens]) -> _Tokens:
    """Add up tokens and dollars."""
    return _Tokens(
        sum(each.tokens_in for each in all_of),
        sum(each.tokens_out for each in all_of),
        sum(each.money for each in all_of),
    )


class Metered(Llm):
    """A model whose calls are counted; raises `BudgetReached` at the end of the budget.

    Parameters
    ----------
    price : of this model, if it is not that of the meter.
    """

    def __init__(
        self, endpoint: Endpoint, meter: Meter, price: Price | None = None, **limits: Any
    ) -> None:
        super().__init__(endpoint, **limits)
        self.meter = meter
        self._own_price = price

    def complete(self, prompt: Prompt, leave: Leave | None) -> Reply:
        """Like `Llm.complete`; BudgetReached if a call could exceed the budget."""
        need(leave)  # before it is counted, or waits for one that is
        return super().complete(prompt, leave)

    def _attempt(self, prompt: Prompt) -> Reply:
        """Send the prompt once, within the budget."""
        # The client is imported when a call is made, and what a failed try cost is known there.
        from core.models.server.tries import may_be_billed

        exceeded = self.reply_limit.longest
        call = self.meter.begin(prompt, self.endpoint.thinking, exceeded, self._own_price)
        reply, billed = None, False
        try:
            reply = super()._attempt(prompt)
        except (Cancelled, StoreError):  # of the ledger of `Personal`, before the call is made
            raise
        except Exception as error:
            billed = may_be_billed(error)
            raise
        finally:
            self.meter.end(call, prompt, reply, billed=billed)
        return reply
