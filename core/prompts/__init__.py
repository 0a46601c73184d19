"""Prompts: our instructions in a text file each, the data as JSON, the reply as a type.

What comes from a corpus or a user is a JSON string in the user message and never part of the
instructions, so that a passage that gives orders stays a passage.
"""

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from core.models.prompt import LONGEST, Prompt
from core.prompts.forms import at_most
from core.prompts.reading import as_json, read

__all__ = ["at_most", "bounded", "prompt", "read"]


def prompt(name: str, reply: type[BaseModel], *, longest: int = LONGEST, **data: Any) -> Prompt:
    """The prompt called `name`: its file's instructions, with `data` as one JSON object.

    `longest` is the largest `reply` in tokens, in whatever language.
    """
    return Prompt(name, instructions(name), as_json(data).decode(), _schema(reply), longest)


def with_list_limits(asked: Prompt, **most: int) -> Prompt:
    """Return `asked` with lists of its reply bounded by how much there is to list.

    A small model fills a list until structured output ends it. Bounds do not count for what a reply
    is kept under.

    Parameters
    ----------
    most : items by the name of a list; at least one, and at most what its type allows.
    """
    properties = dict(asked.schema["properties"])
    for name, items in most.items():
        listed = properties[name]
        properties[name] = {**listed, "maxItems": max(1, min(items, listed["maxItems"]))}
    return replace(asked, schema={**asked.schema, "properties": properties})


@cache
def _schema(reply: type[BaseModel]) -> dict[str, Any]:
    """The JSON schema of a reply, without the docstring, which is for readers of the code.

    Kept replies are found by it (`core.models.kept.replies`), but for its bounds: whatever else
    changes in it, the docstrings of definitions too, has all replies asked for anew.
    """
    schema = reply.model_json_schema()
    ours = ("title", "description")
    return {
        "additionalProperties": False,
        **{key: value for key, value in schema.items() if key not in ours},
    }


@cache
def instructions(name: str) -> str:
    """What the prompt called `name` tells a model, whatever it is about."""
    return (Path(__file__).parent / f"{name}.txt").read_text(encoding="utf-8").strip()
