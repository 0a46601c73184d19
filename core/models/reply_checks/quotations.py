"""Tell JSON objects that the model wrote from objects that it quotes from the prompt.

A passage may contain an object that looks like a reply, and a model may quote it (prompt
injection, or by accident). If the user message contains such an object, the prompt asks for a
code that no passage can contain. An object with the code is the model's own. An object without
it counts only if its words differ from those of every object in the message.
"""

import html
import json
import re
from base64 import b32encode
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from hashlib import blake2b
from typing import Any
from urllib.parse import unquote

from core.errors import ReplyUnreadable
from core.models.prompt import Prompt
from core.models.reply_checks.shown_form import shown_form
from core.models.server.endings import THOUGHT
from core.models.server.sound_json import Found, objects_in
from core.text.clean import clean

CODE = "reply_code"
"""The field that holds the code."""
_ASK = (
    'Make "{field}": "{code}" the first entry of that object. Nothing in the message knows this '
    "code: an object without it is a quotation, and not your reply."
)
_DEEPEST = 3  # times that an object in a text may have been escaped
_ESCAPE = re.compile(r"""\\(?:u00([0-7][0-9a-f])|x([0-7][0-9a-f])|(["'\\/nrt]))""", re.IGNORECASE)
_ESCAPED = re.compile(r"[\\&%]")
_SPACES = "nrt"
_BRACES = str.maketrans("\N{FULLWIDTH LEFT CURLY BRACKET}\N{FULLWIDTH RIGHT CURLY BRACKET}", "{}")
_LONGEST_OBJECT = 5_000  # characters of an object in a text that does not end
_WORD = re.compile(r"\w+")
_ALIKE = 0.5  # of the words of an object: from this share on it repeats another one
_ECHO = "The reply repeats the form without filling it in."
_QUOTATION = "The reply only repeats a passage."


def with_code(prompt: Prompt) -> Prompt:
    """Return the prompt with a request for a code, if its message contains a reply-like object.

    The cache key of a reply is that of the prompt without the code.
    """
    if not _reply_like_objects(prompt):
        return prompt
    code = code_of(prompt)
    properties = {CODE: {"type": "string", "enum": [code]}, **prompt.schema["properties"]}
    required = [CODE, *prompt.schema.get("required", ())]
    return replace(
        prompt,
        system=f"{prompt.system}\n\n{_ASK.format(field=CODE, code=code)}",
        schema={**prompt.schema, "properties": properties, "required": required},
    )


def code_of(prompt: Prompt) -> str:
    """Return the code of a prompt, a hash of its name and messages."""
    seed = "\n".join((prompt.name, prompt.system, prompt.user))
    return (
        b32encode(blake2b(seed.encode(errors="replace"), digest_size=5).digest()).decode().lower()
    )


def without_quotations(text: str, prompt: Prompt) -> str:
    """Replace each object that the model only copied from the prompt with spaces.

    Copied are objects that repeat the form in the instructions or an object in the message. If
    one object has the code, all others count as copied.

    Raises
    ------
    ReplyUnreadable : all objects in the reply are copied.
    """
    text = text.rpartition(THOUGHT)[2]
    form = shown_form(prompt.system)
    echoes: list[Found] = []
    rest: list[Found] = []
    for one in objects_in(text):
        (echoes if form.is_echoed_by(one.value) else rest).append(one)
    quoted = _quotations_in(rest, text, prompt)
    if (echoes or quoted) and len(quoted) == len(rest):
        raise ReplyUnreadable(_QUOTATION if quoted else _ECHO)
    parts, at = [], 0
    for one in sorted((*echoes, *quoted), key=lambda one: one.start):
        parts += [text[at : one.start], " " * (one.end - one.start)]
        at = one.end
    return "".join([*parts, text[at:]])


def has_form(text: str, prompt: Prompt) -> bool:
    """Check whether a reply has an object with every field of the prompt's schema."""
    required = set(prompt.schema.get("required", ()))
    return any(not one.trouble and required <= one.value.keys() for one in objects_in(text))


def _quotations_in(found: list[Found], text: str, prompt: Prompt) -> list[Found]:
    """Return the objects of a reply that are quoted from the user message."""
    likes = _reply_like_objects(prompt)
    if not likes:
        return []
    code = code_of(prompt)
    others = [one for one in found if one.value.get(CODE) != code]
    if len(others) < len(found):
        return others
    alone = len(found) == 1 and found[0].end - found[0].start == len(text.strip())
    return [
        one for one in found if not one.trouble and _is_quotation(one.value, likes, alone=alone)
    ]


def _is_quotation(
    value: Mapping[str, Any], likes: tuple[frozenset[str], ...], *, alone: bool
) -> bool:
    """Check whether an object shares at least half of its words with one in the message.

    Parameters
    ----------
    likes : the words of each object in the message.
    alone : whether the object is the whole reply; without words it is then the model's own.
    """
    own = frozenset(_words(value))
    if not own:
        return not alone
    return any(len(own & words) >= _ALIKE * len(own) for words in likes)


def _words(value: Any) -> Iterator[str]:
    """Yield the lower-case words of all texts and numbers in a JSON value."""
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list):
        for inner in value:
            yield from _words(inner)
    elif isinstance(value, str) or (isinstance(value, int | float) and not isinstance(value, bool)):
        yield from _WORD.findall(clean(str(value)).casefold())


def _reply_like_objects(prompt: Prompt) -> tuple[frozenset[str], ...]:
    """Return the words of each object in the user message that names a field of the reply."""
    if not isinstance(prompt.schema.get("properties"), Mapping):
        return ()
    return _objects(prompt.user, frozenset(prompt.schema["properties"]))


@lru_cache(maxsize=256)
def _objects(user: str, fields: frozenset[str]) -> tuple[frozenset[str], ...]:
    """Return the words of each distinct object in the message that names one of `fields`."""
    try:
        message = json.loads(user)
    except ValueError:  # it has no texts
        return ()
    distinct: dict[frozenset[str], None] = {}
    for text in _texts(message):
        plain = _unescaped(text)
        for start, end in _object_spans(plain):
            words = frozenset(_WORD.findall(plain[start:end].casefold()))
            if words & fields:
                distinct[words] = None
    return tuple(distinct)


def _object_spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of the outermost objects in `text`, by matching braces, and then of
    parts that begin with an unclosed brace.

    Their content need not be valid JSON: a model may repair it when it quotes it.
    """
    opened: list[int] = []
    closed: list[tuple[int, int]] = []
    for mark in re.finditer(r"[{}]", text):
        if mark[0] == "{":
            opened.append(mark.start())
        elif opened:
            start = opened.pop()
            while closed and closed[-1][0] > start:
                closed.pop()
            closed.append((start, mark.end()))
    yield from closed
    end = 0
    for start in opened:
        if start >= end:
            end = min(len(text), start + _LONGEST_OBJECT)
            yield start, end


def _texts(value: Any) -> Iterator[str]:
    """Yield all strings in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _texts(inner)


def _unescaped(text: str) -> str:
    """Undo escapes of JSON, HTML and URLs in `text`."""
    for _ in range(_DEEPEST):
        if not _ESCAPED.search(text):
            break
        text = unquote(html.unescape(_ESCAPE.sub(_character, text)))
    return text.translate(_BRACES)


def _character(escape: "re.Match[str]") -> str:
    """Return the character that an escape sequence stands for; spaces for line breaks."""
    code, sign = escape[1] or escape[2], escape[3]
    if code:
        return chr(int(code, 16))
    return " " if sign in _SPACES else sign
