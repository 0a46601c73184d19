"""A model whose calls are entered in the ledger of the person who gave leave for them."""

from contextvars import ContextVar
from typing import Any

from core.errors import InputError
from core.models.leave import Leave, need
from core.models.llm import Llm
from core.models.money.counting import counted, most_tokens_of
from core.models.money.metered import Meter, Metered
from core.models.money.prices import Price, price_of
from core.models.prompt import Prompt, Reply
from core.settings import Endpoint, settings
from core.visitors.ledger import Ledger
from core.visitors.rules import Allowance

_asked_by: ContextVar[str] = ContextVar("asked_by")


class Personal(Llm):
    """As an `Llm`; BudgetReached where the leave's person may spend no more today."""

    def __init__(self, endpoint: Endpoint, *more: Any, **limits: Any) -> None:
        super().__init__(endpoint, *more, **limits)
        found = settings()
        self._allowance = found.visitors.allowance or Allowance()
        self._ledger = Ledger(found.home)
        self._price = price_of(endpoint, found.prices)
        if self._allowance.money is not None and self._price is None:
            raise InputError(
                "No price is known for this model, so that HOPRAG_BUDGET_PERSON cannot be kept in "
                "dollars. Name a file with its price in HOPRAG_PRICES, or give it in tokens."
            )

    def complete(self, prompt: Prompt, leave: Leave | None) -> Reply:
        """As `Llm.complete`, each try entered before and after."""
        need(leave)
        before = _asked_by.set(leave.by if leave else "")
        try:
            return super().complete(prompt, leave)
        finally:
            _asked_by.reset(before)

    def _once(self, prompt: Prompt) -> Reply:
        # The client is imported when a call is made, and what a failed try cost is known there.
        from core.models.server.tries import worked

        largest = most_tokens_of(prompt), self.longest(prompt)
        call = self._ledger.begin(
            _asked_by.get(), self._allowance, sum(largest), _cost(self._price, *largest)
        )
        took = 0, 0
        try:
            reply = super()._once(prompt)
            found = counted(prompt, reply)
            took = found.tokens_in, found.tokens_out
        except Exception as error:
            took = largest if worked(error) else took
            raise
        finally:
            self._ledger.end(call, sum(took), _cost(self._price, *took))
        return reply


class PersonalMetered(Personal, Metered):
    """The same for a job, whose own budget ends it too."""

    def __init__(self, endpoint: Endpoint, meter: Meter, **limits: Any) -> None:
        super().__init__(endpoint, meter, **limits)


def client(endpoint: Endpoint) -> Llm:
    """The model at `endpoint`, with what each person may spend if the settings say that."""
    return Personal(endpoint) if settings().visitors.allowance else Llm(endpoint)


def metered_client(endpoint: Endpoint, meter: Meter) -> Metered:
    """The same for a job."""
    if settings().visitors.allowance:
        return PersonalMetered(endpoint, meter)
    return Metered(endpoint, meter)


def _cost(price: Price | None, tokens_in: int, tokens_out: int) -> float:
    return price.of(tokens_in, tokens_out) if price else 0.0
