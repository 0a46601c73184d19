"""Talking to a model's server by the `openai` client, and making sense of what it answers."""

from typing import Any

import openai

from core.models.prompt import Prompt, Reply
from core.models.server import loop
from core.models.server.blot import harmless
from core.models.server.endings import ending_of
from core.models.server.forms import Form
from core.models.server.sound_json import parse
from core.models.server.trouble import no_reply
from core.models.server.wire import client, in_time
from core.settings import Endpoint


class Chat:
    """One server, to be shared between threads.

    Raises
    ------
    LlmError : URL, key or proxy cannot be used as they are.
    """

    def __init__(self, endpoint: Endpoint, *, time_limit: float) -> None:
        self._endpoint = endpoint
        self._seconds = time_limit
        self._client = client(endpoint, time_limit=time_limit)
        self.form = Form()

    def close(self) -> None:
        loop.tidy(self._client.close)

    def complete(self, prompt: Prompt) -> Reply:
        """The reply, without its seconds; asked for in a weaker form where one is refused.

        Raises
        ------
        openai.OpenAIError : there is none.
        LlmError : what came is no reply.
        """
        form = self.form
        while True:
            try:
                body = self._call(prompt, form)
            except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
                weaker = form.without(error.body)
                if weaker is None:
                    raise
                form = weaker
            else:
                # Only now: what every form is refused for, as a long prompt is, teaches nothing.
                self.form = form
                return self._reply(self._parsed(body))

    def models(self) -> list[str]:
        """The models that the server offers, sorted.

        Raises
        ------
        openai.OpenAIError, LlmError : it does not say.
        """
        body = self._parsed(self._send(self._client.models.with_raw_response.list()))
        try:
            names = [harmless(str(model["id"]), self._endpoint) for model in body["data"]]
        except (KeyError, TypeError) as error:
            raise no_reply(body, self._endpoint, "it lists no models") from error
        return sorted(" ".join(name.split()) for name in names)

    def _call(self, prompt: Prompt, form: Form) -> bytes:
        return self._send(
            self._client.chat.completions.with_raw_response.create(
                model=self._endpoint.model,
                messages=[
                    {"role": "system", "content": prompt.system},
                    {"role": "user", "content": prompt.user},
                ],
                # The client takes 1 ms to check a schema.
                extra_body=form.body(prompt, self._endpoint),
            )
        )

    def _send(self, call: Any) -> bytes:
        answer = loop.run(in_time(call, self._seconds, self._endpoint.url))
        content: bytes = answer.http_response.content
        return content

    def _parsed(self, body: bytes) -> Any:
        try:
            return parse(body.decode(errors="replace"))
        except ValueError as error:
            raise no_reply(None, self._endpoint, str(error)) from error

    def _reply(self, body: Any) -> Reply:
        try:
            choice = body["choices"][0]
            message = choice["message"]
            text = message.get("content") or message.get("refusal") or ""
        except (AttributeError, KeyError, IndexError, TypeError) as error:
            raise no_reply(body, self._endpoint) from error
        plain = harmless(text if isinstance(text, str) else "", self._endpoint)
        usage = body.get("usage")
        return Reply(
            text=plain,
            tokens_in=_count(usage, "prompt_tokens"),
            tokens_out=_count(usage, "completion_tokens"),
            ending=ending_of(message, choice.get("finish_reason"), plain),
        )


def _count(usage: Any, name: str) -> int:
    found = usage.get(name) if isinstance(usage, dict) else None
    if not isinstance(found, int) or isinstance(found, bool):
        return 0
    return found if 0 < found <= _MOST_TOKENS else 0


_MOST_TOKENS = 10**9  # of a call; more is no count, and 10^30 fits into no table
