"""Replays of values beyond a fix, which show whether it works only in a narrow range."""

from collections.abc import Iterator

from core.funnel.changes import effective_value
from core.funnel.placed_settings import independent_changes, settings_within, with_value
from core.funnel.replay import Replays
from core.funnel.rescue import Rescue
from core.retrievers import Spec
from core.retrievers.settings import Declared

NEAR = 2
"""Values next to the fix that are tried one by one, before the distance doubles."""
MOST = 6
"""Values tried at most."""
_PARTS = 4
"""Of a setting that is no count, the first distance is this part of the change."""


def probe(spec: Spec, rescue: Rescue, passages: frozenset[str], replays: Replays) -> None:
    """Replay values beyond the fix, to find out how stable it is.

    It stops at the first value that retrieves none of `passages`, at the limit of the setting, or
    after `MOST` values. Only a change of a single number is probed.

    Parameters
    ----------
    spec : the retriever without the fix.
    rescue : the fix.
    """
    fixed = Spec.parse(rescue.retriever)
    changed = independent_changes(spec, fixed)
    if rescue.amendments or len(changed) != 1:
        return
    ((place, value),) = changed
    of, one = next((of, one) for at, of, one in settings_within(spec) if at == place)
    if one.kind not in (int, float) or isinstance(value, str | Spec):
        return
    change = value - effective_value(of, one)
    step = (1 if change > 0 else -1) if one.kind is int else change / _PARTS
    for other in _values_beyond(value, step, one):
        typed = int(other) if one.kind is int else round(other, 4)
        ran = replays.run(with_value(fixed, place, typed))
        if ran is None or not passages & ran.ranks.keys():
            return


def _values_beyond(value: float, step: float, of: Declared) -> Iterator[float]:
    """Yield values away from `value`, within the limits of the setting."""
    limit = of.setting.most if step > 0 else (of.setting.least or 0)
    at = value
    for number in range(1, MOST + 1):
        if limit is not None and (limit - at) * step <= 0:
            return
        at += step
        if limit is not None and (at - limit) * step > 0:
            at = limit
        if of.kind is int and at == 0 and of.setting.follows:
            return  # 0 stands for another setting's value
        yield at
        step = step * 2 if number >= NEAR else step
