"""Prompts: our instructions in a text file each, the data as JSON, the reply as a type.

What comes from a corpus or a user is a JSON string in the user message and never part of the
instructions, so that a passage that gives orders stays a passage.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from core.errors import ReplyUnreadable
from core.models.prompt import Prompt

R = TypeVar("R", bound=BaseModel)
_THOUGHT = "</think>"


def prompt(name: str, reply: type[BaseModel], **data: Any) -> Prompt:
    """The prompt called `name`: its file's instructions, with `data` as one JSON object."""
    return Prompt(name, _instructions(name), _json(data).decode(), _schema(reply))


def read(text: str, reply: type[R]) -> R:
    """The first JSON object in `text` that is a `reply`; models like to add prose round it.

    What a model says to itself before `</think>` is passed over.

    Raises
    ------
    ReplyUnreadable : there is none; says what is wrong with the first object, if there is one.
    """
    text = text.rpartition(_THOUGHT)[2]
    trouble = ""
    decoder = json.JSONDecoder()
    at = text.find("{")
    while at >= 0:
        try:
            found, end = decoder.raw_decode(text, at)
            return reply.model_validate_json(_json(found))
        except (json.JSONDecodeError, RecursionError):
            at = text.find("{", at + 1)
        except ValidationError as error:
            trouble = trouble or _trouble(error)
            at = text.find("{", end)
    nothing = "The reply holds no whole JSON object." if text.strip() else "The reply is empty."
    raise ReplyUnreadable(trouble or nothing)


def _json(value: Any) -> bytes:
    # Half a letter, from a broken file or a model that stops in an emoji, is no text.
    return json.dumps(value, ensure_ascii=False).encode(errors="replace")


def _trouble(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    place = ".".join(map(str, first["loc"])) or "it"
    return f"The reply has not the form that was asked for: {place}: {first['msg'].lower()}."


@cache
def _schema(reply: type[BaseModel]) -> dict[str, Any]:
    """What structured output wants; a docstring is for us, and changing it asks nothing anew."""
    schema = reply.model_json_schema()
    ours = ("title", "description")
    return {
        "additionalProperties": False,
        **{key: value for key, value in schema.items() if key not in ours},
    }


@cache
def _instructions(name: str) -> str:
    return (Path(__file__).parent / f"{name}.txt").read_text(encoding="utf-8").strip()
