"""Widget states that no browser sends: values of every kind for every widget of a page."""

import json
from collections.abc import Iterator
from typing import Any

from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.testing.v1 import AppTest

_HUGE = 2**62
_SELECTIONS = tuple(
    json.dumps({"selection": selection})
    for selection in (
        {"rows": [10**9], "columns": ["x"], "cells": [[10**9, "x"]]},
        {"rows": [-1, "x", None], "columns": [0], "cells": [[]]},
        {"rows": 1},
        {"selected": [{"dataIndex": [10**9], "seriesIndex": "x"}]},
        {"selected": [1]},
        {"point": [{"x": []}], "selected": {}},
        [],
    )
)
"""Of tables and charts."""
JUNK: tuple[Any, ...] = (
    None,
    True,
    0,
    -1,
    _HUGE,
    1e308,
    "",
    "../../etc/passwd",
    "\x00\ud7ff<b>",
    [],
    [None],
    [[1]],
    {},
    {"a": {"b": []}},
    {"from": "x", "acts": "x"},
    {"from": "x", "acts": [{}]},
    {"from": "x", "acts": [{"number": "x", "name": [], "value": {}}]},
    *(
        {"from": "x", "acts": [{"number": _HUGE, "name": name, "value": value}]}
        for name, value in (
            ("mark", {"passage": "nobody", "gold": True}),
            ("mark", {"passage": []}),
            ("question", 1),
            ("question", _HUGE),
            ("amend", {"verb": "no", "at": "x"}),
            ("amend", {"verb": "follow", "at": "nobody", "tie": "x"}),
            ("amend", []),
            ("keep", "x"),
            ("explore", "nobody"),
            ("explore", {}),
            ("remark", {}),
        )
    ),
    {"name": "open", "value": "nobody"},
    {"name": "pick", "value": {"kind": "node", "id": "nobody"}},
    {"name": "pick", "value": {"kind": "line", "id": "nobody"}},
    {"name": "pick", "value": {"kind": "x"}},
    [{"about": "[]", "text": "x", "over": "", "sent": []}],
    [{"about": '["a","b","c","d","e"]', "text": "x", "over": "", "sent": []}],
)
"""Values for the state of a component, whose name a forger reads in its script."""
NAMES = ("done", "at", "refused", "drafts", "selected", "value", "")


def ids(app: AppTest) -> list[str]:
    """The ids of all widgets that the last run of the page registered, disabled ones too."""
    metadata = app._session_state._state._new_widget_state.widget_metadata
    return sorted(metadata)


def forged(widget: str) -> Iterator[WidgetState]:
    """States of that widget of every type, plausible and not."""
    for name, values in (
        ("trigger_value", (True,)),
        ("bool_value", (True, False)),
        ("double_value", (0.5, float("nan"), float("inf"), -1e308)),
        ("int_value", (0, 1, -1, _HUGE)),
        ("string_value", ("", "x", "../../etc/passwd", "x" * 10_000, "\x00", *_SELECTIONS)),
        ("bytes_value", (b"\xff\x00",)),
        ("json_value", ("", "{", "null", "[]", '"x"', "NaN", "[" * 500)),
        (
            "json_trigger_value",
            ("", "{", "[]", '[{"event": "done", "value": 1}]', '[{"event": []}]'),
        ),
    ):
        for value in values:
            yield WidgetState(id=widget, **{name: value})
    for junk in JUNK:
        yield WidgetState(id=widget, json_value=json.dumps(dict.fromkeys(NAMES, junk)))
        events = [{"event": name, "value": junk} for name in NAMES]
        yield WidgetState(id=widget, json_trigger_value=json.dumps(events))
    for name, lists in (
        ("int_array_value", ([], [0], [-1, _HUGE])),
        ("double_array_value", ([], [0.0], [float("nan"), 2.0], [1e308] * 3)),
        ("string_array_value", ([], ["x"], ["x", "x", ""])),
    ):
        for values in lists:
            made = WidgetState(id=widget)
            getattr(made, name).data.extend(values)
            yield made
    made = WidgetState(id=widget)
    made.file_uploader_state_value.uploaded_file_info.add(file_id="x", name="../x", size=2**60)
    yield made
    made = WidgetState(id=widget)
    made.string_trigger_value.data = "x"
    yield made
    made = WidgetState(id=widget)
    made.chat_input_value.data = "x"
    yield made
    yield WidgetState(id=widget)  # a value that was taken away


def send(app: AppTest, *states: WidgetState) -> AppTest:
    """Run the page with these states and no other."""
    return app._run(WidgetStates(widgets=states))
