"""The output format of a request: the strongest that the server is not known to refuse.

Only a refusal that names a part of the form counts. Any other concerns a single request; otherwise
one refused text would switch all later requests to plain text. A result applies to one schema, and
is tested again after a while, since the server may have been updated.
"""

import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

from core.models.prompt import Prompt
from core.models.server.limits import LimitField, reply_limit
from core.models.server.strict import strict, without_array_bounds
from core.settings import Endpoint

RETEST = 600.0
"""Seconds after which a stronger form is tried again; each refusal doubles them."""
_MOST_RETEST = 86_400.0
ReplyFormat = Literal["schema", "unbounded", "object", "text"]
"""A JSON schema that the server enforces; the same without array bounds, which not all servers
support; any JSON object; text for which only the prompt requests JSON."""


@dataclass(frozen=True, slots=True)
class Form:
    """The fields of a request other than its messages.

    Parameters
    ----------
    reply : what binds the reply.
    cold : whether the request sets the temperature, or leaves it to the server.
    limit : the field that holds the largest reply.
    """

    reply: ReplyFormat = "schema"
    cold: bool = True
    limit: LimitField = "max_tokens"

    def __str__(self) -> str:
        asked: dict[ReplyFormat, str] = {
            "schema": "structured output",
            "unbounded": "structured output",
            "object": "JSON mode",
            "text": "plain text",
        }
        return asked[self.reply] + ("" if self.cold else ", at its own temperature")

    def body(self, prompt: Prompt, endpoint: Endpoint) -> dict[str, Any]:
        """Return the request fields for `prompt` in this form."""
        fields: dict[str, Any] = {self.limit: prompt.limit(endpoint.thinking)}
        if prompt.schema and self.reply in ("schema", "unbounded"):
            schema = strict(prompt.schema)
            schema = schema if self.reply == "schema" else without_array_bounds(schema)
            format_ = {"name": prompt.name, "schema": schema, "strict": True}
            fields["response_format"] = {"type": "json_schema", "json_schema": format_}
        elif prompt.schema and self.reply == "object":
            fields["response_format"] = {"type": "json_object"}
        if self.cold:
            fields["temperature"] = prompt.temperature
        return {**fields, **extra(endpoint)}

    def without(self, refusal: object, prompt: Prompt) -> "Form | None":
        """Return the next weaker form after a `refusal`, the body of a response with status 400.

        None if the refusal names no part of the form.
        """
        said = " ".join(_refusal_texts(refusal))
        if re.search(rf"\b{self.limit}\b", said) and _UNKNOWN.search(said):
            other: LimitField = "max_tokens"
            other = "max_completion_tokens" if self.limit == other else other
            return replace(self, limit=other)
        if self.cold and "temperature" in said:
            return replace(self, cold=False)
        if prompt.schema and self.reply != "text" and _FORMAT.search(said):
            return replace(self, reply=_weaker(self.reply, prompt))
        return None


def _weaker(reply: ReplyFormat, prompt: Prompt) -> ReplyFormat:
    if reply == "schema" and without_array_bounds(prompt.schema) != prompt.schema:
        return "unbounded"
    return "text" if reply == "object" else "object"


@dataclass(frozen=True, slots=True)
class _Lesson:
    """A weaker value that the server accepted, until the stronger one is tested again."""

    value: Any
    until: float
    lasts: float


class Forms:
    """The output formats that one server accepts. Safe to share between threads.

    Parameters
    ----------
    clock : seconds that never go back.
    """

    def __init__(self, endpoint: Endpoint, clock: Callable[[], float] = time.monotonic) -> None:
        self._endpoint = endpoint
        self._clock = clock
        self._lessons: dict[str, _Lesson] = {}
        self._learning = threading.Lock()
        self.last = Form()
        """The form of the last reply."""

    def best_form(self, prompt: Prompt) -> Form:
        """Return the best request form for `prompt` that the server is not known to refuse."""
        return Form(
            reply=self._accepted(prompt.name, "schema"),
            cold=self._accepted(_TEMPERATURE, True),
            limit=reply_limit(self._endpoint).field,
        )

    def record_success(self, prompt: Prompt, form: Form) -> None:
        """Remember that this form was answered, and that stronger ones were refused."""
        with self._learning:
            self._learn(prompt.name, form.reply, "schema")
            self._learn(_TEMPERATURE, form.cold, True)
            self.last = form

    def _accepted(self, about: str, best: Any) -> Any:
        lesson = self._lessons.get(about)
        return lesson.value if lesson and self._clock() < lesson.until else best

    def _learn(self, about: str, value: Any, best: Any) -> None:
        """Store the accepted value `about` a prompt or the temperature, to be retested later.

        The time until the next test doubles with each test that confirms a weaker value.
        """
        lesson, now = self._lessons.get(about), self._clock()
        if value == best:
            self._lessons.pop(about, None)
        elif lesson is None:
            self._lessons[about] = _Lesson(value, now + RETEST, RETEST)
        elif lesson.value != value or now >= lesson.until:
            lasts = min(2 * lesson.lasts, _MOST_RETEST)
            self._lessons[about] = _Lesson(value, now + lasts, lasts)


_TEMPERATURE = " temperature"  # no prompt has a name with a space
# What names the form of the reply. That a request speaks of JSON alone is no such thing: its
# messages do too.
_FORMAT = re.compile(
    r"response_?format|json[_ ](?:schema|object|mode)|structured.?output|\bgrammar\b|guided_?json"
)
# Ways to say that a field is not known, as opposed to what is wrong with its value.
_UNKNOWN = re.compile(
    r"un(?:known|supported|recogni[sz]ed|expected)|not (?:supported|permitted|allowed)|\binstead\b"
    r"|\bextra\b|deprecated|no such|does not (?:support|accept|exist)|invalid (?:field|param|arg)"
)
_TOLD = ("message", "msg", "param", "code", "type", "loc", "detail", "error", "errors")


def extra(endpoint: Endpoint) -> dict[str, Any]:
    """Return the fields that the user adds to each request."""
    fields: dict[str, Any] = json.loads(endpoint.extra or "{}")
    return fields


def _refusal_texts(refusal: object) -> Iterator[str]:
    """Yield the server's own words of a refusal, in lower case, without our request in it."""
    if isinstance(refusal, dict):
        for name in _TOLD:
            yield from _refusal_texts(refusal.get(name))
    elif isinstance(refusal, list):
        for one in refusal:
            yield from _refusal_texts(one)
    elif isinstance(refusal, str):
        yield refusal.casefold()


def refusal_text(refusal: object) -> str:
    """Return the server's own words of a refusal, in lower case."""
    return " ".join(_refusal_texts(refusal))


def refused_extra(refusal: object, endpoint: Endpoint) -> str:
    """Return the user's extra field that a refusal names; empty if it names none."""
    said = refusal_text(refusal)
    return next((name for name in extra(endpoint) if name.casefold() in said), "")
