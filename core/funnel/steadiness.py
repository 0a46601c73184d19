"""Whether a fix is a knife's edge: for how far around its value it still retrieves the gold.

Values are tried one by one next to the fix, then in doubling steps up to the limit of the setting;
between the last value that retrieves it and the first one that does not, the boundary is found by
bisection.
"""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field

from core.funnel.replay import Replays
from core.funnel.rescue import Rescue
from core.funnel.trials import settings_within, turned, with_value
from core.retrievers import Spec
from core.retrievers.settings import Declared

NEAR = 5
"""Values next to the fix that are tried one by one."""
FEW = 3
"""Values of which a fix is a knife's edge that holds at no more."""
_PARTS = 10
"""Of a setting that is no count, the step is this part of the change."""
_STEPS = 8
"""Doubling steps, at most, of a setting without a limit."""
Retrieves = Callable[[float], bool | None]
"""Whether a value retrieves the gold; None where that is not known."""


@dataclass
class _Side:
    """The last value that holds on one side, and the first that does not; None if all hold."""

    last: float
    failed: float | None = field(default=None)
    known: bool = field(default=True)


def steadiness(spec: Spec, rescue: Rescue, passages: Collection[str], replays: Replays) -> str:
    """Say where around its value `rescue` retrieves one of `passages`, in a few words.

    Empty where it is not a single number that was changed, or the time is over at once.

    Parameters
    ----------
    spec : what is asked without the change.
    """
    fixed = Spec.parse(rescue.retriever)
    changed = turned(spec, fixed)
    if rescue.amendments or len(changed) != 1:
        return ""
    ((place, value),) = changed
    found = next(one for at, _, one in settings_within(spec) if at == place)
    if found.kind not in (int, float) or isinstance(value, str | Spec):
        return ""
    now = next(of.values[one.name] for at, of, one in settings_within(spec) if at == place)
    step = 1.0 if found.kind is int else abs(float(str(now)) - value) / _PARTS

    def retrieves(other: float) -> bool | None:
        typed = int(other) if found.kind is int else round(other, 4)
        ran = replays.run(with_value(fixed, place, typed))
        return None if ran is None else any(one in ran.ranks for one in passages)

    return told(found, *sides(value, step, found, retrieves))


def sides(value: float, step: float, of: Declared, retrieves: Retrieves) -> tuple[_Side, _Side]:
    """Return how far `value` holds below and above."""
    return _side(value, -step, of, retrieves), _side(value, step, of, retrieves)


def told(of: Declared, below: _Side, above: _Side) -> str:
    """Say it in words; with `works only at` where it holds at a few values alone.

    >>> from core.retrievers import Spec
    >>> top_k = Spec("bm25").declared[0]
    >>> told(top_k, _Side(81, 80), _Side(82, 83)), told(top_k, _Side(81, 80), _Side(81, 82))
    ('works only at 81–82', 'works only at 81')
    >>> told(top_k, _Side(81, 80), _Side(100))
    'any value from 81 to 100 (the largest tried) works'
    >>> told(top_k, _Side(81, 80), _Side(90, 91))
    'any value from 81 to 90 works'
    """
    first, last = below.last, above.last
    if not (below.known or above.known) and first == last:
        return ""
    low, high = _worded(of, first), _worded(of, last)
    closed = below.failed is not None and above.failed is not None
    if of.kind is int and closed and last - first < FEW:
        return f"works only at {low}" if first == last else f"works only at {low}–{high}"
    if first == last and closed:
        failed = f"{_worded(of, below.failed)} or {_worded(of, above.failed)}"
        return f"works only at {low}, not at {failed}"
    tried = late = ""
    if above.failed is None and above.known:
        tried = " (the largest tried)"
    elif above.failed is None:
        late = ". The search stopped before all higher values were tried"
    if first == last:
        failed = f", not at {_worded(of, above.failed)}" if above.failed is not None else ""
        return f"works at {low}{failed}{tried}{late}"
    return f"any value from {low} to {high}{tried} works{late}"


def _side(value: float, step: float, of: Declared, retrieves: Retrieves) -> _Side:
    side = _Side(value)
    for other in _outwards(value, step, of):
        holds = retrieves(other)
        if holds is None:
            side.known = False
            return side
        if not holds:
            side.failed = other
            break
        side.last = other
    while side.failed is not None and abs(side.failed - side.last) > 1.5 * abs(step):
        steps = round((side.failed - side.last) / step)
        middle = side.last + (steps // 2) * step
        holds = retrieves(middle)
        if holds is None:
            side.known = False
            break
        if holds:
            side.last = middle
        else:
            side.failed = middle
    return side


def _outwards(value: float, step: float, of: Declared) -> Iterator[float]:
    """Values away from `value`, within the limits of the setting, the last one being a limit."""
    limit = of.setting.most if step > 0 else of.setting.least
    at, jump, tried = value, step, 0
    while limit is None or (limit - at) * step > 0:
        at += jump
        tried += 1
        if tried >= NEAR:
            jump *= 2
        if limit is not None and (at - limit) * step > 0:
            at = float(limit)
        if limit is None and tried > NEAR + _STEPS:
            return
        yield at


def _worded(of: Declared, value: float | None) -> str:
    if value is None:
        return ""
    return of.worded(int(value) if of.kind is int else round(value, 4))
