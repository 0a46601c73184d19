"""Prices of the models that a run uses."""

from core.evaluation.role_costs import PriceOf
from core.models.money.prices import price_of
from core.models.oracle import Oracle
from core.settings import settings


def prices_of(*oracles: Oracle | None) -> PriceOf:
    """Return a function that computes the price of tokens of the models of `oracles`, by model
    name.

    Raises
    ------
    InputError : the file of `HOPRAG_PRICES` cannot be read.
    """
    clients = [each for oracle in oracles if oracle for each in (oracle.llm, oracle.reading.llm)]
    prices = {each.model: price_of(each.endpoint, settings().prices) for each in clients}

    def dollars(model: str, tokens_in: int, tokens_out: int) -> float | None:
        price = prices.get(model)
        return price.of(tokens_in, tokens_out) if price else None

    return dollars
