"""How a reply is asked for: the best form that a server takes, learnt from what it refuses.

Only a refusal that names a part of the form teaches anything. Any other is about the one request,
and a server that turns down a text would else be asked for plain text ever after.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

from core.models.prompt import Prompt
from core.settings import Endpoint


@dataclass(frozen=True, slots=True)
class Form:
    """What a request asks for beside its messages.

    Parameters
    ----------
    reply : a JSON schema that binds the reply, any JSON object, or text that is told to be JSON.
    cold : whether the temperature is 0, or the server's own.
    limit : the field that holds the largest reply.
    """

    reply: Literal["schema", "object", "text"] = "schema"
    cold: bool = True
    limit: Literal["max_completion_tokens", "max_tokens"] = "max_completion_tokens"

    def __str__(self) -> str:
        asked = {"schema": "structured output", "object": "JSON mode", "text": "plain text"}
        return asked[self.reply] + ("" if self.cold else ", at its own temperature")

    def body(self, prompt: Prompt, endpoint: Endpoint) -> dict[str, Any]:
        """The fields of the request that asks for `prompt` so."""
        found: dict[str, Any] = {self.limit: prompt.longest + endpoint.thinking}
        if self.reply == "schema":
            schema = {"name": prompt.name, "schema": dict(prompt.schema), "strict": True}
            found["response_format"] = {"type": "json_schema", "json_schema": schema}
        elif self.reply == "object":
            found["response_format"] = {"type": "json_object"}
        if self.cold:
            found["temperature"] = 0
        return {**found, **extra(endpoint)}

    def without(self, refusal: object) -> "Form | None":
        """The form to ask in after a `refusal`, the body of a 400; None if it names no part."""
        said = " ".join(_told(refusal))
        if self.limit == "max_completion_tokens" and "max_completion_tokens" in said:
            return replace(self, limit="max_tokens")
        if self.cold and "temperature" in said:
            return replace(self, cold=False)
        if self.reply != "text" and _FORMAT.search(said):
            return replace(self, reply="object" if self.reply == "schema" else "text")
        return None


_FORMAT = re.compile(r"response_?format|json|schema|structured.?output|grammar|\bformat\b")
_TOLD = ("message", "msg", "param", "code", "type", "loc", "detail", "error", "errors")


def extra(endpoint: Endpoint) -> dict[str, Any]:
    """The fields that the user adds to each request."""
    found: dict[str, Any] = json.loads(endpoint.extra or "{}")
    return found


def _told(refusal: object) -> Iterator[str]:
    """What a server says of a request, in lower case, and not what it repeats of it."""
    if isinstance(refusal, dict):
        for name in _TOLD:
            yield from _told(refusal.get(name))
    elif isinstance(refusal, list):
        for one in refusal:
            yield from _told(one)
    elif isinstance(refusal, str):
        yield refusal.casefold()


def refused_extra(refusal: object, endpoint: Endpoint) -> str:
    """The field of the user's that a refusal names; empty if it names none."""
    said = " ".join(_told(refusal))
    return next((name for name in extra(endpoint) if name.casefold() in said), "")


def names(refusal: object, pattern: "re.Pattern[str]") -> bool:
    """Whether a refusal, the body of an error, speaks of what `pattern` finds in lower case."""
    return any(pattern.search(said) for said in _told(refusal))
