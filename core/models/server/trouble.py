"""Turn the errors of a model's server into one line that says what to do.

The line contains neither key nor address, because it appears in journals, traces and on the screen.
Only the beginning of the server's message is quoted, without anything that looks like a key.
"""

import re
import socket
import ssl
import time
from collections.abc import Iterator
from email.utils import mktime_tz, parsedate_tz

import httpx2
import openai

from core.errors import LlmError, RequestRefused
from core.models.server.blot import BLOT, harmless
from core.models.server.forms import refusal_text, refused_extra
from core.settings import Endpoint

_UNREACHED = socket.gaierror, ConnectionRefusedError, ssl.SSLError
QUOTED = 200  # letters of what a server says
_LOOKED_AT = 4_000  # letters of it among which those are
# A key as OpenAI writes it, and what a server has half covered with stars itself.
_LIKE_A_KEY = re.compile(r"\bsk-\S+|\S*\*{3,}\S*")
# Ways to say that a text is not wanted, as OpenAI, Azure, Gemini and their gateways have them.
_FILTERED = re.compile(
    r"content.?filter|content.?policy|content management|usage polic|safety|moderation|flagged"
)
# Ways to say that a request is too long, as OpenAI, vLLM, llama.cpp and Ollama have them.
_TOO_LONG = re.compile(
    r"context.?(?:length|window|size)|maximum context|too long|too many tokens|input length"
    r"|exceeds? the (?:available|maximum|model)"
)
# Ways to speak of the longest reply, as OpenAI, vLLM, TGI and Anthropic have them.
_REPLY = re.compile(
    r"max_(?:completion_|new_|output_)?tokens|(?:in|for) the completion"
    r"|(?:output|completion) tokens"
)
# The tokens of the request, and of the context that it has to fit into.
_INPUT_TOKENS = re.compile(
    r"(\d{1,9}) (?:input tokens|`?inputs`? tokens|in (?:the|your) (?:messages|prompt))"
    r"|limit: (\d{1,9}) \+"
)
_CONTEXT_TOKENS = re.compile(
    r"context (?:length|window|size|limit)\D{0,20}(\d{1,9})(?![\d ]*\+)|(?:<=|>) `?(\d{1,9})"
)
_NO_ROOM = re.compile(r"at least 1, got -")  # vLLM, where the request alone fills the context
_LARGER_CONTEXT = (
    "a larger context (OLLAMA_CONTEXT_LENGTH for Ollama, --max-model-len for vLLM, -c for "
    "llama.cpp)"
)


def trouble(error: Exception, endpoint: Endpoint) -> LlmError:
    """Convert an error of the client to the error that is shown."""
    if refusal := blocked_request(error):
        return LlmError(str(refusal))
    body = error.body if isinstance(error, openai.APIStatusError) else None
    refused = isinstance(error, openai.APIStatusError) and error.status_code in (400, 413, 422)
    if not refused:
        return LlmError(_explain(error, endpoint) + _repeated(body, endpoint))
    if name := refused_extra(body, endpoint):
        what = f"The server does not accept {name!r}. Correct HOPRAG_LLM_EXTRA, or unset it."
        return LlmError(what + _repeated(body, endpoint))
    return RequestRefused(
        _explain_refusal(error, refusal_text(body), endpoint) + _repeated(body, endpoint)
    )


def no_reply(body: object, endpoint: Endpoint, why: str = "") -> LlmError:
    """Return the error for a response body without a reply; `why` is the reason."""
    error = LlmError(
        "The server's response is not a model reply"
        + (f": {why}" if why else "")
        + f". Does {endpoint.variable}_URL end in /v1?"
        + _repeated(body, endpoint)
    )
    error.billed = 1
    return error


def _explain_refusal(error: Exception, said: str, endpoint: Endpoint) -> str:
    """Explain a refused request, and how to fix it.

    Parameters
    ----------
    said : the server's message, in lower case.
    """
    if _FILTERED.search(said):
        return (
            f"A content filter on the {endpoint.role}'s server rejected this request. Remove "
            "the text, or use another model."
        )
    context = bool(_TOO_LONG.search(said) or _CONTEXT_TOKENS.search(said))
    if _REPLY.search(said) and not _fills_context(said):
        return _no_room_for_reply(endpoint, context=context)
    if context or getattr(error, "status_code", 0) == 413:
        return (
            f"The request is longer than the {endpoint.role}'s context. Split documents into "
            f"shorter passages, or give the model {_LARGER_CONTEXT}."
        )
    return f"The {endpoint.role} server rejected this request. See its message or its log."


def _fills_context(said: str) -> bool:
    """Check whether the request alone exceeds the context, if the server says so."""
    if _NO_ROOM.search(said):
        return True
    plain = said.replace(",", "")
    sent, context = _INPUT_TOKENS.search(plain), _CONTEXT_TOKENS.search(plain)
    if not sent or not context:
        return False
    return int(sent[sent.lastindex or 0]) >= int(context[context.lastindex or 0])


