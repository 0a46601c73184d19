"""A page in one file that needs nothing else and sends nothing."""

import json
from html import escape
from typing import Any

# Should a text ever become markup after all, the browser still loads and sends nothing.
_POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
    "img-src data: blob:; base-uri 'none'; form-action 'none'"
)


def page(title: str, body: str, data: Any, *, script: str, style: str) -> bytes:
    """A page in UTF-8 with `body`, which is HTML, and `data` as JSON in the element `data`.

    `title` and `data` are texts of anybody: what they hold never becomes markup.
    """
    # A text cannot end the script block that carries it.
    told = json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
    text = (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{style}</style>\n</head>\n"
        f'<body>\n{body}\n<script type="application/json" id="data">{told}</script>\n'
        f"<script>(() => {{\n{script}\n}})();</script>\n</body>\n</html>\n"
    )
    return text.encode("utf-8", "replace")
