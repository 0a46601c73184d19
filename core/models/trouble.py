"""What went wrong with a model's server, in one line that says what mends it.

Neither key nor address stands in it: these lines end in journals, traces and on the screen. Of
what the server says, only the beginning is repeated, without anything that looks like a key.
"""

import re
import socket
import ssl
from collections.abc import Iterator

import openai

from core.errors import LlmError
from core.settings import Endpoint

QUOTED = 200  # letters of what a server says
_SHORTEST_KEY = 8  # a shorter one is a word like 'none', and blotting it out would spoil the text
# A key as OpenAI writes it, and what a server has half covered with stars itself.
_LIKE_A_KEY = re.compile(r"\bsk-\S+|\S*\*{3,}\S*")
_BLOT = "[key]"


def trouble(error: Exception, endpoint: Endpoint, body: object = None) -> LlmError:
    """The error to be shown for one that the client raised, or that reading `body` raised."""
    said = _reason(error.body if isinstance(error, openai.APIStatusError) else body, endpoint)
    return LlmError(_what(error, endpoint) + (f" It says: {said}" if said else ""))


def without_key(text: str, endpoint: Endpoint) -> str:
    """`text` with the key blotted out, which a server may repeat."""
    long = len(endpoint.key) >= _SHORTEST_KEY
    return text.replace(endpoint.key, _BLOT) if long else text


def causes(error: BaseException | None) -> Iterator[BaseException]:
    """The error, what it came from, and so on."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _what(error: Exception, endpoint: Endpoint) -> str:
    match error:
        case openai.APITimeoutError():
            return "The language model did not answer in time. Try again, or choose a faster one."
        case openai.APIConnectionError():
            return _unreached(error)
        case openai.AuthenticationError():
            return "The language model's server refuses the key. Set HOPRAG_LLM_KEY to a valid one."
        case openai.PermissionDeniedError():
            return "The language model's server denies this key that model. Take another of them."
        case openai.NotFoundError():
            return (
                f"The server has no model {endpoint.model!r}, or is no such server. Set HOPRAG_LLM "
                "to a model that it has; HOPRAG_LLM_URL mostly ends in /v1."
            )
        case openai.RateLimitError():
            return f"The language model is asked too much: {_wait(error)} or raise the limit."
        case openai.APIStatusError() if 300 <= error.status_code < 400:
            return "The server sends us elsewhere. Set HOPRAG_LLM_URL to the address it moved to."
        case openai.APIStatusError() if error.status_code < 500:
            return f"The language model's server refuses the request (error {error.status_code})."
        case openai.APIStatusError():
            return f"The language model's server fails (error {error.status_code}). See its log."
    return "What the server answers is no reply of a model. Does HOPRAG_LLM_URL end in /v1?"


def _unreached(error: Exception) -> str:
    chain = list(causes(error))
    if any(isinstance(cause, socket.gaierror) for cause in chain):
        return "There is no host of the name in HOPRAG_LLM_URL. Correct it, or connect the network."
    if any(isinstance(cause, ConnectionRefusedError) for cause in chain):
        return "Nothing listens where HOPRAG_LLM_URL points to. Start the server there."
    if any(isinstance(cause, ssl.SSLError) for cause in chain):
        return "No secure connection to the language model's server: is it http, not https?"
    return (
        "The connection to the language model's server failed. Try again; if it stays so, see "
        "whether the server runs and HOPRAG_LLM_URL names it."
    )


def _wait(error: openai.APIStatusError) -> str:
    after = error.response.headers.get("retry-after", "")
    return f"wait {after} seconds" if after.isdecimal() and len(after) < 7 else "wait a while"


def _reason(body: object, endpoint: Endpoint) -> str:
    while isinstance(body, dict):
        body = body.get("message") or body.get("detail") or body.get("error")
    if not isinstance(body, str) or body.lstrip().startswith("<"):
        return ""
    plain = without_key(" ".join(body.split()), endpoint).replace(endpoint.url, "[server]")
    plain = _LIKE_A_KEY.sub(_BLOT, plain)
    return plain if len(plain) <= QUOTED else plain[: QUOTED - 1] + "…"
