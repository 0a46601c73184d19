"""Build a row of a run from the steps of a retrieval."""

from collections.abc import Mapping, Sequence

from core.evaluation.measures import Outcome
from core.evaluation.role_costs import PriceOf, costs_of
from core.funnel.data import Fate
from core.funnel.fates import fates
from core.funnel.lists import Lists
from core.playback.account import account
from core.runs.answers import Answered
from core.runs.run import Row
from core.steps import Began, Exchange, Step, result
from core.store.index import Index


def _unknown_price(model: str, tokens_in: int, tokens_out: int) -> None:
    """Price of a model that has no known price: always None."""


def row_of(
    outcome: Outcome,
    steps: Sequence[Step],
    index: Index,
    passages_by_gold: Mapping[str, Sequence[str]] | None = None,
    answered: Answered | None = None,
    lists: Lists | None = None,
    price_of: PriceOf = _unknown_price,
) -> Row:
    """Build the row of one question and retriever.

    Parameters
    ----------
    passages_by_gold : the passages of each gold id, if marks removed some of them.
    answered : what a model made of the result, if it was asked.
    lists : as for `core.funnel.fates.fates`.
    price_of : what tokens of a model cost.
    """
    cost = account(steps)
    cited = answered.cited if answered else None
    ends = fates(
        steps, outcome.question.gold, index, cited, passages_by_gold=passages_by_gold, lists=lists
    )
    read = answered.exchange if answered else None
    return Row(
        retriever=outcome.retriever,
        question=outcome.question,
        ranks=outcome.ranks,
        hits=outcome.hits,
        absent=tuple(fate.gold for fate in ends if fate.stage == "absent"),
        seconds=outcome.seconds,
        embed_seconds=outcome.embed_seconds,
        judgements=outcome.judgements,
        calls=cost.calls + cost.kept + (len(read.replies) if read else 0),
        tokens=cost.tokens + _tokens_kept(steps) + (_tokens(read) if read else 0),
        kept=cost.kept + (read.cost.cached if read else 0),
        turned_to=outcome.model.turned_to,
        decided=outcome.model.decided,
        reasons=outcome.model.why,
        found=found_after(ends, rounds_of(steps)),
        fates=ends,
        em=answered.score.em if answered else None,
        f1=answered.score.f1 if answered else None,
        scores=tuple(hit.score for hit in result(steps).hits),
        lengths=outcome.lengths,
        answer=answered.text if answered else None,
        accuracy=answered.accuracy if answered else None,
        judge=answered.judge if answered else None,
        costs=costs_of(steps, read, answered.judged if answered else None, price_of),
    )


def _reached(fate: Fate) -> bool:
    """Return whether gold below the top k was reached by a step, and not only ranked."""
    return fate.stage == "cut" and (fate.hop is not None or not fate.of)


def _tokens_kept(steps: Sequence[Step]) -> int:
    """Return the tokens of replies from the cache."""
    said = (step.told.exchange for step in steps)
    return sum(_tokens(each) for each in said if each and each.cached)


def _tokens(exchange: Exchange) -> int:
    return exchange.tokens_in + exchange.tokens_out


def rounds_of(steps: Sequence[Step]) -> int:
    """Return the number of rounds of a retrieval, including nested retrievals."""
    return max((step.number for step in steps if isinstance(step, Began)), default=0)


def found_after(ends: Sequence[Fate], rounds: int) -> tuple[int, ...]:
    """Return the number of gold ids reached after the start, and after each round."""
    reached = [
        min(fate.hop, rounds) if fate.hop is not None else rounds
        for fate in ends
        if fate.stage in ("kept", "unused") or _reached(fate)
    ]
    return tuple(sum(hop <= number for hop in reached) for number in range(rounds + 1))
