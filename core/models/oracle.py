"""Asking a model with a memory: what was ever answered is not asked again."""

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Generic, Self, TypeVar
from weakref import WeakValueDictionary

from core.errors import LeaveMissing, ReplyUnreadable
from core.models.leave import Leave, need
from core.models.llm import Llm
from core.models.prompt import Prompt, Reply
from core.models.replies import Replies, reply_key
from core.models.window import in_order
from core.steps import Exchange

TRIES = 2  # a reply that cannot be read is asked for once more
T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
Said = tuple[T | None, Exchange]
"""What was made of a reply, and the exchange word for word."""
Read = Callable[[str], T]
"""Makes a value of a reply's text, or raises `ReplyUnreadable`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Guess(Generic[T_co]):
    """What stands for a reply that nobody knows yet, when it is foreseen what will be asked.

    `surely` leads nowhere, so that what is asked all the same will be asked; `likely` goes on as
    replies mostly do. None stands for a reply of which nothing could be made.
    """

    surely: T_co | None
    likely: T_co | None


class Oracle:
    """A model and the replies that are kept of it. Safe to share between threads.

    Parameters
    ----------
    leave : who agreed to what is asked; without it, only what is kept is answered.
    """

    def __init__(self, llm: Llm, replies: Replies, leave: Leave | None = None) -> None:
        self.llm = llm
        self.replies = replies
        self.leave = leave
        self._guard = threading.Lock()
        self._under_way: WeakValueDictionary[str, threading.Lock] = WeakValueDictionary()

    def allowed(self, leave: Leave | None) -> Self:
        """The same model and replies, asked with this leave."""
        found = copy(self)
        found.leave = leave
        return found

    def ask(
        self,
        prompt: Prompt,
        read: Read[T],
        guess: Guess[T] | None = None,  # noqa: ARG002
    ) -> Said[T]:
        """What `read` makes of the reply, None if nothing could be made of `TRIES` replies.

        Parameters
        ----------
        guess : what a `Rehearsal` takes for the reply; this one has no use for it.

        Raises
        ------
        LeaveMissing : the model would have to be asked, and there is no leave.
        LlmError : the model cannot be asked.
        StoreError : its reply cannot be kept.
        """
        return self._ask(prompt, read, self.leave)

    def recall(self, prompt: Prompt, read: Read[T]) -> Said[T] | None:
        """What `ask` says without a call; None if it would have to make one."""
        try:
            return self._ask(prompt, read, None)
        except LeaveMissing:
            return None

    def _ask(self, prompt: Prompt, read: Read[T], leave: Leave | None) -> Said[T]:
        replies: list[Reply] = []
        cached = True
        trouble = ""
        value: T | None = None
        for attempt in range(TRIES):
            reply, kept = self._reply(prompt, attempt, leave)
            cached = cached and kept
            replies.append(reply)
            try:
                value, trouble = read(reply.text), ""
                break
            except ReplyUnreadable as error:
                trouble = str(error)
        return value, _exchange(self.llm.model, prompt, replies, cached=cached, trouble=trouble)

    def ask_all(
        self, prompts: Iterable[Prompt], read: Read[T], guess: Guess[T] | None = None
    ) -> Iterator[Said[T]]:
        """As `ask`, in the order of `prompts`, as many at once as the model takes.

        `prompts` is taken as it is needed. What is under way when this ends early, by an error or
        because nobody asks for more, is waited for and kept.
        """
        return in_order(lambda prompt: self.ask(prompt, read, guess), prompts, self.llm.at_once)

    def unknown(self, prompts: Sequence[Prompt]) -> int:
        """How many of `prompts` would have to be asked."""
        keys = [reply_key(self.llm.model, prompt) for prompt in prompts]
        return len(set(keys) - self.replies.known(keys))

    def _reply(self, prompt: Prompt, attempt: int, leave: Leave | None) -> tuple[Reply, bool]:
        """The reply, and whether it was known; two threads that want the same one pay once."""
        key = reply_key(self.llm.model, prompt, attempt=attempt)
        kept = self.replies.get(key)
        if kept is not None:
            return kept, True
        need(leave)  # before the wait for one who has it
        with self._guard:
            turn = self._under_way.setdefault(key, threading.Lock())
        with turn:
            kept = self.replies.get(key)
            if kept is not None:
                return kept, True
            reply = self.llm.complete(prompt, leave)
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
