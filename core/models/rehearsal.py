"""Run a retriever without calling the model: stored replies are used, others are guessed."""

import threading
from typing import Self

from core.errors import LeaveMissing
from core.models.kept.replies import reply_key
from core.models.leave import Leave
from core.models.oracle import Guess, Oracle, Read, Said, T, parse_reply
from core.models.prompt import Prompt, Reply
from core.steps import Exchange

LEARNT = 3  # stored replies to prompts of a name from which on they beat a fixed guess
MOST = 5_000  # upper limit of calls per rehearsal; guesses may lead to an endless loop


class Rehearsal(Oracle):
    """An oracle that never calls the model and stores nothing, even with permission to call it.

    Safe to share between threads.

    Parameters
    ----------
    oracle : the oracle whose model and stored replies are used.
    likely : whether to guess the most likely reply, instead of one that ends the search.
    learnt : whether to guess from stored replies to other prompts of the same name, once there
        are `LEARNT` of them.
    again : whether stored replies that could not be read count as calls.
    """

    def __init__(
        self, oracle: Oracle, *, likely: bool, again: bool = False, learnt: bool = False
    ) -> None:
        super().__init__(oracle.llm, oracle.replies)
        self._likely = likely
        self._learnt = learnt
        self._replies_to: dict[str, list[Reply]] = {}
        self.has_learnt = False
        self._anew = again
        self._noting = threading.Lock()
        self._times = 0
        self._known: set[str] = set()
        self._unknown: dict[str, Prompt] = {}
        if oracle.reader:
            self.reader = Rehearsal(oracle.reader, likely=likely, again=again, learnt=learnt)

    @property
    def unasked(self) -> tuple[Prompt, ...]:
        """The prompts that would have to be sent, each once."""
        return tuple(self._unknown.values())

    @property
    def kept(self) -> int:
        """The number of prompts whose replies are cached."""
        return len(self._known)

    def with_leave(self, leave: Leave | None) -> Self:  # noqa: ARG002
        return self

    def ask(self, prompt: Prompt, read: Read[T], guess: Guess[T] | None = None) -> Said[T]:
        """Return the result of the cached reply, else the guess.

        Without a guess, or if the reply cannot be read, the value is None.

        Raises
        ------
        LeaveMissing : more than `MOST` replies were requested.
        StoreError : the cached replies cannot be read.
        """
        said = self.recall(prompt, read)
        if said is not None and said[0] is None and self._anew:
            said = None
        self._note(prompt, known=said is not None)
        if said is not None:
            return said
        value = None
        if guess is not None:
            value = guess.likely if self._likely else guess.surely
            if self._learnt and (reply := self._reply_to_another(prompt)):
                parsed, _, _ = parse_reply(reply, prompt, read)
                value = value if parsed is None else parsed
        return value, Exchange(self.llm.model, prompt.system, prompt.user)

    def _reply_to_another(self, prompt: Prompt) -> Reply | None:
        """Return a cached reply to another prompt of that name; None if fewer than `LEARNT`.

        A hash of the prompt chooses the reply, so that each one is used for its share of prompts.
        """
        with self._noting:
            if prompt.name not in self._replies_to:
                kept = self.replies.to_prompts(prompt.name, self.llm.model)
                self._replies_to[prompt.name] = kept
            kept = self._replies_to[prompt.name]
            if len(kept) < LEARNT:
                return None
            self.has_learnt = True
        return kept[int(reply_key(self.llm.asked_as, prompt), 16) % len(kept)]

    def _note(self, prompt: Prompt, *, known: bool) -> None:
        """Count a requested reply as cached or not; raise LeaveMissing after too many."""
        key = reply_key(self.llm.asked_as, prompt)
        with self._noting:
            self._times += 1
            if self._times > MOST:
                raise LeaveMissing(f"More than {MOST:,} replies were requested; look for a loop.")
            if known:
                self._known.add(key)
            else:
                self._unknown[key] = prompt
