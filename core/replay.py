"""A retrieval again with other settings: no model is asked, only what is kept of it counts."""

from dataclasses import dataclass
from pathlib import Path

from core.artefacts.workbench import Workbench
from core.models.money.forecast import Forecast, foreseen
from core.models.rehearsal import Rehearsal
from core.playback.decided import unjudged
from core.retrievers import Spec, make
from core.retrievers.settings import Declared
from core.steps import Step
from core.traces import Trace, record

FREE = Forecast(0)
"""Of what needs no call."""


@dataclass(frozen=True, slots=True)
class Replay:
    """The outcome of a replay. `unjudged` are the numbers, from 1, of steps without a recorded
    choice.

    There a walk ends that way, so that they are where it may go on. `calls` is what it takes to
    ask: at least those, perhaps more that they lead to.
    """

    spec: Spec
    steps: tuple[Step, ...]
    unjudged: tuple[int, ...] = ()
    calls: Forecast = FREE


def replay(workbench: Workbench, spec: Spec, question: str, prices: Path | None = None) -> Replay:
    """Run `spec` on `question` with cached model replies only; nothing is asked or stored.

    What `workbench` has by hand counts too.

    Parameters
    ----------
    prices : the user's own table.

    Raises
    ------
    InputError : it needs a model and there is none, the question is empty, or the table of prices
        cannot be read.
    LeaveMissing : it asks a model past what is kept, and cannot go on.
    """
    oracle = workbench.oracle
    if oracle is None or not spec.asks_model:
        return Replay(spec, tuple(make(spec, workbench).retrieve(question)))
    rehearsal = Rehearsal(oracle, likely=False)
    steps = tuple(make(spec, workbench.with_oracle(rehearsal)).retrieve(question))
    missing = rehearsal.unasked
    calls = foreseen(oracle, missing, prices) if missing else FREE
    return Replay(spec, steps, unjudged(steps), calls)


def kept_trace(workbench: Workbench, spec: Spec, question: str) -> Trace:
    """Return such a replay as a trace; it is incomplete if any call is not cached."""
    oracle = workbench.oracle and Rehearsal(workbench.oracle, likely=False)
    return record(make(spec, workbench.with_oracle(oracle)), question, workbench.index)


def numeric_settings(spec: Spec) -> tuple[Declared, ...]:
    """Return the numeric settings of `spec`."""
    return tuple(one for one in spec.declared if one.kind in (int, float))


def with_maximum_counts(spec: Spec) -> Spec:
    """Return `spec` with every count at its maximum; it examines all that a lower one does."""
    counts = (
        one for one in numeric_settings(spec) if one.kind is int and one.setting.most is not None
    )
    return spec.with_settings(**{one.name: one.setting.most for one in counts})


def setting_range(one: Declared, now: float) -> tuple[float, float]:
    """Return the range of a setting: its bounds, or up to twice its value."""
    least, most = one.setting.least, one.setting.most
    reach = max(1.0, 2 * abs(float(one.default)), 2 * abs(now))
    return (
        -reach if least is None else float(least),
        max(reach, now) if most is None else float(most),
    )
