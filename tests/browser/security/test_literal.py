"""What markdown would change is shown letter by letter, in a real browser."""

from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tests.browser.serving import Server, idle

TEXTS = (
    "$x$ :red[y] :blue-badge[z] **b** _i_ `c` ~~s~~ [l](x.html) ![i](x.png)",
    ":material/home: :streamlit: :smile:",
    "a -- b -> c <- d <-> e >= f <= g ~= h --restart",
    "&lt;b&gt; &amp; <b>bold</b> # 1. x",
    "http://one.example HTTPS://two.example/x www.three.example me@four.example",
)


@pytest.mark.parametrize("text", TEXTS[:2])
def test_a_part_of_the_address_is_shown_letter_by_letter(
    page: Any, server: Server, sample: Path, text: str
) -> None:
    page.goto(f"{server.url}/trace?index=sample&q={quote(text[:4])}&retriever={quote(text)}")
    idle(page)
    alert = page.get_by_test_id("stAlert").filter(has_text="Could not read the retriever")
    assert f"Could not read the retriever {text[:60]!r}" in alert.inner_text().replace("\u2060", "")


def test_a_text_in_a_message_is_shown_letter_by_letter(
    page: Any, server: Server, sample: Path
) -> None:
    page.goto(f"{server.url}/build?index=sample")
    idle(page)
    page.get_by_role("tab", name="Documents").click()
    for text in TEXTS:
        page.get_by_placeholder("Title, id or file").fill(text)
        page.keyboard.press("Enter")
        idle(page)
        message = page.get_by_test_id("stAlert").filter(has_text="No document has")
        assert f"'{text}'" in message.inner_text().replace("\u2060", "")
        assert message.locator("a, img, .katex, code, [role=img]").count() == 0
