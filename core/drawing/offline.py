"""A page in one file that needs nothing else and sends nothing."""

import json
from base64 import b64encode
from functools import cache
from html import escape
from typing import Any

from core.colours import css
from core.settings import ASSETS

# Should a text ever become markup after all, the browser still loads and sends nothing.
_POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
    "img-src data: blob:; font-src data:; base-uri 'none'; form-action 'none'"
)


def page(title: str, body: str, data: Any, *, script: str, style: str) -> bytes:
    """Return a page in UTF-8 with `body`, which is HTML, and `data` as JSON in the element `data`.

    `title` and `data` are texts of anybody: what they hold never becomes markup.
    """
    style = f"{_letters()}\n{css()}\n{style}"
    # A text cannot end the script block that carries it.
    json_text = json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
    text = (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{style}</style>\n</head>\n"
        f'<body>\n{body}\n<script type="application/json" id="data">{json_text}</script>\n'
        f"<script>(() => {{\n{script}\n}})();</script>\n</body>\n</html>\n"
    )
    return text.encode("utf-8", "replace")


@cache
def _letters() -> str:
    """Return the style sheet that brings the letters of the application along (`assets/fonts`)."""
    font = b64encode((ASSETS / "fonts" / "SourceSans3.woff2").read_bytes()).decode("ascii")
    return (
        '@font-face { font-family: "Source Sans"; font-weight: 200 900; '
        f'src: url("data:font/woff2;base64,{font}") format("woff2"); }}\n'
        ':root { --st-font: "Source Sans", sans-serif; }'
    )
