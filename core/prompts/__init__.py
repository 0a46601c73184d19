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
from core.models.llm import Prompt

R = TypeVar("R", bound=BaseModel)


def prompt(name: str, reply: type[BaseModel], **data: Any) -> Prompt:
    """The prompt called `name`: its file's instructions, with `data` as one JSON object."""
    user = json.dumps(data, ensure_ascii=False)
    return Prompt(name, _instructions(name), user, reply.model_json_schema())


def read(text: str, reply: type[R]) -> R:
    """The first JSON object in `text` that is a `reply`; models like to add prose round it.

    Raises
    ------
    ReplyUnreadable : there is none.
    """
    decoder = json.JSONDecoder()
    at = text.find("{")
    while at >= 0:
        try:
            found, end = decoder.raw_decode(text, at)
            return reply.model_validate(found)
        except (json.JSONDecodeError, RecursionError):
            at = text.find("{", at + 1)
        except ValidationError:
            at = text.find("{", end)
    raise ReplyUnreadable("The reply holds no JSON object of the form that was asked for.")


@cache
def _instructions(name: str) -> str:
    return (Path(__file__).parent / f"{name}.txt").read_text(encoding="utf-8").strip()
