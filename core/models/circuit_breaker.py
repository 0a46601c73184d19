"""A circuit breaker: stop asking a model that keeps failing."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from core.errors import Cancelled, LlmError, ReplyUnreadable, RequestRefused
from core.models.server.window import abandoned

GIVE_UP = 3  # failures in a row
_LOOK = 0.25  # seconds


@dataclass(slots=True)
class Trial:
    """Whether a model has given a reply that can be used, and was not given up since."""

    proven: bool = False


class CircuitBreaker:
    """Stop calling a model after too many failures. Safe to share between threads.

    Failures in a row are counted in the order in which calls end.

    Until a model has given a reply that can be used, it is asked one thing at a time: it may be one
    that cannot return JSON, and a crowd of calls would pay for that many times. It is given up
    after `GIVE_UP` replies that do not have the form that was asked for, or twice as many that have
    it and cannot be used.

    Afterwards, one request that is refused, cut off or too slow is that one's trouble. `GIVE_UP` in
    a row that the server did not answer are the model's; of those that it refused, or answered with
    what cannot be used, as many more as are asked at the same time: refusals come at once, and the
    replies that were begun with them may take a minute. What cannot get better by itself, such
    as a key that is refused, needs no second failure.

    Parameters
    ----------
    at_once : calls that are under way at the same time.
    trial : whether the model has given a reply that can be used before; shared with others who ask
        the same model.
    """

    def __init__(self, at_once: int = 1, trial: "Trial | None" = None) -> None:
        self._most = GIVE_UP + at_once - 1
        self._changed = threading.Condition()
        self._failed = self._unanswered = self._refused = 0
        self._unusable = self._formless = 0
        self._trial = trial or Trial()
        self._on_trial = False  # a call of a model that is not proven
        self._reason = ""

    @property
    def given_up(self) -> LlmError | None:
        """The error to raise if the model is not asked any more; None while it is."""
        return LlmError(self._reason) if self._reason else None

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Ask one thing, with its second try, beside others if the model is proven.

        What fails in it is counted.

        Raises
        ------
        LlmError : the model is given up.
        Cancelled : nobody waits for the call any more.
        """
        with self._changed:
            while self._on_trial and not self._reason:
                if abandoned():
                    raise Cancelled("This call is no longer needed.")
                self._changed.wait(_LOOK)
            if given_up := self.given_up:
                raise given_up
            trial = self._on_trial = not self._trial.proven
        try:
            yield
        except LlmError as error:
            self.failed(error)
            raise
        finally:
            if trial:
                with self._changed:
                    self._on_trial = False
                    self._changed.notify_all()

    def recalled(self) -> None:
        """Record that a kept reply could be used: requests that were refused before are forgotten.

        It says nothing about the model as it is now.
        """
        with self._changed:
            self._refused = 0

    def replied(self, trouble: str, *, formed: bool) -> None:
        """Record a reply, with `trouble` if it cannot be used.

        Parameters
        ----------
        formed : whether it has the form that was asked for, or declines to answer.
        """
        with self._changed:
            if not trouble:
                self._failed = self._unanswered = self._refused = 0
                self._trial.proven = True
            elif not self._trial.proven:
                self._unusable += 1
                self._formless += not formed
                first = f"The model's first {self._unusable} replies"
                if self._unusable == self._formless == GIVE_UP:
                    self._give_up(f"{first} were not in the requested form. It is", trouble)
                elif self._formless >= GIVE_UP or self._unusable >= 2 * GIVE_UP:
                    self._give_up(f"{first} were unusable. It is", trouble)

    def failed(self, error: LlmError) -> None:
        """Record that there was no reply, or none that can be used, because of `error`."""
        refused = isinstance(error, RequestRefused)
        answered = refused or isinstance(error, ReplyUnreadable)
        with self._changed:
            self._failed += not refused
            self._refused += refused
            self._unanswered = 0 if answered else self._unanswered + 1
            most = self._most if self._trial.proven or refused else GIVE_UP  # refusals cost nothing
            row = self._failed + self._refused
            if self._reason:
                return
            if is_permanent(error):
                self._reason = str(error)
            elif row >= most or self._unanswered >= GIVE_UP:
                self._give_up(f"The model failed {row} times in a row. It is", str(error))

    def _give_up(self, why: str, last: str) -> None:
        self._trial.proven = False
        self._reason = f"{why} no longer called. Earlier replies stay cached. Last error: {last}"


def is_permanent(error: LlmError) -> bool:
    """Return whether the next request will fail too: no host, no server, or a refused key."""
    if isinstance(error, RequestRefused):
        return False
    # The client takes half a second to import; whoever has such an error has imported it.
    import openai

    from core.models.server.trouble import causes, nothing_there

    refusals = openai.AuthenticationError, openai.PermissionDeniedError, openai.NotFoundError
    refused = any(isinstance(cause, refusals) for cause in causes(error))
    return refused or nothing_there(error)
