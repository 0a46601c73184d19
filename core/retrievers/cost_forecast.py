"""Forecast the model calls of a question by running the retriever with guessed replies.

This runs the retriever object instead of inspecting its class, so that the forecast covers wrapped
retrievers too.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, TypeVar

from core.artefacts.workbench import Workbench
from core.errors import LeaveMissing
from core.models.kept.replies import reply_key
from core.models.money.forecast import Forecast, extrapolate, foreseen
from core.models.money.spread import Estimate
from core.models.oracle import Oracle
from core.models.prompt import Prompt
from core.models.rehearsal import Rehearsal
from core.retrievers.base import Retriever

T = TypeVar("T")
_READ = "reader "
REHEARSED = 40
"""Questions of a set that are rehearsed at most: each takes up to a second."""


def forecast(
    retriever: Retriever, query: str, prices: Path | None = None, *, again: bool = False
) -> Forecast:
    """Forecast the model calls of `retriever.retrieve(query)` without making any.

    The forecast is empty for a retriever without a model. If the retriever itself fails, its calls
    up to the failure count; the failure is not raised here.

    Parameters
    ----------
    prices : the user's own price table.
    again : whether cached replies that could not be used will be requested again.

    Raises
    ------
    InputError : the table cannot be read.
    """
    return forecast_all([retriever], [query], prices, again=again)


@dataclass(frozen=True, slots=True)
class _Rehearsals:
    """The prompts of a question without a cached reply, by their keys.

    `certain` are sent even if no reply leads to a further call, `expected` if replies lead on as
    often as this model's earlier replies, and `most` if they nearly always do. `past` says whether
    a client is called directly, bypassing the oracle: one more call, with an unknown prompt.
    """

    certain: dict[str, Prompt]
    expected: dict[str, Prompt]
    most: dict[str, Prompt]
    kept: int
    past: bool


def _rehearsals(retriever: Retriever, query: str, *, again: bool) -> _Rehearsals:
    """Rehearse one question with pessimistic, learnt and optimistic guesses of the replies."""
    oracle = retriever.workbench.oracle
    if oracle is None:
        raise ValueError("no model to rehearse with")
    surely = Rehearsal(oracle, likely=False, again=again)
    past = _rehearse(retriever, query, surely)
    certain = _by_key(surely)
    if not certain:
        return _Rehearsals(certain, certain, certain, _kept(surely), past)
    expected = Rehearsal(oracle, likely=True, again=again, learnt=True)
    _rehearse(retriever, query, expected)
    most = expected
    if expected.has_learnt:
        most = Rehearsal(oracle, likely=True, again=again)
        _rehearse(retriever, query, most)
    return _Rehearsals(certain, _by_key(expected), _by_key(most), _kept(surely), past)


def _by_key(rehearsal: Rehearsal) -> dict[str, Prompt]:
    """Return the prompts without a cached reply; keys for the reader begin with `_READ`."""
    by_key = {reply_key("", prompt): prompt for prompt in rehearsal.unasked}
    if isinstance(rehearsal.reader, Rehearsal):
        read = _by_key(rehearsal.reader)
        by_key |= {f"{_READ}{key}": prompt for key, prompt in read.items()}
    return by_key


def _kept(rehearsal: Rehearsal) -> int:
    return rehearsal.kept + (_kept(one) if isinstance(one := rehearsal.reader, Rehearsal) else 0)


def forecast_all(
    retrievers: Iterable[Retriever],
    queries: Sequence[str],
    prices: Path | None = None,
    *,
    again: bool = False,
) -> Forecast:
    """Forecast the model calls of all `queries` by all `retrievers`, shared prompts once.

    Of more than `REHEARSED` queries, this many are rehearsed, drawn at random but always the same,
    and the total is estimated from them.

    Raises
    ------
    InputError : the table of prices cannot be read.
    """
    asking = [each for each in retrievers if each.workbench.oracle]
    oracles = [oracle for each in asking if (oracle := each.workbench.oracle)]
    sample = _sampled(queries)
    surely: dict[str, Prompt] = {}
    likely: dict[str, Prompt] = {}
    bound: set[str] = set()
    kept = past = 0
    counts: list[tuple[int, int]] = []
    for query in sample if asking else ():
        before = len(surely) + past, len(likely) + past
        for retriever in asking:
            rehearsed = _rehearsals(retriever, query, again=again)
            surely.update(rehearsed.certain)
            likely.update(rehearsed.expected)
            bound.update(rehearsed.most)
            kept, past = kept + rehearsed.kept, past + rehearsed.past
        counts.append((len(surely) + past - before[0], len(likely) + past - before[1]))
    total = Forecast(0)
    for oracle, role in ((oracles[0], ""), (oracles[0].reading, _READ)) if surely else ():
        mine, probably = _of_role(surely, role), _of_role(likely, role)
        if mine or probably:
            expected = max(mine, probably, key=len)
            more = max(0, len(_of_role(dict.fromkeys(bound), role)) - len(expected))
            role_calls = foreseen(oracle, [*mine.values()], prices, [*probably.values()], more=more)
            total = total.plus(role_calls) if total.calls or total.likely else role_calls
    tries = total.tries.plus(Estimate(past, past))
    total = replace(total, calls=total.calls + past, kept=kept, tries=tries)
    if len(sample) == len(queries) or not counts:
        return total
    return extrapolate(total, len(queries), *zip(*counts, strict=True))


def _of_role(prompts: dict[str, T], role: str) -> dict[str, T]:
    """Return the prompts of one role: the reader's if `role` is `_READ`, else the other model's."""
    return {key: one for key, one in prompts.items() if key.startswith(_READ) == bool(role)}


def _sampled(queries: Sequence[str]) -> Sequence[str]:
    """Sample `REHEARSED` queries, in order and always the same; all if there are no more."""
    if len(queries) <= REHEARSED:
        return queries
    chosen = sorted(Random(len(queries)).sample(range(len(queries)), REHEARSED))
    return [queries[number] for number in chosen]


def _rehearse(retriever: Retriever, query: str, rehearsal: Rehearsal) -> bool:
    """Run the retriever with guesses; return whether a call without permission stopped it."""
    try:
        rehearsing: Retriever = _with_workbench(
            retriever, retriever.workbench.with_oracle(rehearsal)
        )
        for _ in rehearsing.retrieve(query):
            pass
    except LeaveMissing:
        return True
    # No model would write some of the guesses, so any error is possible.
    except Exception:
        return False
    return False


def _with_workbench(value: Any, workbench: Workbench) -> Any:
    """Replace each workbench and oracle nested in the dataclasses of `value`."""
    if isinstance(value, Workbench):
        return workbench
    if isinstance(value, Oracle):
        return workbench.oracle
    if type(value) is tuple:
        return tuple(_with_workbench(each, workbench) for each in value)
    if not is_dataclass(value) or isinstance(value, type):
        return value
    old = {field.name: getattr(value, field.name) for field in fields(value) if field.init}
    new = {name: _with_workbench(each, workbench) for name, each in old.items()}
    changed = {name: each for name, each in new.items() if each is not old[name]}
    return replace(value, **changed) if changed else value
