"""JSON merge patches (RFC 7396): what makes one JSON value of another.

A patch knows no null: a member that is null and one that is not there are the same.
"""

from collections.abc import Mapping
from typing import Any

Json = Any


def patch(old: Mapping[str, Json], new: Mapping[str, Json]) -> dict[str, Json]:
    """What `merged` has to be given to make `new` of `old`; only mappings are patched inside."""
    gone = sorted(name for name in old.keys() - new.keys() if old[name] is not None)
    found: dict[str, Json] = dict.fromkeys(gone)
    for name, value in new.items():
        before = old.get(name)
        if value == before:
            continue
        if isinstance(value, Mapping):
            found[name] = patch(before if isinstance(before, Mapping) else {}, value)
        else:
            found[name] = value
    return found


def merged(old: Json, change: Json) -> Json:
    """`old` with the patch `change` applied."""
    if not isinstance(change, Mapping):
        return change
    made = dict(old) if isinstance(old, Mapping) else {}
    for name, value in change.items():
        if value is None:
            made.pop(name, None)
        else:
            made[name] = merged(made.get(name), value)
    return made
