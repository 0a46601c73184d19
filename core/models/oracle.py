"""Asking a model with a memory: what was ever answered is not asked again."""

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar
from weakref import WeakValueDictionary

from core.errors import ReplyUnreadable
from core.models.llm import Llm
from core.models.prompt import Prompt, Reply
from core.models.replies import Replies, reply_key
from core.models.window import in_order
from core.steps import Exchange

TRIES = 2  # a reply that cannot be read is asked for once more
T = TypeVar("T")
Read = Callable[[str], T]
"""Makes a value of a reply's text, or raises `ReplyUnreadable`."""


class Oracle:
    """A model and the replies that are kept of it. Safe to share between threads."""

    def __init__(self, llm: Llm, replies: Replies) -> None:
        self.llm = llm
        self.replies = replies
        self._guard = threading.Lock()
        self._under_way: WeakValueDictionary[str, threading.Lock] = WeakValueDictionary()

    def ask(self, prompt: Prompt, read: Read[T]) -> tuple[T | None, Exchange]:
        """What `read` makes of the reply, None if nothing could be made of `TRIES` replies.

        Raises
        ------
        LlmError : the model cannot be asked.
        StoreError : its reply cannot be kept.
        """
        replies: list[Reply] = []
        cached = True
        trouble = ""
        value: T | None = None
        for attempt in range(TRIES):
            reply, kept = self._reply(prompt, attempt)
            cached = cached and kept
            replies.append(reply)
            try:
                value, trouble = read(reply.text), ""
                break
            except ReplyUnreadable as error:
                trouble = str(error)
        return value, _exchange(self.llm.model, prompt, replies, cached=cached, trouble=trouble)

    def ask_all(
        self, prompts: Iterable[Prompt], read: Read[T]
    ) -> Iterator[tuple[T | None, Exchange]]:
        """As `ask`, in the order of `prompts`, as many at once as the model takes.

        `prompts` is taken as it is needed. What is under way when this ends early, by an error or
        because nobody asks for more, is waited for and kept.
        """
        return in_order(lambda prompt: self.ask(prompt, read), prompts, self.llm.at_once)

    def unknown(self, prompts: Sequence[Prompt]) -> int:
        """How many of `prompts` would have to be asked."""
        keys = [reply_key(self.llm.model, prompt) for prompt in prompts]
        return len(set(keys) - self.replies.known(keys))

    def _reply(self, prompt: Prompt, attempt: int) -> tuple[Reply, bool]:
        """The reply, and whether it was known; two threads that want the same one pay once."""
        key = reply_key(self.llm.model, prompt, attempt=attempt)
        with self._guard:
            turn = self._under_way.setdefault(key, threading.Lock())
        with turn:
            kept = self.replies.get(key)
            if kept is not None:
                return kept, True
            reply = self.llm.complete(prompt)
            self.replies.put(key, prompt, self.llm.model, reply)
            return reply, False


def _exchange(
    model: str, prompt: Prompt, replies: Sequence[Reply], *, cached: bool, trouble: str
) -> Exchange:
    return Exchange(
        model=model,
        system=prompt.system,
        user=prompt.user,
        replies=tuple(reply.text for reply in replies),
        tokens_in=sum(reply.tokens_in for reply in replies),
        tokens_out=sum(reply.tokens_out for reply in replies),
        seconds=sum(reply.seconds for reply in replies),
        cached=cached,
        trouble=trouble,
    )
