"""Talking to a model's server by the `openai` client, and making sense of what it answers."""

from typing import Any

import openai
from openai.types.chat import ChatCompletion

from core.models.prompt import Prompt, Reply
from core.models.trouble import trouble, without_key
from core.models.wire import client
from core.settings import Endpoint


class Chat:
    """One server, to be shared between threads.

    Raises
    ------
    LlmError : URL, key or proxy cannot be used as they are.
    """

    def __init__(self, endpoint: Endpoint, *, time_limit: float, retries: int) -> None:
        self._endpoint = endpoint
        self._form = 0
        self._client = client(endpoint, time_limit=time_limit, retries=retries)
        self.close = self._client.close

    @property
    def form(self) -> str:
        """How replies are asked for, in words."""
        return _FORMS[self._form][0]

    def complete(self, prompt: Prompt) -> Reply:
        """The reply, without its seconds.

        Raises
        ------
        LlmError : there is none.
        """
        form = self._form
        while True:
            try:
                found = self._call(prompt, form)
            except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
                if form == len(_FORMS) - 1:
                    raise trouble(error, self._endpoint) from error
                form += 1
            # A body that is no JSON, or too deep to read, is an error of the json module.
            except (openai.OpenAIError, ValueError, RecursionError) as error:
                raise trouble(error, self._endpoint) from error
            else:
                # Only now: what every form is refused for, as a long prompt is, teaches nothing.
                self._form = max(self._form, form)
                return self._reply(found)

    def models(self) -> list[str]:
        """The models that the server offers, sorted.

        Raises
        ------
        LlmError : it does not say.
        """
        try:
            return sorted(str(model.id) for model in self._client.models.list())
        # A body that is no JSON, or no list of models, fails wherever the client looks into it.
        except (openai.OpenAIError, ValueError, AttributeError, TypeError) as error:
            raise trouble(error, self._endpoint) from error

    def _call(self, prompt: Prompt, form: int) -> ChatCompletion:
        found: ChatCompletion = self._client.chat.completions.create(
            model=self._endpoint.model,
            messages=[
                {"role": "system", "content": prompt.system},
                {"role": "user", "content": prompt.user},
            ],
            extra_body=_FORMS[form][1](prompt),  # the client takes 1 ms to check a schema
        )
        return found

    def _reply(self, found: ChatCompletion) -> Reply:
        # The client checks no types: `found` holds whatever JSON came, or is a page of text.
        body: Any = None
        try:
            body = found.to_dict(mode="json", warnings=False)
            message = body["choices"][0]["message"]
            text = message.get("content") or message.get("refusal") or ""
        except (AttributeError, ValueError, KeyError, IndexError, TypeError) as error:
            raise trouble(error, self._endpoint, body) from error
        usage = body.get("usage")
        plain = text if isinstance(text, str) else ""
        return Reply(
            # A model that stops in the middle of an emoji leaves half a letter, which is no text.
            text=without_key(plain.encode(errors="replace").decode(), self._endpoint),
            tokens_in=_count(usage, "prompt_tokens"),
            tokens_out=_count(usage, "completion_tokens"),
        )


def _count(usage: Any, name: str) -> int:
    found = usage.get(name) if isinstance(usage, dict) else None
    return found if isinstance(found, int) and found > 0 else 0


def _cold_schema(prompt: Prompt) -> dict[str, Any]:
    return {**_schema(prompt), "temperature": 0}


def _schema(prompt: Prompt) -> dict[str, Any]:
    schema = {"name": prompt.name, "schema": dict(prompt.schema), "strict": True}
    return {"response_format": {"type": "json_schema", "json_schema": schema}}


def _object(_: Prompt) -> dict[str, Any]:
    return {"response_format": {"type": "json_object"}, "temperature": 0}


def _plain(_: Prompt) -> dict[str, Any]:
    return {}


_FORMS = (
    ("structured output", _cold_schema),
    ("structured output, at its own temperature", _schema),
    ("JSON mode", _object),
    ("plain text", _plain),
)
