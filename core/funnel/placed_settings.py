"""Settings of a retriever and of the retrievers nested in it, addressed by a path of names."""

from collections.abc import Iterator
from typing import TypeAlias

from core.funnel.changes import TOP_K, followers
from core.retrievers import Spec
from core.retrievers.settings import Declared
from core.retrievers.spec import Value

Place: TypeAlias = tuple[str, ...]
"""The path of a setting: the names of the settings that hold nested retrievers, then its name."""
ChangedSettings: TypeAlias = tuple[tuple[Place, Value], ...]
"""Changed settings, with their new values."""


def settings_within(spec: Spec, before: Place = ()) -> Iterator[tuple[Place, Spec, Declared]]:
    """Yield every setting with its path and retriever, except the top k of nested retrievers."""
    for setting in spec.declared:
        if before and setting.name == TOP_K:
            continue
        yield (*before, setting.name), spec, setting
        value = spec.values[setting.name]
        if isinstance(value, Spec):
            yield from settings_within(value, (*before, setting.name))


def differing_settings(spec: Spec, other: Spec, before: Place = ()) -> ChangedSettings:
    """Return the settings that differ in `other`, with their values there."""
    changed: list[tuple[Place, Value]] = []
    for name, value in other.values.items():
        now = spec.values[name]
        if isinstance(value, Spec) and isinstance(now, Spec) and value.key == now.key:
            changed += differing_settings(now, value, (*before, name))
        elif value != now:
            changed.append(((*before, name), value))
    return tuple(changed)


def top_k_followers(spec: Spec) -> list[tuple[Place, Value]]:
    """Return the settings that follow the top k, at their present values."""
    return [((name,), now) for name, now in followers(spec).items()]


def changes_only_top_k(spec: Spec, changed: ChangedSettings) -> bool:
    """Check whether only the top k changes while the settings derived from it are fixed."""
    pins = top_k_followers(spec)
    return len(changed) > 1 and all(
        place == (TOP_K,) or (place, value) in pins for place, value in changed
    )


def independent_changes(spec: Spec, other: Spec) -> ChangedSettings:
    """Return the settings that differ in `other`, without those fixed while the top k changes."""
    changed = differing_settings(spec, other)
    pins = top_k_followers(spec) if changes_only_top_k(spec, changed) else []
    return tuple(one for one in changed if one not in pins)


def with_value(spec: Spec, place: Place, value: Value) -> Spec:
    """Return `spec` with another `value` of the setting at `place`."""
    name, *rest = place
    inner = spec.values[name]
    inside = with_value(inner, tuple(rest), value) if rest and isinstance(inner, Spec) else value
    return spec.with_settings(**{name: inside})
