"""A language model behind any OpenAI-compatible server: OpenAI, vLLM, Ollama, llama.cpp.

The `openai` client does the talking: it waits and asks again on 429, 5xx and lost connections, as
long as Retry-After says, and gives up on a call after its time limit.
"""

import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import openai

from core.errors import LlmError
from core.settings import Endpoint

AT_ONCE = 32  # calls under way at the same time
TIME_LIMIT = 60.0  # seconds a call may take, each try for itself
RETRIES = 5


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a model is asked. `system` is ours; what comes from a corpus stands in `user` only.

    `schema` is the JSON schema of the reply, `name` what this kind of prompt is called.
    """

    name: str
    system: str
    user: str
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back: the raw text, its tokens (0 where the server does not count) and seconds."""

    text: str
    tokens_in: int = 0
    tokens_out: int = 0
    seconds: float = 0.0


class Llm:
    """One endpoint, to be shared between threads; at most `at_once` calls are under way.

    Structured output is asked for as a JSON schema at temperature 0; a server that refuses the
    temperature, the schema or any JSON mode is asked for less, for as long as this object lives.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        at_once: int = AT_ONCE,
        time_limit: float = TIME_LIMIT,
        retries: int = RETRIES,
    ) -> None:
        self.endpoint = endpoint
        self.at_once = at_once
        self._slots = threading.BoundedSemaphore(at_once)
        self._form = 0
        self._client = openai.OpenAI(
            base_url=endpoint.url,
            # A local server needs none, and the client insists on one.
            api_key=endpoint.key or "none",
            timeout=time_limit,
            max_retries=retries,
        )

    @property
    def model(self) -> str:
        return self.endpoint.model

    def complete(self, prompt: Prompt) -> Reply:
        """Ask once; the client's own retries are part of it.

        Raises
        ------
        LlmError : there is no answer to be had; the message says why and what mends it.
        """
        with self._slots:
            started = time.perf_counter()
            found = self._in_some_form(prompt)
        usage = found.usage
        return Reply(
            text=(found.choices[0].message.content or "") if found.choices else "",
            tokens_in=usage.prompt_tokens if usage else 0,
            tokens_out=usage.completion_tokens if usage else 0,
            seconds=time.perf_counter() - started,
        )

    def models(self) -> list[str]:
        """The models that the server offers, sorted.

        Raises
        ------
        LlmError : it does not say.
        """
        try:
            return sorted(model.id for model in self._client.models.list())
        except openai.OpenAIError as error:
            raise LlmError(_said(error, self.endpoint)) from error

    def _in_some_form(self, prompt: Prompt) -> openai.types.chat.ChatCompletion:
        while True:
            form = self._form
            try:
                return self._call(prompt, form)
            except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
                if form == len(_FORMS) - 1:
                    raise LlmError(_said(error, self.endpoint)) from error
                self._form = max(self._form, form + 1)
            except openai.OpenAIError as error:
                raise LlmError(_said(error, self.endpoint)) from error

    def _call(self, prompt: Prompt, form: int) -> openai.types.chat.ChatCompletion:
        found: openai.types.chat.ChatCompletion = self._client.chat.completions.create(
            model=self.model,
            messages=[
                {"role": "system", "content": prompt.system},
                {"role": "user", "content": prompt.user},
            ],
            **_FORMS[form](prompt),
        )
        return found


def _cold_schema(prompt: Prompt) -> dict[str, Any]:
    return {**_schema(prompt), "temperature": 0}


def _schema(prompt: Prompt) -> dict[str, Any]:
    schema = {"name": prompt.name, "schema": dict(prompt.schema), "strict": True}
    return {"response_format": {"type": "json_schema", "json_schema": schema}}


def _object(_: Prompt) -> dict[str, Any]:
    return {"response_format": {"type": "json_object"}, "temperature": 0}


def _plain(_: Prompt) -> dict[str, Any]:
    return {}


_FORMS = (_cold_schema, _schema, _object, _plain)


def _said(error: openai.OpenAIError, endpoint: Endpoint) -> str:
    """What went wrong and what mends it; never the key, which a server may repeat."""
    match error:
        case openai.APITimeoutError():
            return f"{endpoint.url} did not answer in time. Try again, or choose a faster model."
        case openai.APIConnectionError():
            return (
                f"No connection to {endpoint.url}. Start the server there, or set HOPRAG_LLM_URL "
                "to where it is."
            )
        case openai.AuthenticationError() | openai.PermissionDeniedError():
            return f"{endpoint.url} refuses the key. Set HOPRAG_LLM_KEY to one that it takes."
        case openai.NotFoundError():
            return (
                f"{endpoint.url} has no model {endpoint.model!r}, or is no such server. Set "
                "HOPRAG_LLM to a model that it has; the URL mostly ends in /v1."
            )
        case openai.RateLimitError():
            return f"{endpoint.url} still answers 'too many requests'. Wait, or raise the limit."
        case openai.APIStatusError():
            return f"{endpoint.url} answered with the error {error.status_code}. See its log."
    return f"The answer of {endpoint.url} cannot be used. Is it an OpenAI-compatible server?"