def _no_room_for_reply(endpoint: Endpoint, *, context: bool) -> str:
    """Explain that the requested reply length does not fit, and how to fix it."""
    thinking = endpoint.thinking
    lower = f"Set HOPRAG_LLM_THINKING lower (it is {thinking:,} tokens)" if thinking else ""
    if context:
        what = "The requested reply length does not fit into the model's context together with "
        what += "the request."
        mend = f"{lower}, or give the model" if lower else "Give the model"
        return f"{what} {mend} {_LARGER_CONTEXT}."
    return f"The server does not allow replies of that length. {lower or 'Use another model'}."


def is_unreachable(error: BaseException) -> bool:
    """Check whether the server cannot be reached: unknown host, no listener, or no TLS."""
    return any(isinstance(cause, _UNREACHED) for cause in causes(error))


class RequestBlocked(LlmError):
    """The client blocked a request before it was sent."""


def blocked_request(error: BaseException) -> RequestBlocked | None:
    """Return the error that blocked the request before it was sent, or None."""
    return next((cause for cause in causes(error) if isinstance(cause, RequestBlocked)), None)


def causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield the error, its cause, the cause's cause, and so on."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _explain(error: Exception, endpoint: Endpoint) -> str:
    """Explain an error of the client, and how to fix it."""
    role, variable = endpoint.role, endpoint.variable
    match error:
        case openai.APITimeoutError():
            return f"The {role} did not answer in time. Try again, or choose a faster model."
        case openai.APIConnectionError():
            return _explain_no_connection(error, endpoint)
        case openai.AuthenticationError():
            return f"The {role}'s server rejected the key. Set {variable}_KEY to a valid key."
        case openai.PermissionDeniedError():
            return "The key may not use this model. Use another key or another model."
        case openai.NotFoundError():
            return (
                f"The server has no model {endpoint.model!r}, or it is not a model server. Set "
                f"{variable} to a model it has; {variable}_URL usually ends in /v1."
            )
        case openai.RateLimitError():
            return f"The rate limit of the {role} is reached: {_wait(error)}, or raise the limit."
        case openai.APIStatusError() if 300 <= error.status_code < 400:
            return f"The server redirects to another address. Set {variable}_URL to that address."
        case openai.APIStatusError() if error.status_code < 500:
            return f"The {role}'s server rejected the request (error {error.status_code})."
        case openai.APIStatusError():
            return f"The {role}'s server failed (error {error.status_code}). See its log."
    return (
        "The server's response is not a model reply: it is too long, or its compression cannot be "
        f"read. Does {variable}_URL end in /v1?"
    )


def _explain_no_connection(error: Exception, endpoint: Endpoint) -> str:
    """Explain why the server was not reached, and how to fix it."""
    role, url = endpoint.role, f"{endpoint.variable}_URL"
    chain = list(causes(error))
    if any(isinstance(cause, socket.gaierror) for cause in chain):
        return f"The host in {url} cannot be found. Correct it, or check the network."
    if any(isinstance(cause, ConnectionRefusedError) for cause in chain):
        return f"No server is running at {url}. Start it."
    if any(isinstance(cause, ssl.SSLError) for cause in chain):
        return (
            f"Could not open a secure connection to the {role}'s server. "
            "Does it use http instead of https?"
        )
    return (
        f"The connection to the {role}'s server failed. Try again. If it keeps failing, "
        f"check that the server is running and {url} is right."
    )


def retry_after(headers: httpx2.Headers) -> float | None:
    """Return the seconds that a server asks to wait; None if missing or unusable."""
    for name, unit in (("retry-after-ms", 1_000), ("retry-after", 1)):
        try:
            delay = float(headers[name]) / unit
        except (KeyError, ValueError):
            continue
        return delay if delay >= 0 else None  # where nan is not
    day = parsedate_tz(headers.get("retry-after", ""))
    try:
        return max(0.0, mktime_tz(day) - time.time()) if day else None
    except (ValueError, OverflowError):
        return None


def _wait(error: openai.APIStatusError) -> str:
    after = retry_after(error.response.headers)
    return "wait a while" if after is None or after > 1e6 else f"wait {after:.0f} seconds"


def _repeated(body: object, endpoint: Endpoint) -> str:
    """Return the reason that a response body gives, without secrets."""
    while isinstance(body, dict):
        body = body.get("message") or body.get("detail") or body.get("error")
    if not isinstance(body, str) or body.lstrip().startswith("<"):
        return ""
    plain = " ".join(harmless(body[:_LOOKED_AT], endpoint).split()).replace(
        endpoint.url, "[server]"
    )
    plain = _LIKE_A_KEY.sub(BLOT, plain)
    plain = plain if len(plain) <= QUOTED else plain[: QUOTED - 1] + "…"
    return f" Server message: {plain}" if plain else ""
