"""What a model only repeats of the material that it was given is no reply of its own.

A passage may hold an object that looks like a reply, and a model may quote it, to obey it or not.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

from core.errors import ReplyUnreadable
from core.models.server.sound_json import objects_in
from core.text.clean import clean

_DEEPEST = 3  # times that an object in a text may have been written as a text itself
_ESCAPE = re.compile(r"""\\(["'\\/nrt])""")
_SPACES = "nrt"
_SIGNS = re.compile(r"[\W_]+")
_ONLY = "The reply only repeats what a passage says."


def own_words(text: str, user: str) -> str:
    """A reply with spaces for each object that stands in a text of the prompt's user message too.

    Objects are compared by what they hold, whatever their order and escapes. Of texts in them only
    letters and digits count, as spaces and signs change when a text is repeated.

    Raises
    ------
    ReplyUnreadable : the reply holds such an object and no other one.
    """
    given = _given(user)
    if not given:
        return text
    found = list(objects_in(text))
    repeated = [one for one in found if not one.trouble and _gist(one.value) in given]
    if repeated and len(repeated) == len(found):
        raise ReplyUnreadable(_ONLY)
    parts, at = [], 0
    for one in repeated:
        parts += [text[at : one.start], " " * (one.end - one.start)]
        at = one.end
    return "".join([*parts, text[at:]])


def _given(user: str) -> set[Any]:
    """The gists of all objects in texts of a user message, those within others too."""
    gists: set[Any] = set()
    if user.count("{") < 2:  # the message is an object itself
        return gists
    try:
        message = json.loads(user)
    except ValueError:  # it has no texts
        return gists
    for text in _texts(message):
        for level in _unescaped(text):
            for one in objects_in(level):
                if not one.trouble:
                    _gist(one.value, gists)
    return gists


def _texts(value: Any) -> Iterator[str]:
    """The texts in `value` that can hold an object."""
    if isinstance(value, str):
        if "{" in value:
            yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _texts(inner)


def _unescaped(text: str) -> Iterator[str]:
    """`text`, and what it says where it was escaped, as a text within JSON is."""
    yield text
    for _ in range(_DEEPEST):
        if "\\" not in text:
            break
        text = _ESCAPE.sub(lambda found: " " if found[1] in _SPACES else found[1], text)
        yield text


def _gist(value: Any, objects: set[Any] | None = None) -> Any:
    """What `value` holds, to be compared; each object in it joins `objects`."""
    if isinstance(value, dict):
        found = frozenset((key, _gist(inner, objects)) for key, inner in value.items())
        if objects is not None:
            objects.add(found)
        return found
    if isinstance(value, list):
        return tuple(_gist(inner, objects) for inner in value)
    return _SIGNS.sub("", clean(value)).casefold() if isinstance(value, str) else value
