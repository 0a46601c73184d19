"""Retry calls that may succeed later: after a time-out, 429, 5xx, or a lost connection.

The `openai` client has this too, but hides how many tries a server has worked for, and goes on
when nobody waits for the reply any more.
"""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

import httpx2
import openai

from core.errors import Cancelled, LlmError
from core.models.server.pace import Pace
from core.models.server.trouble import blocked_request, causes, is_unreachable, retry_after, trouble
from core.models.server.window import abandoned
from core.settings import Endpoint

LONGEST_WAIT = 120.0  # seconds that a server may ask for; a longer wait is the user's business
_FIRST_WAIT, _MOST_WAIT = 0.5, 8.0
_KNOCKS = 3  # tries where nothing is there: enough for a server that is being started again
_LOOK = 0.25

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class CallResult(Generic[T]):
    """The result of a call, and the number of tries that may have been billed."""

    value: T
    billed: int


def persist(call: Callable[[], T], pace: Pace, tries: int, endpoint: Endpoint) -> CallResult[T]:
    """Make a `call` up to `tries` times, each try in a slot of its own.

    A call that was too slow while others ran is tried again with fewer calls at once, up to
    `tries` times more. If `tries` calls in a row were too slow although each ran alone, no call
    gets another try.

    Raises
    ------
    LlmError : the last try has failed.
    Cancelled : the call is no longer needed.
    """
    billed = failed = crowded = 0
    error: Exception | None = None
    while True:
        with pace.slot() as slot:
            if error and pace.stuck >= tries:  # found out while this one waited
                raise _final_error(error, endpoint, billed)
            try:
                value = call()
            except (openai.OpenAIError, LlmError) as failure:
                error = failure
                slow = isinstance(error, openai.APITimeoutError)
                if slow:
                    pace.too_slow(slot)
            else:
                pace.came()
                return CallResult(value, billed + 1)
        billed += may_be_billed(error)
        if slow and slot.crowded and crowded < tries:
            crowded += 1
        else:
            failed += 1
        wait = _wait(error, failed + crowded)
        if failed >= tries or wait is None or pace.stuck >= tries:
            raise _final_error(error, endpoint, billed)
        _sleep(wait)


def _final_error(error: Exception, endpoint: Endpoint, billed: int) -> LlmError:
    """Return the error to raise for the last failed try, with the number of billed tries."""
    if isinstance(error, LlmError):
        error.billed = billed
        return error
    failure = trouble(error, endpoint)
    failure.billed = billed
    failure.__cause__ = error
    return failure


def may_be_billed(error: Exception) -> bool:
    """Check whether the server may have billed a failed try, because it did some work.

    It did none if it was not reached, or refused at once.
    """
    if isinstance(error, LlmError):
        return bool(error.billed)
    if blocked_request(error):
        return False
    if isinstance(error, openai.APIStatusError):
        return error.status_code >= 500 and error.status_code != 503
    never_sent = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.ProxyError)
    return not any(isinstance(cause, never_sent) for cause in causes(error))


def _wait(error: Exception, tries: int) -> float | None:
    """Return the seconds to wait before the next try; None if another try is useless."""
    asked = None
    if blocked_request(error):
        return None
    if isinstance(error, openai.APIStatusError):
        headers = error.response.headers
        if not _is_temporary(error.status_code, headers.get("x-should-retry")):
            return None
        asked = retry_after(headers)
        if asked is not None and asked > LONGEST_WAIT:
            return None
    elif not isinstance(error, openai.APIConnectionError) or (
        is_unreachable(error) and tries >= _KNOCKS
    ):  # time-outs are such
        return None
    if asked:
        return asked
    longest: float = min(_MOST_WAIT, _FIRST_WAIT * 2.0 ** (tries - 1))
    return longest * random.uniform(0.75, 1.0)


def _is_temporary(status: int, said: str | None) -> bool:
    """Return whether an HTTP status may change on another try; the server's header decides."""
    if said in ("true", "false"):
        return said == "true"
    return status in (408, 409, 429) or status >= 500


def _sleep(seconds: float) -> None:
    """Sleep for so many seconds; raise Cancelled soon after the call is no longer needed."""
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        if abandoned():
            raise Cancelled("This call is no longer needed.")
        time.sleep(min(left, _LOOK))
