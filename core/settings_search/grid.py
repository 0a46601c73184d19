"""The settings that a search tries: a few values of each, then two settings at once."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product, zip_longest

from core.errors import InputError
from core.funnel.changes import TOP_K
from core.retrievers import Spec
from core.retrievers.settings import Declared, as_text
from core.retrievers.spec import Value
from core.retrievers.spec_syntax import quoted, split

MOST = 24
"""Settings that are tried, the base not counted."""
TOGETHER = 4
"""One in so many is two settings at once."""
FACTORS = (1.5, 0.5, 2.0, 0.75)
"""What the value of a number is multiplied by, in the order in which they are tried."""


@dataclass(frozen=True, slots=True)
class Axis:
    """A setting by its name, with the values to try."""

    name: str
    values: tuple[Value, ...]

    def __str__(self) -> str:
        texts = (quoted(each) if isinstance(each, str) else as_text(each) for each in self.values)
        return f"{self.name}={','.join(texts)}"


def axes_of(base: Spec) -> tuple[Axis, ...]:
    """Return a small grid of each numeric setting that `base` declares itself."""
    axes = (
        Axis(one.name, _nearby_values(base, one))
        for one in base.declared
        if one.kind in (int, float)
    )
    return tuple(axis for axis in axes if axis.values)


def read_axis(text: str, base: Spec) -> Axis:
    """Return the setting and values that `text` names, such as `top_k=10,30`.

    Raises
    ------
    InputError : `base` has no such setting, or the setting no such value.
    """
    name, equals, values = text.partition("=")
    if not equals or not values:
        raise InputError(f"{text[:80]!r} has no values. Example: top_k=10,30")
    wanted = [Spec.parse(f"{base.key}({name}={one})").values[name.strip()] for one in split(values)]
    return Axis(name.strip(), tuple(dict.fromkeys(wanted)))


def single_changes(base: Spec, axes: Sequence[Axis], limit: int) -> list[Spec]:
    """Return up to `limit` settings that differ from `base` in one value.

    The first value of each axis comes before the second value of any axis.
    """
    turns = zip_longest(*(_turned(base, axis) for axis in axes))
    settings = dict.fromkeys(one for turn in turns for one in turn if one and one != base)
    return list(settings)[:limit]


def together(
    base: Spec, axes: Sequence[Axis], gains: Mapping[Spec, float], most: int
) -> list[Spec]:
    """Return at most `most` settings that join values of the two settings that gain most.

    Parameters
    ----------
    gains : of each single setting how much better than `base` it is; a setting is as good as its
        best value, and pairs are ordered by the sum of both gains.
    """
    by_axis = [
        {one: gains[one] for one in _turned(base, axis) if one != base and one in gains}
        for axis in axes
    ]
    ranked = sorted(filter(None, by_axis), key=lambda found: -max(found.values()))[:2]
    if len(ranked) < 2:
        return []
    first, second = ranked
    pairs = sorted(product(first, second), key=lambda pair: -(gains[pair[0]] + gains[pair[1]]))
    joined = (base.with_settings(**dict(a.settings) | _changed(base, b)) for a, b in pairs)
    return list(dict.fromkeys(joined))[:most]


def reserved(most: int) -> int:
    """Return how many of `most` settings are reserved for pairs of changes."""
    return most // TOGETHER


def in_words(base: Spec, spec: Spec) -> str:
    """Describe the settings of `spec` that differ from `base`.

    >>> in_words(Spec("bm25"), Spec.parse("bm25(top_k=30)")), in_words(Spec("bm25"), Spec("bm25"))
    ('top k 30 instead of 20', 'the current settings')
    """
    now, then = base.values, spec.values
    changes = [
        f"{one.title} {one.worded(spec.effective(one))} instead of "
        f"{one.worded(base.effective(one))}"
        for one in spec.declared
        if now[one.name] != then[one.name]
    ]
    return " and ".join(changes) or "the current settings"


def _nearby_values(base: Spec, declared: Declared) -> tuple[Value, ...]:
    """Return values near the current one: multiples by `FACTORS`, within the setting's limits.

    A setting that is 0 for 'as many as the top k' starts from the top k.
    """
    current = base.values[declared.name]
    number = float(str(base.values[TOP_K] if declared.setting.zero and not current else current))
    scaled = [number * factor for factor in FACTORS]
    values = [max(1, round(each)) if declared.kind is int else round(each, 4) for each in scaled]
    most, least = declared.setting.most, declared.setting.least
    inside = [
        min(max(each, each if least is None else least), each if most is None else most)
        for each in values
    ]
    typed: list[Value] = [declared.kind(each) for each in inside]
    return tuple(each for each in dict.fromkeys(typed) if each != current)


def _turned(base: Spec, axis: Axis) -> Iterator[Spec]:
    return (base.with_settings(**{axis.name: value}) for value in axis.values)


def _changed(base: Spec, spec: Spec) -> dict[str, Value]:
    return {name: value for name, value in spec.values.items() if value != base.values[name]}
