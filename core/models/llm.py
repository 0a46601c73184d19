"""A language model behind any OpenAI-compatible server: OpenAI, vLLM, Ollama, llama.cpp.

The `openai` client does the talking: it waits and asks again on 429, 5xx and lost connections, as
long as Retry-After says, and gives up on a call after its time limit.
"""

import threading
import time
import weakref
from dataclasses import replace
from typing import TYPE_CHECKING

from core.errors import LlmError
from core.models.leave import Leave, need
from core.models.prompt import Prompt, Reply
from core.settings import Endpoint

if TYPE_CHECKING:
    from core.models.chat import Chat

AT_ONCE = 32  # calls under way at the same time
TIME_LIMIT = 60.0  # seconds a call may take, each try for itself
RETRIES = 5


class Llm:
    """One endpoint, to be shared between threads; at most `at_once` calls are under way.

    Structured output is asked for as a JSON schema at temperature 0; a server that refuses the
    temperature, the schema or any JSON mode is asked for less, from the first call on that did
    better so. A URL or key that cannot be one is said with the first call.
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
        # The client takes half a second to import, which who has no model need not wait for.
        from core.models.chat import Chat

        self._unusable = ""
        try:
            self._begun = Chat(endpoint, time_limit=time_limit, retries=retries)
        except LlmError as error:  # to be said when something is asked; all else works without
            self._unusable = str(error)
        else:
            weakref.finalize(self, self._begun.close)

    @property
    def _chat(self) -> "Chat":
        if self._unusable:
            raise LlmError(self._unusable)
        return self._begun

    @property
    def model(self) -> str:
        return self.endpoint.model

    @property
    def form(self) -> str:
        """How the last replies were asked for: structured output, JSON mode, plain text."""
        return self._chat.form

    def complete(self, prompt: Prompt, leave: Leave | None) -> Reply:
        """Ask once; the client's own retries are part of it, and so is the wait for a free slot.

        Raises
        ------
        LeaveMissing : there is no `leave`; nothing is called.
        LlmError : there is no answer to be had; the message says why and what mends it.
        """
        need(leave)
        with self._slots:
            chat = self._chat
            started = time.perf_counter()
            reply = chat.complete(prompt)
            return replace(reply, seconds=time.perf_counter() - started)

    def models(self) -> list[str]:
        """The models that the server offers, sorted.

        Raises
        ------
        LlmError : it does not say.
        """
        return self._chat.models()
