"""A model whose calls are recorded in the ledger under the person who permitted them."""

import time
from contextvars import ContextVar
from typing import Any

from core.errors import Cancelled, InputError
from core.ledger import Ledger
from core.models.kept.replies import Replies
from core.models.leave import Leave, need
from core.models.llm import Llm
from core.models.money.metered import Meter, Metered
from core.models.money.prices import Price, price_of
from core.models.oracle import Oracle
from core.models.prompt import Prompt, Reply
from core.models.server.window import abandoned
from core.models.token_counts import counted, most_tokens_of
from core.settings import Endpoint, settings
from core.visitors.rules import Allowance

_LOOK = 0.25  # seconds between two looks at the ledger
_MARGIN = 30.0  # seconds beside the time limit of a call, for a busy machine
_asked_by: ContextVar[str] = ContextVar("asked_by")


class Personal(Llm):
    """A model that raises BudgetReached if the person may spend no more today.

    A call that the day's budget holds only if calls in flight take less than their maximum waits
    until they have ended. A server that counts more tokens than our maximum, or ignores the limit
    of a reply, raises the maximum of the calls after that.
    """

    def __init__(self, endpoint: Endpoint, **limits: Any) -> None:
        super().__init__(endpoint, **limits)
        config = settings()
        self._lasts = (limits.get("time_limit") or endpoint.seconds) + _MARGIN
        self._allowance = config.visitors.allowance or Allowance()
        self._denser = 1.0  # the server's tokens of a prompt to our maximum
        self._ledger = Ledger(config.home)
        self._price = price_of(endpoint, config.prices)
        if self._allowance.money is not None and self._price is None:
            raise InputError(
                "This model has no known price, so HOPRAG_BUDGET_PERSON cannot be applied in "
                "dollars. Set HOPRAG_PRICES to a file with its price, or give the budget in "
                "tokens."
            )

    def complete(self, prompt: Prompt, leave: Leave | None) -> Reply:
        """Like `Llm.complete`, with each try recorded before and after it."""
        need(leave)
        before = _asked_by.set(leave.by if leave else "")
        try:
            return super().complete(prompt, leave)
        finally:
            _asked_by.reset(before)

    def _attempt(self, prompt: Prompt) -> Reply:
        """Send the prompt once, within the visitor's budget."""
        # The client is imported when a call is made, and what a failed try cost is known there.
        from core.models.server.tries import may_be_billed

        largest, call = self._begin(prompt)
        took = 0, 0
        try:
            reply = super()._attempt(prompt)
            usage = counted(prompt, reply)
            took = usage.tokens_in, usage.tokens_out
            self._denser = max(self._denser, reply.tokens_in / most_tokens_of(prompt))
        except Exception as error:
            took = largest if may_be_billed(error) else took
            raise
        finally:
            self._ledger.end(call, sum(took), _cost(self._price, *took))
        return reply

    def _begin(self, prompt: Prompt) -> tuple[tuple[int, int], int]:
        """Wait for room in the day's budget.

        Returns
        -------
        The most tokens, in and out, that the call may take, and its number in the ledger.
        """
        while True:
            largest = round(self._denser * most_tokens_of(prompt)), self.longest(prompt)
            call = self._ledger.begin(
                _asked_by.get(),
                self._allowance,
                sum(largest),
                _cost(self._price, *largest),
                self._lasts,
            )
            if call is not None:
                return largest, call
            if abandoned():
                raise Cancelled("This call is no longer needed.")
            time.sleep(_LOOK)


class PersonalMetered(Metered, Personal):
    """A personal model for a job, which also stops at the budget of the job.

    A call waits for the budget of the job first, so that none is in flight for the ledger, which
    takes it for ended after a while, before it is really made.
    """


def client(endpoint: Endpoint) -> Llm:
    """Return the model at `endpoint`, with a daily budget per person if one is configured."""
    return Personal(endpoint) if settings().visitors.allowance else Llm(endpoint)


def oracle_at(endpoint: Endpoint, replies: Replies) -> Oracle:
    """Return the model at `endpoint` with its cached replies, without permission to call it.

    Its reader model, if configured, comes with it.
    """
    oracle = Oracle(client(endpoint), replies)
    if endpoint.reader:
        oracle.reader = Oracle(client(endpoint.reader), replies)
    return oracle


def metered_client(endpoint: Endpoint, meter: Meter, price: Price | None = None) -> Metered:
    """Return the model at `endpoint` for a job, metered by `meter`.

    Parameters
    ----------
    price : of this model, if it is not that of the meter.
    """
    if settings().visitors.allowance:
        return PersonalMetered(endpoint, meter, price)
    return Metered(endpoint, meter, price)


def _cost(price: Price | None, tokens_in: int, tokens_out: int) -> float:
    return price.of(tokens_in, tokens_out) if price else 0.0
