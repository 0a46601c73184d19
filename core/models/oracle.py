"""A model with a cache: a prompt that was ever answered is not sent again."""

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Generic, Self, TypeVar
from weakref import WeakValueDictionary

from core.errors import LeaveMissing, LlmError, ReplyUnreadable
from core.models.circuit_breaker import CircuitBreaker, Trial
from core.models.kept.replies import Replies, reply_key
from core.models.leave import Leave, need
from core.models.llm import Llm
from core.models.prompt import Prompt, Reply
from core.models.reply_checks.quotations import code_of, has_form, with_code, without_quotations
from core.models.server.endings import ending_said, ending_told
from core.models.server.window import in_order
from core.models.token_counts import counted
from core.steps import Exchange

TRIES = 2  # an unusable reply is requested once more, with a different prompt
_WARMER = 0.7  # temperature of the second try: at 0, many a model says the same again
_DECLINED = ("refusal", "filter")
_AGAIN = (
    "An earlier reply to this message could not be used. {trouble} Write another one, in the form "
    "that is asked for above."
)
T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
Said = tuple[T | None, Exchange]
"""The parsed value of a reply, and the exchange word for word."""
Read = Callable[[str], T]
"""Parses the text of a reply, or raises `ReplyUnreadable`."""
_Judge = Callable[[Reply], tuple[T | None, str, str]]
"""Parses a reply: the value, or None with the error and its description for the second try."""
_Fetch = Callable[[int, str], tuple[Reply, bool] | None]
"""Returns the reply of a try, and whether it was cached; None if there is no such try. The second
argument describes the error of the previous try."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Guess(Generic[T_co]):
    """A substitute for an unknown reply, used to forecast which prompts will follow.

    `surely` ends the branch, so that only unavoidable prompts follow; `likely` continues as most
    replies do. None stands for a reply that could not be used.
    """

    surely: T_co | None
    likely: T_co | None


class Oracle:
    """A model with its cached replies, shared between threads and processes.

    Only a usable reply is final. An unusable one is cached, too, unless the leave says `again`;
    then it is requested anew, once per leave.

    Parameters
    ----------
    leave : the permission to call the model; without it, only cached replies are returned.
    proven : whether the model is known to give usable replies (`CircuitBreaker`); else this is
        found
        out once, for all leaves.
    """

    def __init__(
        self, llm: Llm, replies: Replies, leave: Leave | None = None, *, proven: bool = False
    ) -> None:
        self.llm = llm
        self.replies = replies
        self.leave = leave
        self._guard = threading.Lock()
        self._under_way: WeakValueDictionary[str, threading.Lock] = WeakValueDictionary()
        self._trial = Trial(proven)
        self._breaker = CircuitBreaker(llm.at_once, self._trial)
        self._renewed: set[str] = set()
        self._observe: Callable[[Said[Any]], None] = _ignore
        self.reader: Oracle | None = None

    @property
    def reading(self) -> "Oracle":
        """The model that reads passages to answer; the same one unless another is configured."""
        return self.reader or self

    @property
    def named(self) -> str:
        """The name of the model, with that of its reader if it is another model."""
        answers = f", answers by {self.reader.llm.model}" if self.reader else ""
        return f"{self.llm.model}{answers}"

    def observed(self, observe: Callable[[Said[Any]], None]) -> Self:
        """Return the same oracle, which calls `observe` with each outcome of `attempt_all`."""
        changed = copy(self)
        changed._observe = observe
        return changed

    def with_leave(self, leave: Leave | None) -> Self:
        """Return a copy with this permission to pay for calls and a new circuit breaker.

        The copy uses the same model and the same cached replies.
        """
        changed = copy(self)
        changed.leave = leave
        changed._breaker = CircuitBreaker(self.llm.at_once, self._trial)
        changed._renewed = set()
        changed.reader = self.reader and self.reader.with_leave(leave)
        return changed

    @property
    def given_up(self) -> LlmError | None:
        """The error that ended calls with this permission; None while calls continue."""
        return self._breaker.given_up

    def ask(
        self,
        prompt: Prompt,
        read: Read[T],
        guess: Guess[T] | None = None,  # noqa: ARG002
    ) -> Said[T]:
        """Return the parsed reply to `prompt`; None if none of `TRIES` replies could be parsed.

        The second try names the error of the first one, at a higher temperature. There is none if
        the first one makes the circuit breaker give up.

        Parameters
        ----------
        read : parses a reply, or raises ReplyUnreadable.
        guess : the reply assumed by a `Rehearsal`; ignored here.

        Raises
        ------
        LeaveMissing : the model would have to be called, and there is no leave.
        LlmError : the model does not answer, or the circuit breaker has given up.
        StoreError : the reply cannot be cached.
        """
        kept = self.recall(prompt, read)
        key = reply_key(self.llm.asked_as, prompt)
        again = bool(self.leave and self.leave.again) and key not in self._renewed
        if kept is not None and (kept[0] is not None or not again):
            if kept[0] is not None:
                self._breaker.cache_hit()
            return kept
        stale = self._cached_tries(prompt) if kept is not None else []
        judge = partial(parse_reply, prompt=prompt, read=read)
        with self._breaker.turn():
            said = self._try_replies(prompt, judge, partial(self._request, prompt, judge, stale))
        self._renewed.add(key)
        if said[0] is None:
            self._breaker.failed(ReplyUnreadable(said[1].trouble))
        return said

    def attempt(self, prompt: Prompt, read: Read[T], guess: Guess[T] | None = None) -> Said[T]:
        """Like `ask`, but a failed request gives None until the model is given up.

        Raises
        ------
        LlmError : the model is given up.
        """
        try:
            return self.ask(prompt, read, guess)
        except LlmError as error:
            if given_up := self.given_up:
                raise given_up from error
            return None, unanswered(self.llm.model, prompt, str(error))

    def attempt_all(
        self, prompts: Iterable[Prompt], read: Read[T], guess: Guess[T] | None = None
    ) -> Iterator[Said[T]]:
        """Yield the results of `attempt` in the order of `prompts`, with as many calls at once as
        allowed.

        `prompts` is read lazily. If this ends early, running calls are waited for, and their
        replies kept.
        """

        def attempt(prompt: Prompt) -> Said[T]:
            return self.attempt(prompt, read, guess)

        for said in in_order(attempt, prompts, self.llm.at_once):
            self._observe(said)
            yield said

    def recall(self, prompt: Prompt, read: Read[T]) -> Said[T] | None:
        """Return the result of `ask` from cached replies, or None if it would need a call."""
        try:
            judge = partial(parse_reply, prompt=prompt, read=read)
            return self._try_replies(prompt, judge, partial(self._cached_or_missing, prompt))
        except LeaveMissing:
            return None

    def to_ask(
        self, prompts: Iterable[Prompt], read: Read[T], *, again: bool = False
    ) -> list[Prompt]:
        """Return the prompts without a cached reply (`again`: without a usable one), each once."""
        by_key: dict[str, Prompt] = {}
        for prompt in prompts:
            kept = self.recall(prompt, read)
            if kept is None or (again and kept[0] is None):
                by_key[reply_key(self.llm.asked_as, prompt)] = prompt
        return list(by_key.values())

    def _try_replies(self, prompt: Prompt, judge: _Judge[T], fetch: _Fetch) -> Said[T]:
        """Try up to `TRIES` replies until one can be parsed; return its value and the exchange."""
        replies: list[Reply] = []
        cached = True
        trouble = tell = ""
        value: T | None = None
        for attempt in range(TRIES):
            fetched = fetch(attempt, tell)
            if fetched is None:
                break
            reply, kept = fetched
            cached = cached and kept
            replies.append(reply)
            value, trouble, tell = judge(reply)
            if not trouble:
                break
        return value, _exchange(self.llm.model, prompt, replies, cached=cached, trouble=trouble)

    def _cached_or_missing(
        self,
        prompt: Prompt,
        attempt: int,
        tell: str,  # noqa: ARG002
    ) -> tuple[Reply, bool]:
        """Return the cached reply of a try; raise LeaveMissing if there is none."""
        kept = self.replies.get(reply_key(self.llm.asked_as, prompt, attempt=attempt))
        if kept is None:
            raise LeaveMissing
        return kept, True

    def _cached_tries(self, prompt: Prompt) -> list[Reply | None]:
        """Return the cached reply of each try; None for a try without one."""
        keys = (reply_key(self.llm.asked_as, prompt, attempt=attempt) for attempt in range(TRIES))
        return [self.replies.get(key) for key in keys]

    def _request(
        self,
        prompt: Prompt,
        judge: _Judge[T],
        stale: Sequence[Reply | None],
        attempt: int,
        tell: str,
    ) -> tuple[Reply, bool] | None:
        """Request the reply of a try, or return it and True if another thread cached it.

        One thread or process requests a reply while others wait for it.

        Replies in `stale` do not count as cached. Returns None for a second try if the first one
        made the circuit breaker give up.
        """
        key = reply_key(self.llm.asked_as, prompt, attempt=attempt)
        old = stale[attempt] if stale else None

        def fresh() -> Reply | None:
            kept = self.replies.get(key)
            return None if kept == old else kept

        kept = fresh()
        if kept is not None:
            return kept, True
        if attempt and self.given_up:
            return None
        need(self.leave)  # before waiting for another thread
        with self._guard:
            turn = self._under_way.setdefault(key, threading.Lock())
        with turn, self.replies.turn(key, lambda: fresh() is not None):
            kept = fresh()
            if kept is not None:
                return kept, True
            if given_up := self.given_up:
                raise given_up
            sent = _retry_prompt(with_code(prompt), tell) if attempt else with_code(prompt)
            reply = counted(sent, self.llm.complete(sent, self.leave))
            self.replies.put(key, prompt, self.llm.model, reply, attempt=attempt)
            _, trouble, _ = judge(reply)
            formed = reply.ending in _DECLINED or has_form(reply.text, prompt)
            self._breaker.replied(trouble, formed=formed)
            return reply, False


def _ignore(said: Said[Any]) -> None:
    """Ignore a result: the default observer."""


def unanswered(model: str, prompt: Prompt, trouble: str) -> Exchange:
    """Return the exchange of a `prompt` whose request failed because of `trouble`."""
    return Exchange(model, prompt.system, prompt.user, trouble=trouble)


def _retry_prompt(prompt: Prompt, trouble: str) -> Prompt:
    """Return the prompt after an unusable reply: the same with the error, at a higher
    temperature.
    """
    system = f"{prompt.system}\n\n{_AGAIN.format(trouble=trouble)}"
    return replace(prompt, system=system, temperature=_WARMER)


def parse_reply(reply: Reply, prompt: Prompt, read: Read[T]) -> tuple[T | None, str, str]:
    """Parse a reply without its quotations from the prompt.

    Returns
    -------
    The value, or None; the error, if any; and its description for the model's second try.
    """
    if reply.ending != "whole":
        return None, ending_said(reply.ending), ending_told(reply.ending)
    try:
        return read(without_quotations(reply.text, prompt)), "", ""
    except ReplyUnreadable as error:
        trouble = str(error)
    except (ValueError, RecursionError):  # numbers of 5,000 digits, and what else no reader expects
        trouble = "The reply contains unreadable values."
    return None, trouble, trouble


def _exchange(
    model: str, prompt: Prompt, replies: Sequence[Reply], *, cached: bool, trouble: str
) -> Exchange:
    """Record a prompt with its replies and their total cost.

    The system prompt includes the code that marks quotations if a reply used it.
    """
    code = code_of(prompt)
    asked = with_code(prompt) if any(code in reply.text for reply in replies) else prompt
    return Exchange(
        model=model,
        system=asked.system,
        user=prompt.user,
        replies=tuple(reply.text for reply in replies),
        tokens_in=sum(reply.tokens_in for reply in replies),
        tokens_out=sum(reply.tokens_out for reply in replies),
        seconds=sum(reply.seconds for reply in replies),
        cached=cached,
        trouble=trouble,
        estimated=any(reply.estimated for reply in replies),
    )
