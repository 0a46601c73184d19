"""How many failures of a model are borne before nothing more is asked of it."""

import threading

from core.errors import LlmError, ReplyUnreadable, RequestRefused

GIVE_UP = 3  # failures in a row


class Patience:
    """Counts failures in a row, in the order in which calls end. Safe to share between threads.

    One request that is refused, cut off or too slow is that one's trouble. `GIVE_UP` in a row that
    the server did not answer are the model's; of those that it refused, or answered with what
    cannot be used, as many more as are asked at the same time: refusals come at once, and the
    replies that were begun beside them may take a minute. What cannot get better by itself, such
    as a key that is refused, needs no second failure.
    """

    def __init__(self, at_once: int = 1) -> None:
        self._most = GIVE_UP + at_once - 1
        self._guard = threading.Lock()
        self._row = self._unanswered = 0
        self._lost = ""

    @property
    def lost(self) -> LlmError | None:
        """Why nothing more is to be asked; None as long as there is hope."""
        return LlmError(self._lost) if self._lost else None

    def succeeded(self) -> None:
        """There was a reply that can be used."""
        with self._guard:
            self._row = self._unanswered = 0

    def failed(self, error: LlmError) -> None:
        """There was none, because of `error`."""
        answered = isinstance(error, (RequestRefused, ReplyUnreadable))
        with self._guard:
            self._row += 1
            self._unanswered = 0 if answered else self._unanswered + 1
            if self._lost:
                return
            if hopeless(error):
                self._lost = str(error)
            elif self._row >= self._most or self._unanswered >= GIVE_UP:
                self._lost = (
                    f"The model failed {self._row} times in a row and is not asked any more; what "
                    f"it answered before is kept. The last time: {error}"
                )


def hopeless(error: LlmError) -> bool:
    """Whether whatever is asked next will fail as well: no host, nothing there, key refused."""
    if isinstance(error, RequestRefused):
        return False
    # The client takes half a second to import; whoever has such an error has imported it.
    import openai

    from core.models.server.trouble import causes, nothing_there

    refusals = openai.AuthenticationError, openai.PermissionDeniedError, openai.NotFoundError
    refused = any(isinstance(cause, refusals) for cause in causes(error))
    return refused or nothing_there(error)
