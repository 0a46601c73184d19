"""Remove control characters and secrets from a server's texts before they are shown or stored.

A server may repeat the key that it was sent, as a gateway does in its errors, and a model may be
made to. It is blotted out in whatever spelling a reader of the text would make the key of again.
"""

import re
from base64 import b64encode
from collections.abc import Iterator
from functools import cache
from urllib.parse import unquote, urlsplit

from core.settings import Endpoint
from core.text.clean import clean

BLOT = "[key]"
_SHORTEST_KEY = 8  # a shorter one is a word like 'none', and blotting it out would spoil the text
_SHORTEST_PASSWORD = 5
# What turns the direction of writing, by which a text shows other words than it has.
_TURNS = re.compile("[\u202a-\u202e\u2066-\u2069]")
# The same and control characters as they are written in JSON, where the reader would make them.
_ESCAPED = re.compile(
    r"((?<!\\)(?:\\\\)*)\\u(?:00(?:0[0-8bcef]|1[0-9a-f]|7f|[89][0-9a-f])|202[a-e]|206[6-9])", re.I
)
# All runs below are bounded, so that the time is linear in the text, whatever is repeated in it.
_SLASHES, _SLASH = r"\\{0,8}", r"\\{1,8}"
_PERCENT, _AND = "%(?:25){0,4}", "&(?:amp;){0,4}"
# What may stand between two letters of a key and is not seen.
_UNSEEN = (
    rf"(?:[\s\u00ad\u200b-\u200f\u2060\ufeff]|{_SLASH}[nrt]"
    rf"|{_SLASH}u(?:00ad|200[b-f]|2060|feff)|{_PERCENT}(?:0[9ad]|20)){{0,16}}"
)
_NAMED = {"&": "amp", "<": "lt", ">": "gt", '"': "quot", "'": "apos"}


def harmless(text: str, endpoint: Endpoint) -> str:
    """Return `text` without control characters, escaped ones and secrets; lines are kept."""
    plain = clean(text.encode(errors="replace").decode())
    plain = _ESCAPED.sub(r"\1 ", _TURNS.sub("", plain))
    pattern = _secrets(endpoint.key, endpoint.url)
    return pattern.sub(BLOT, plain) if pattern else plain


@cache
def _secrets(key: str, url: str) -> re.Pattern[str] | None:
    """Return a pattern of key and password in every spelling; None if there is neither."""
    secrets = [key] if len(key) >= _SHORTEST_KEY else []
    try:
        parts = urlsplit(url)
        user, password = unquote(parts.username or ""), unquote(parts.password or "")
    except ValueError:
        user = password = ""
    if len(password) >= _SHORTEST_PASSWORD:
        secrets += [f"{user}:{password}", password]
    spelled = [one for secret in secrets for one in _spellings(secret)]
    return re.compile("|".join(spelled), re.IGNORECASE) if spelled else None


def _spellings(secret: str) -> Iterator[str]:
    """Yield patterns of a secret: plain or escaped, in hexadecimal, and in base64.

    Base64 has three forms, by the secret's offset in the encoded bytes modulo 3.
    """
    yield _UNSEEN.join(map(_letter, secret))
    yield secret.encode().hex()
    for offset in range(3):  # number of bytes before the secret, modulo 3
        bits = 8 * offset, 8 * offset + 8 * len(secret.encode())
        coded = b64encode(b"\0" * offset + secret.encode()).decode()
        # A letter has six bits. The outermost letters may share bits with the neighbouring bytes.
        inner = "".join(map(_coded, coded[-(-bits[0] // 6) : bits[1] // 6]))
        first, last = (_SHARED if edge % 6 else "" for edge in bits)
        yield f"{first}{inner}{last}{_PADDING}"


def _coded(letter: str) -> str:
    """Return a pattern of a base64 letter; `+` and `/` differ in URLs or are escaped."""
    if letter.isalnum():
        return letter
    return f"(?:{_letter(letter)}|{_IN_URLS[letter]})"


def _letter(letter: str) -> str:
    """Return a pattern of a letter, plain or escaped (repeatedly) as in JSON, URLs or HTML."""
    code = ord(letter)
    ways = [
        rf"{_SLASHES}{re.escape(letter)}",
        rf"{_SLASH}u{code:04x}",
        rf"{_SLASH}u\{{0{{0,6}}{code:x}\}}",
        rf"{_SLASH}x{code:02x}",
        "".join(f"{_PERCENT}{byte:02x}" for byte in letter.encode()),
        rf"{_AND}#(?:0{{0,6}}{code}|x0{{0,6}}{code:x});?",
    ]
    if letter in _NAMED:
        ways.append(f"{_AND}{_NAMED[letter]};")
    return f"(?:{'|'.join(ways)})"


_IN_URLS = {"+": "-", "/": "_"}
_SHARED = f"(?:[0-9a-z]|{'|'.join(map(_coded, _IN_URLS))})?"
_PADDING = f"{_letter('=')}{{0,2}}"
