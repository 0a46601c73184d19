"""Model costs of a question by role: retrieval, reading and judging."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from core.steps import ROOT, Exchange, Said, Step

Role = Literal["retriever", "reader", "judge"]
ROLES: tuple[Role, ...] = get_args(Role)
"""`retriever` is the model of `HOPRAG_LLM` during retrieval, `reader` that of `HOPRAG_READER`."""
READER = "reader"
"""The speaker of a step in which a retriever has the reader answer the question."""
PriceOf = Callable[[str, int, int], float | None]
"""The dollars for tokens in and out of a model; None where its price is unknown."""


@dataclass(frozen=True, slots=True)
class RoleCost:
    """The cost of one model in one role.

    `calls`, tokens and `seconds` include the `kept` replies from the cache, for which nothing is
    paid again. `price` is in dollars; None where the price of the model is unknown.
    """

    role: Role
    model: str
    calls: float = 0
    kept: float = 0
    tokens_in: float = 0
    tokens_out: float = 0
    seconds: float = 0.0
    price: float | None = None

    @property
    def tokens(self) -> float:
        """Tokens in and out."""
        return self.tokens_in + self.tokens_out


def costs_of(
    steps: Sequence[Step],
    read: Exchange | None,
    judged: Exchange | None,
    price_of: PriceOf,
) -> tuple[RoleCost, ...]:
    """Return the cost of each role that made a call.

    Parameters
    ----------
    steps : of the retrieval. A step in which the `READER` answers counts for the reader.
    read, judged : the calls that answered the question and judged the answer; None without.
    """
    by_role: dict[Role, list[Exchange]] = {role: [] for role in ROLES}
    for step in steps:
        if exchange := step.told.exchange:
            by_role["reader" if _is_reading(step) else "retriever"].append(exchange)
    by_role["reader"] += [read] if read else []
    by_role["judge"] += [judged] if judged else []
    return tuple(_role_cost(role, some, price_of) for role, some in by_role.items() if some)


def _is_reading(step: Step) -> bool:
    return isinstance(step, Said) and step.by == READER and ROOT in step.closes


def _role_cost(role: Role, exchanges: Sequence[Exchange], price_of: PriceOf) -> RoleCost:
    """Add up the exchanges of one role, which all ask the same model."""
    tokens_in = sum(exchange.tokens_in for exchange in exchanges)
    tokens_out = sum(exchange.tokens_out for exchange in exchanges)
    model = exchanges[0].model
    return RoleCost(
        role,
        model,
        calls=sum(len(exchange.replies) for exchange in exchanges),
        kept=sum(exchange.cost.cached for exchange in exchanges),
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        seconds=sum(exchange.seconds for exchange in exchanges),
        price=price_of(model, tokens_in, tokens_out),
    )


def mean_costs(rows: Iterable[Sequence[RoleCost] | None]) -> list[RoleCost]:
    """Return the mean cost per question of each role and model, in the order of `ROLES`.

    Parameters
    ----------
    rows : the costs of each question; None where they were not stored, which counts for no mean.
    """
    known = [row for row in rows if row is not None]
    by: dict[tuple[Role, str], list[RoleCost]] = {}
    for one in (each for row in known for each in row):
        by.setdefault((one.role, one.model), []).append(one)
    means = [_mean_cost(role, model, some, len(known)) for (role, model), some in by.items()]
    return sorted(means, key=lambda one: ROLES.index(one.role))


def _mean_cost(role: Role, model: str, some: Sequence[RoleCost], n: int) -> RoleCost:
    """Return the mean cost over `n` rows; the price is None if any row has none."""
    prices = [one.price for one in some if one.price is not None]
    return RoleCost(
        role,
        model,
        calls=sum(one.calls for one in some) / n,
        kept=sum(one.kept for one in some) / n,
        tokens_in=sum(one.tokens_in for one in some) / n,
        tokens_out=sum(one.tokens_out for one in some) / n,
        seconds=sum(one.seconds for one in some) / n,
        price=sum(prices) / n if len(prices) == len(some) else None,
    )


def by_role_json(costs: Iterable[RoleCost]) -> list[Mapping[str, object]]:
    """Return costs as JSON values."""
    return [
        {
            "role": one.role,
            "model": one.model,
            "calls": one.calls,
            "kept": one.kept,
            "tokens_in": one.tokens_in,
            "tokens_out": one.tokens_out,
            "seconds": one.seconds,
            "dollars": one.price,
        }
        for one in costs
    ]
