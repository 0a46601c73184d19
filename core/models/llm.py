"""A language model behind any OpenAI-compatible server: OpenAI, vLLM, Ollama, llama.cpp.

Asks again on 429, 5xx and lost connections, as long as Retry-After says, and ends a call after its
time limit.
"""

import time
import weakref
from dataclasses import replace
from typing import TYPE_CHECKING

from core.errors import InputError, LlmError
from core.model_servers import EMBEDDER
from core.models.leave import Leave, need
from core.models.prompt import Prompt, Reply
from core.settings import Endpoint

if TYPE_CHECKING:
    from core.models.server.chat import Channel
    from core.models.server.limits import ReplyLimit


class Llm:
    """A client of one model endpoint, shared between threads.

    It requests structured output as a JSON schema at temperature 0. If a server refuses
    temperature, schema or JSON mode, weaker forms are tried, and remembered if they work. At most
    `at_once` calls run in parallel, fewer while they are slow. A wrong setting, URL or key is
    reported by the first call.

    Parameters
    ----------
    at_once, time_limit, retries : override the values of the endpoint.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        at_once: int | None = None,
        time_limit: float | None = None,
        retries: int | None = None,
    ) -> None:
        # The client takes half a second to import, which who has no model need not wait for.
        from core.models.server.chat import Chat
        from core.models.server.embeddings import Embeddings
        from core.models.server.pace import Pace

        self.endpoint = endpoint
        self.at_once = at_once or endpoint.at_once
        self._pace = Pace(self.at_once)
        self._tries = endpoint.tries if retries is None else 1 + retries
        self._unusable = ""
        try:
            kind = Embeddings if endpoint.variable == EMBEDDER else Chat
            self._channel: Channel = kind(endpoint, time_limit=time_limit or endpoint.seconds)
        except LlmError as error:  # to be said when something is asked; all else works without
            self._unusable = str(error)
        else:
            weakref.finalize(self, self._channel.close).atexit = False  # the system closes all

    @property
    def _chat(self) -> "Channel":
        """Return the channel to the server; raise the error of an unusable setting.

        Settings are checked at the first call, so that the app starts with a wrong one.
        """
        if self.endpoint.unusable:
            raise InputError(self.endpoint.unusable)
        if self._unusable:
            raise LlmError(self._unusable)
        return self._channel

    @property
    def model(self) -> str:
        return self.endpoint.model

    @property
    def asked_as(self) -> str:
        """The model's part of the cache key: its name with the extra fields of its requests."""
        return " ".join(filter(None, (self.model, self.endpoint.extra)))

    @property
    def form(self) -> str:
        """The output format of the last request: structured output, JSON mode, or plain text."""
        return self._chat.form_said

    @property
    def reply_limit(self) -> "ReplyLimit":
        """What is known about how the server limits replies."""
        from core.models.server.limits import reply_limit

        return reply_limit(self.endpoint)

    def longest(self, prompt: Prompt) -> int:
        """Return the most tokens that a reply to `prompt` may have.

        That is its limit, or what the server was seen to write in spite of its limit.
        """
        return max(prompt.limit(self.endpoint.thinking), self.reply_limit.longest)

    def complete(self, prompt: Prompt, leave: Leave | None) -> Reply:
        """Return the reply to `prompt`, with its seconds, not counting failed tries.

        Raises
        ------
        LeaveMissing : there is no `leave`; nothing is called.
        LlmError : the model does not answer; the message says why and how to fix it.
        RequestRefused : the server rejects this request, but maybe not others.
        InputError : a setting of the endpoint cannot be used.
        Cancelled : the reply is no longer needed (`core.models.server.window`).
        """
        need(leave)
        _ = self._chat  # says what is wrong with a setting before anything is counted
        from core.models.server.tries import persist

        got = persist(lambda: self._attempt(prompt), self._pace, self._tries, self.endpoint)
        return replace(got.value, billed=got.billed)

    def _attempt(self, prompt: Prompt) -> Reply:
        """Send the prompt once, and measure the seconds."""
        sent = time.perf_counter()
        reply = self._chat.complete(prompt)
        return replace(reply, seconds=time.perf_counter() - sent)

    def models(self) -> list[str]:
        """Return the models that the server offers, sorted.

        Raises
        ------
        LlmError : the server does not list its models.
        """
        chat = self._chat
        from core.models.server.tries import persist

        return persist(chat.models, self._pace, 1, self.endpoint).value
