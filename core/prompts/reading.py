"""Finding the one object in a reply that is the reply.

A model may think aloud, put the object into a fence, repeat the form that it was shown, or quote
from a passage what looks like a reply. So the whole reply is tried first, else its last object that
fits and has its lines for itself, else its last one that fits: what stands in a sentence is a
remark beside what does not. The form itself, with nothing filled in, is no reply.
"""

import json
import re
from functools import cache
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from core.errors import ReplyUnreadable
from core.models.server.endings import THOUGHT
from core.models.server.sound_json import Found, objects_in
from core.prompts.forms import Form

R = TypeVar("R", bound=BaseModel)
# What stands round an object that has its lines, or a code fence, for itself.
_OPENED = re.compile(r"\n[ \t]{0,40}(?:```[\w-]{0,20}[ \t]{0,40})?\Z")
_CLOSED = re.compile(r"[ \t]*(?:```|\r?\n)")


def read(text: str, reply: type[R]) -> R:
    """Return the `reply` in `text`: all of it, in a code fence or not, else the object in it that
    fits.

    Of several that fit it is the last one that has its lines or a code fence for itself; if none
    has, it is the last one.

    What a model says to itself before `</think>` is passed over. A number may be written `"1"` or
    `1.0`, and a word of a list in any case.

    Raises
    ------
    ReplyUnreadable : there is none; says what is wrong with the last object, if there is one.
    """
    text = text.rpartition(THOUGHT)[2]
    form = _form(reply)
    trouble = ""
    for candidate in _in_order(text):
        try:
            if candidate.trouble:
                raise ReplyUnreadable(f"The reply cannot be read: {candidate.trouble}.")
            return reply.model_validate_json(as_json(form.filled(candidate.value)))
        except ReplyUnreadable as error:
            trouble = trouble or str(error)
        except ValidationError as error:
            trouble = trouble or _trouble(error)
        except (ValueError, RecursionError):  # a validator of ours met what it did not foresee
            trouble = trouble or "The reply contains values that cannot be read."
    nothing = (
        "The reply contains no complete JSON object." if text.strip() else "The reply is empty."
    )
    raise ReplyUnreadable(trouble or nothing)


def as_json(value: Any) -> bytes:
    """Encode `value` as JSON in UTF-8; a lone surrogate becomes a question mark."""
    return json.dumps(value, ensure_ascii=False).encode(errors="replace")


@cache
def _form(reply: type[BaseModel]) -> Form:
    return Form(reply)


def _in_order(text: str) -> list[Found]:
    """Return the objects in `text` as they are to be tried: those that stand alone, each the last
    first.

    An object that is the whole of `text` is the only one in it.
    """
    objects = list(objects_in(text))
    ends, starts = [0, *(one.end for one in objects)], [*(one.start for one in objects), len(text)]
    between = [text[end:start] for end, start in zip(ends, starts, strict=True)]
    # As if a line ended before the first one and behind the last, but not between two.
    between[0], between[-1] = f"\n{between[0]}", f"{between[-1]}\n"
    alone: list[Found] = []
    embedded: list[Found] = []
    for one, before, after in zip(objects, between, between[1:], strict=False):
        is_alone = _OPENED.search(before) and _CLOSED.match(after)
        (alone if is_alone else embedded).append(one)
    return [*reversed(alone), *reversed(embedded)]


def _trouble(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    place = ".".join(map(str, first["loc"])) or "it"
    return f"The reply is not in the requested form: {place}: {first['msg'].lower()}."
