import json
import re

import pytest

from core.film import make_film
from core.film.story import story
from tests.core.film.test_hostile import HOSTILE, hostile


def parts(page):
    """(the markup without what stands in scripts and styles, the film in it)"""
    text = page.decode("utf-8")
    markup = re.sub(r"(<(script|style)[^>]*>).*?</\2>", r"\1</\2>", text, flags=re.DOTALL)
    data = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S)
    assert data
    return markup, json.loads(data[1])


@pytest.mark.parametrize("text", [text for text in HOSTILE if text != "#"])
def test_no_text_ends_the_block_that_carries_it(text):
    film = make_film(hostile(text))
    markup, read = parts(story(film))
    assert read == json.loads(json.dumps(film))
    assert markup.count("<script") == markup.count("</script>") == 2
    assert "<b>" not in markup


def test_it_needs_no_other_address():
    markup, _ = parts(story(make_film(hostile("a"))))
    assert not re.search(r"(?:src|href)\s*=", markup)
    assert "default-src 'none'" in markup
    page = story(make_film(hostile("a"))).decode()
    asks = r"\bfetch\(|XMLHttpRequest|WebSocket|\bimport\(|@import|url\((?!\"data:font/woff2;)"
    assert not re.search(asks, page)
    assert set(re.findall(r"https?://[\w./]+", page)) <= {"http://www.w3.org/2000/svg"}


def test_the_same_film_is_the_same_page():
    film = make_film(hostile("a"))
    assert story(film) == story(film)
    assert b"<dialog class='film'" in story(film)
