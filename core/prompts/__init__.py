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
    """Return the prompt `name`: the instructions in its file, and `data` as one JSON object.

    Parameters
    ----------
    reply : the type of the reply, from which its JSON schema is made.
    longest : upper limit of the reply in tokens.
    """
    return Prompt(name, instructions(name), as_json(data).decode(), _schema(reply), longest)


def with_list_limits(asked: Prompt, **most: int) -> Prompt:
    """Return `asked` with an upper limit on the length of each named list of the reply.

    Small models fill a list until structured output ends it. The limits are not part of the key
    under which a reply is cached.

    Parameters
    ----------
    most : the limit of each list by its name, clipped to between 1 and what the type allows.
    """
    properties = dict(asked.schema["properties"])
    for name, items in most.items():
        listed = properties[name]
        properties[name] = {**listed, "maxItems": max(1, min(items, listed["maxItems"]))}
    return replace(asked, schema={**asked.schema, "properties": properties})


@cache
def _schema(reply: type[BaseModel]) -> dict[str, Any]:
    """Return the JSON schema of a reply, without the docstring of its class.

    The schema without its limits is part of the cache key of replies (`core.models.kept.replies`).
    Any other change, even in the docstring of a nested class, invalidates all cached replies.
    """
    schema = reply.model_json_schema()
    ours = ("title", "description")
    return {
        "additionalProperties": False,
        **{key: value for key, value in schema.items() if key not in ours},
    }


@cache
def instructions(name: str) -> str:
    """Return the system text of the prompt called `name`."""
    return (Path(__file__).parent / f"{name}.txt").read_text(encoding="utf-8").strip()
