"""Send chat completions to a model server with the `openai` client, and parse its replies."""

from abc import ABC, abstractmethod
from typing import Any

import openai

from core.models.prompt import Prompt, Reply
from core.models.server import loop
from core.models.server.blot import harmless
from core.models.server.endings import ending_of
from core.models.server.forms import Form, Forms
from core.models.server.limits import LimitField, ReplyLimit, update_reply_limit
from core.models.server.sound_json import parse
from core.models.server.trouble import no_reply
from core.models.server.wire import client, in_time
from core.models.token_counts import tokens_of
from core.settings import Endpoint


class Channel(ABC):
    """A connection to one server, shared between threads.

    Raises
    ------
    LlmError : URL, key or proxy cannot be used as they are.
    """

    def __init__(self, endpoint: Endpoint, *, time_limit: float) -> None:
        self._endpoint = endpoint
        self._seconds = time_limit
        self._client = client(endpoint, time_limit=time_limit)

    def close(self) -> None:
        loop.tidy(self._client.close)

    @property
    def form_said(self) -> str:
        """Describe the output format of the last request; empty if there is only one."""
        return ""

    @abstractmethod
    def complete(self, prompt: Prompt) -> Reply:
        """Return the reply, without its seconds.

        Raises
        ------
        openai.OpenAIError : there is none.
        LlmError : what came is no reply.
        """

    def models(self) -> list[str]:
        """Return the models that the server offers, sorted.

        Raises
        ------
        openai.OpenAIError, LlmError : the server does not list its models.
        """
        body = self._parse_body(self._send(self._client.models.with_raw_response.list()))
        try:
            names = [harmless(str(model["id"]), self._endpoint) for model in body["data"]]
        except (KeyError, TypeError) as error:
            raise no_reply(body, self._endpoint, "the server lists no models") from error
        return sorted(" ".join(name.split()) for name in names)

    def _send(self, call: Any) -> bytes:
        answer = loop.run(in_time(call, self._seconds, self._endpoint.url))
        content: bytes = answer.http_response.content
        return content

    def _parse_body(self, body: bytes) -> Any:
        """Parse a response body; raise the error for missing replies if it is not JSON."""
        try:
            return parse(body.decode(errors="replace"))
        except ValueError as error:
            raise no_reply(None, self._endpoint, str(error)) from error

    def _server_name(self, name: Any) -> str:
        """Return the server's name for the model, on one line."""
        named = harmless(name[:_NAME], self._endpoint) if isinstance(name, str) else ""
        return " ".join(named.split())


class Chat(Channel):
    """A channel for chat completions."""

    def __init__(self, endpoint: Endpoint, *, time_limit: float) -> None:
        super().__init__(endpoint, time_limit=time_limit)
        self._forms = Forms(endpoint)

    @property
    def form_said(self) -> str:
        return str(self._forms.last)

    def complete(self, prompt: Prompt) -> Reply:
        """Return the reply, without its seconds; use a weaker format if the server refuses one.

        Raises
        ------
        openai.OpenAIError : there is none.
        LlmError : what came is no reply.
        """
        form = self._forms.best_form(prompt)
        refused: list[Form] = []
        while True:
            try:
                body = self._call(prompt, form)
            except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
                weaker = form.without(error.body, prompt)
                refused.append(form)
                if weaker is None or weaker in refused:
                    raise
                form = weaker
            else:
                # Only now: what every form is refused for, as a long prompt is, teaches nothing.
                self._forms.record_success(prompt, form)
                reply = self._reply(self._parse_body(body), prompt)
                unknown = {one.limit for one in refused} - {form.limit}
                self._learn_limit(reply, prompt, form.limit, unknown)
                return reply

    def _learn_limit(
        self, reply: Reply, prompt: Prompt, field: LimitField, unknown: set[LimitField]
    ) -> None:
        """Record how the server treats the limit on replies, as this reply shows.

        Parameters
        ----------
        field : where the limit was sent.
        unknown : the fields that the server has refused.
        """

        def change(known: ReplyLimit) -> ReplyLimit:
            """Add the refused fields and the length of this reply to what is known."""
            for name in unknown:
                known = known.after_refusal(name)
            limit = prompt.limit(self._endpoint.thinking)
            return known.after_reply(
                field, limit, tokens, cut=reply.ending in ("length", "thought")
            )

        # Of a reply that the server does not count, an estimate that is surely not too high.
        tokens = reply.tokens_out or tokens_of(reply.text) // 2
        update_reply_limit(self._endpoint, change)

    def _call(self, prompt: Prompt, form: Form) -> bytes:
        """Post the messages in the given form, and return the body of the response."""
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

    def _reply(self, body: Any, prompt: Prompt) -> Reply:
        """Turn a response body into a reply without control characters and secrets.

        Raises LlmError if the body has no message. An overlong text is truncated.
        """
        try:
            choice = body["choices"][0]
            message = choice["message"]
            text = message.get("content") or message.get("refusal") or ""
        except (AttributeError, KeyError, IndexError, TypeError) as error:
            raise no_reply(body, self._endpoint) from error
        text = text if isinstance(text, str) else ""
        most = max(_LETTERS, _A_TOKEN * prompt.limit(self._endpoint.thinking))
        overlong = len(text) > most
        # A key that is cut in half is not found: what is next to the cut is left out.
        plain = harmless(text[:_SHOWN], self._endpoint)[:_KEPT] if overlong else ""
        plain = plain or harmless(text, self._endpoint)
        usage = body.get("usage")
        ending = ending_of(message, choice.get("finish_reason"), plain)
        tokens_out = count_of(usage, "completion_tokens")
        uncounted = overlong and not tokens_out
        return Reply(
            text=plain,
            tokens_in=count_of(usage, "prompt_tokens"),
            tokens_out=tokens_of(text) if uncounted else tokens_out,
            ending="overlong" if overlong else ending,
            estimated=uncounted,
            model=self._server_name(body.get("model")),
        )


def count_of(usage: Any, name: str) -> int:
    """Return the tokens that a server counts under `name`, 0 if it does not."""
    count = usage.get(name) if isinstance(usage, dict) else None
    if not isinstance(count, int) or isinstance(count, bool):
        return 0
    return count if 0 < count <= _MOST_TOKENS else 0


_MOST_TOKENS = 10**9  # of a call; more is no count, and 10^30 fits into no table
_LETTERS, _A_TOKEN = 50_000, 16  # characters of a reply, or of each token that it may have
_NAME = 100  # characters of a model's name
_SHOWN, _KEPT = 15_000, 10_000  # characters of an overlong reply that are looked at, and kept
