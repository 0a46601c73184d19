"""Widget states that no browser sends: values of every kind for every widget of a page."""

import json
from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import Any

from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.testing.v1 import AppTest

from pages.components.shell.client_input.widget_input import is_possible

_HUGE = 2**62
_SELECTIONS = tuple(
    json.dumps({"selection": selection})
    for selection in (
        {"rows": [10**9], "columns": ["x"], "cells": [[10**9, "x"]]},
        {"rows": [0], "columns": ["x"], "cells": [[0, "no such column"]]},
        {"rows": [-1, "x", None], "columns": [0], "cells": [[]]},
        {"rows": 1},
        {"selected": [{"data_indices": [10**9], "data_type": "edge"}]},
        {"selected": [1]},
        {"point": [{"x": []}], "selected": {}},
        [],
    )
)
"""Of tables and charts."""
_ACTS: tuple[tuple[str, Any], ...] = (
    ("mark", {"passage": "nobody", "gold": True}),
    ("mark", {"passage": []}),
    ("question", 1),
    ("question", _HUGE),
    ("amend", {"verb": "no", "at": "x"}),
    ("amend", {"verb": "follow", "at": "nobody", "tie": "x"}),
    ("amend", {}),
    ("amend", []),
    ("keep", "x"),
    ("explore", {}),
    ("remark", {}),
    ("explore", "nobody"),
)
_EVENTS: tuple[tuple[str, Any], ...] = (
    *(
        ("done", {"from": "x", "acts": [{"number": number, "name": name, "value": value}]})
        for number, (name, value) in enumerate(_ACTS, start=1)
    ),
    ("done", None),
    ("done", {"from": "x", "acts": []}),
    ("done", {"from": [], "acts": [{"number": "x"}]}),
    ("done", {"name": "open", "value": "nobody"}),
    ("done", {"name": "pick", "value": {"kind": "line", "id": "nobody"}}),
    ("done", {"name": "pick", "value": {"kind": "x"}}),
    ("done", {"name": "pick", "value": {"kind": "node", "id": "nobody"}}),
    *(("at", value) for value in (0, -1, _HUGE, "", None, [1])),
    ("refused", []),
    ("refused", "x"),
    ("drafts", 1),
    ("drafts", [{"about": "[]", "text": "x", "over": "", "sent": []}]),
    ("drafts", [{"about": '["a","b","c","d","e"]', "text": "x", "over": "", "sent": []}]),
    ("drafts", [{}]),
    ("none", 1),
)
"""What a component may send, by the names that a forger reads in its script."""
_VALUES: dict[str, tuple[Any, ...]] = {
    "trigger_value": (False,),
    "bool_value": (True, False),
    "double_value": (0.5, float("nan"), float("inf"), -1e308),
    "int_value": (0, 1, -1, _HUGE),
    "string_value": ("", "x", "../../etc/passwd", "x" * 10_000, "\x00", *_SELECTIONS),
    "json_value": ("", "{", "[]", "[" * 500, '{"done": 1}', '{"value": {"done": 1}}'),
    "json_trigger_value": (
        *("", "{", "[]", "1", '[{"event": []}]', '[{"event": "done"}]'),
        *(json.dumps([{"event": name, "value": value}]) for name, value in _EVENTS),
    ),
}
_LISTS: dict[str, tuple[list[Any], ...]] = {
    "int_array_value": ([], [0], [-1, _HUGE]),
    "double_array_value": ([], [0.0], [float("nan"), 2.0], [1e308] * 3),
    "string_array_value": ([], ["x"], ["x", "x", ""]),
}


def ids(app: AppTest) -> dict[str, str]:
    """The type of the value of all widgets that were registered, disabled ones too, by id."""
    metadata = app._session_state._state._new_widget_state.widget_metadata
    return {one.id: one.value_type for one in metadata.values()}


def states(widget: str, kind: str) -> Iterator[WidgetState]:
    """States of that widget with values of that type."""
    for value in _VALUES.get(kind, ()):
        yield WidgetState(id=widget, **{kind: value})
    for values in _LISTS.get(kind, ()):
        made = WidgetState(id=widget)
        getattr(made, kind).SetInParent()
        getattr(made, kind).data.extend(values)
        yield made
    if kind == "file_uploader_state_value":
        made = WidgetState(id=widget)
        made.file_uploader_state_value.uploaded_file_info.add(
            file_id="x", name="../x.jsonl", size=2**60
        )
        yield made
    yield WidgetState(id=widget)  # a value that was taken away


def forged(app: AppTest) -> Iterator[list[WidgetState]]:
    """Messages that together give each widget every value of its type that is made up."""
    dropped: list[WidgetState] = []
    possible = []
    for widget, kind in ids(app).items():
        refused, sent = sorted_out(app, states(widget, kind))
        dropped += refused
        possible.append(sent)
    yield dropped
    for sent in zip_longest(*possible):
        yield [state for state in sent if state is not None]


def sorted_out(
    app: AppTest, made: Iterable[WidgetState]
) -> tuple[list[WidgetState], list[WidgetState]]:
    """States that are dropped when they arrive, which one message can have together, and others.

    Each of the others needs a run of the page, which sees it.
    """
    known = app._session_state._state._new_widget_state.widget_metadata
    dropped: list[WidgetState] = []
    possible: list[WidgetState] = []
    for state in made:
        (possible if is_possible(known.get(state.id), state) else dropped).append(state)
    return dropped, possible


def of_every_type(widget: str) -> Iterator[WidgetState]:
    """States of that widget, of every type."""
    for kind in (*_VALUES, *_LISTS, "file_uploader_state_value"):
        yield from states(widget, kind)


def send(app: AppTest, *states: WidgetState) -> AppTest:
    """Run the page with these states and no other."""
    return app._run(WidgetStates(widgets=states))
