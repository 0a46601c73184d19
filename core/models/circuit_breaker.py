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
    """Whether a model has given a usable reply and has not been given up since."""

    proven: bool = False


class CircuitBreaker:
    """Stop calling a model after too many failures. Safe to share between threads.

    Consecutive failures are counted in the order in which calls end.

    Until a model has given a usable reply, calls run one at a time: the model may be unable to
    return JSON, and concurrent calls would multiply the cost of finding out. The model is given up
    after `GIVE_UP` replies not in the requested form, or twice as many that are unusable.

    Afterwards, single failures do not matter. The model is given up after `GIVE_UP` consecutive
    requests without an answer. For refused requests and unusable replies, the limit is higher by
    the number of concurrent calls: refusals arrive at once, while replies to requests started at
    the same time may take a minute. A permanent error, such as a refused key, counts at once.

    Parameters
    ----------
    at_once : number of concurrent calls.
    trial : whether the model has given a usable reply before; shared by all callers of the model.
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
        """The error to raise if the model is no longer called, else None."""
        return LlmError(self._reason) if self._reason else None

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Run one call, including its second try, concurrently with others if the model is proven.

        An LlmError raised inside is counted as a failure.

        Raises
        ------
        LlmError : the model is given up.
        Cancelled : the call is no longer needed.
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

    def cache_hit(self) -> None:
        """Record that a cached reply was used: reset the count of refused requests.

        The other counts stay, because a cached reply says nothing about the model's current state.
        """
        with self._changed:
            self._refused = 0

    def replied(self, trouble: str, *, formed: bool) -> None:
        """Record a reply, with `trouble` if it cannot be used.

        Parameters
        ----------
        formed : whether the reply has the requested form, or declines to answer.
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
        """Record that there was no usable reply, because of `error`."""
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
    """Check whether the next request will fail too: unknown host, no server, rejected key."""
    if isinstance(error, RequestRefused):
        return False
    # The client takes half a second to import; whoever has such an error has imported it.
    import openai

    from core.models.server.trouble import causes, is_unreachable

    refusals = openai.AuthenticationError, openai.PermissionDeniedError, openai.NotFoundError
    refused = any(isinstance(cause, refusals) for cause in causes(error))
    return refused or is_unreachable(error)
