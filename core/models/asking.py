"""Asking a model with a memory: what was ever answered is not asked again."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from core.errors import ReplyUnreadable
from core.models.llm import Llm, Prompt, Reply
from core.models.replies import Replies, reply_key
from core.steps import Exchange

TRIES = 2  # a reply that cannot be read is asked for once more
T = TypeVar("T")
Read = Callable[[str], T]
"""Makes a value of a reply's text, or raises `ReplyUnreadable`."""


class Oracle:
    """A model and the replies that are kept of it."""

    def __init__(self, llm: Llm, replies: Replies) -> None:
        self.llm = llm
        self.replies = replies

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
            key = reply_key(self.llm.model, prompt, attempt=attempt)
            reply = self.replies.get(key)
            if reply is None:
                cached = False
                reply = self.llm.complete(prompt)
                self.replies.put(key, prompt, self.llm.model, reply)
            replies.append(reply)
            try:
                value, trouble = read(reply.text), ""
                break
            except ReplyUnreadable as error:
                trouble = str(error)
        return value, _exchange(self.llm.model, prompt, replies, cached=cached, trouble=trouble)

    def ask_all(
        self, prompts: Sequence[Prompt], read: Read[T]
    ) -> Iterator[tuple[T | None, Exchange]]:
        """As `ask`, in the order of `prompts`, as many at once as the model takes."""
        with ThreadPoolExecutor(self.llm.at_once) as pool:
            yield from pool.map(lambda prompt: self.ask(prompt, read), prompts)

    def unknown(self, prompts: Sequence[Prompt]) -> int:
        """How many of `prompts` would have to be asked."""
        keys = [reply_key(self.llm.model, prompt) for prompt in prompts]
        return len(set(keys) - self.replies.known(keys))


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
