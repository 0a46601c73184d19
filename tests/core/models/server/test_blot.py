import html
import json
import time
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Callable
from dataclasses import replace
from math import ceil
from urllib.parse import quote, unquote

import pytest

from core.models.server.blot import harmless
from core.settings import Endpoint

KEY = "sk-12/34+5678&abc"
HERE = Endpoint("m", "http://127.0.0.1:1/v1", KEY)
_AS_JSON = "".join(f"\\u{ord(letter):04X}" for letter in KEY)
_AS_URL = "".join(f"%{ord(letter):02x}" for letter in KEY)
_AS_HTML = "".join(f"&#{ord(letter)};" for letter in KEY)
_IN_HEX = "".join(f"&#x{ord(letter):X};" for letter in KEY)
_AS_C = "".join(f"\\x{ord(letter):02x}" for letter in KEY)


@pytest.mark.parametrize(
    "spelled",
    [
        KEY,
        KEY.upper(),
        _AS_JSON,
        _AS_JSON.replace("\\", "\\\\"),
        KEY.replace("/", r"\/"),
        _AS_URL,
        quote(KEY, safe=""),
        quote(quote(KEY, safe=""), safe=""),
        _AS_HTML,
        _IN_HEX,
        html.escape(KEY),
        html.escape(html.escape(KEY)),
        _AS_C,
        KEY.encode().hex(),
        "\N{ZERO WIDTH SPACE}".join(KEY),
        r"\u200b".join(KEY),
        " ".join(KEY),
        r"\n".join(KEY),
        "\x1b".join(KEY),
        "\n".join(KEY),
        json.dumps(KEY),
    ],
)
def test_a_key_is_blotted_in_every_spelling(spelled: str) -> None:
    said = harmless(f"The key {spelled} is wrong.", HERE)
    assert said.replace('"', "") == "The key [key] is wrong."


@pytest.mark.parametrize("before", ["", "a", "ab", "Bearer ", "user:"])
@pytest.mark.parametrize("after", ["", "x", "xy", " and more"])
@pytest.mark.parametrize("key", [KEY, KEY[:-1], KEY[:-2], "sk-12>?>?>?ab"])
@pytest.mark.parametrize("encode", [b64encode, urlsafe_b64encode])
def test_of_a_key_in_base64_no_bit_is_left(
    before: str, after: str, key: str, encode: Callable[[bytes], bytes]
) -> None:
    coded = encode(f"{before}{key}{after}".encode()).decode()
    first, end = 8 * len(before) // 6, ceil(8 * len(before + key) / 6)  # letters with bits of it
    left = f"{coded[:first]}[key]{coded[end:] if after else ''}"
    there = replace(HERE, key=key)
    for spelled in (coded, quote(coded, safe=""), json.dumps(coded).replace("/", r"\/")):
        said = harmless(f"<{spelled}>", there)
        assert unquote(said.replace('"', "").replace(r"\/", "/")) == f"<{left}>"
    unpadded = coded.rstrip("=")
    assert harmless(f"{unpadded}.", there).startswith(f"{coded[:first]}[key]")
    assert harmless(coded.replace("=", r"\u003d"), there).startswith(f"{coded[:first]}[key]")


@pytest.mark.parametrize("key", ["", "none"])
def test_a_word_is_no_key(key: str) -> None:
    assert harmless("There is none.", Endpoint("m", HERE.url, key)) == "There is none."


def test_the_password_in_the_address_is_blotted() -> None:
    there = Endpoint("m", "http://me:pass%2Fword@host/v1")
    basic = b64encode(b"me:pass/word").decode()
    for spelled in ("pass/word", "pass%2Fword", "pass%2fword", basic, r"pass\/word"):
        assert harmless(f"It is {spelled}!", there).startswith("It is [key]"), spelled


def test_nothing_steers_a_terminal() -> None:
    assert harmless("a\x1b[31mb\x07c\x9bd\u202ee\nf\tg", HERE) == "a[31mbcde\nf\tg"
    assert harmless("a\r\nb\rc", HERE) == "a\nb\nc"
    assert harmless("half \ud83d", HERE) == "half ?"


def test_nor_does_what_a_reader_makes_of_json() -> None:
    said = json.dumps({"a": "x\x1b[2Jy\x7f\x9b\u202e", "b": "\n\t", "c": "\\u001b"})
    read = json.loads(harmless(said, HERE))
    assert read == {"a": "x [2Jy \x20 ", "b": "\n\t", "c": "\\u001b"}


@pytest.mark.parametrize("one", ["\\", " ", "s", "s\\", "s ", "%25", "&amp;", "\\u0073", "a"])
def test_it_is_quick_whatever_is_repeated(one: str) -> None:
    began = time.perf_counter()
    harmless(one * (400_000 // len(one)), HERE)
    assert time.perf_counter() - began < 5
