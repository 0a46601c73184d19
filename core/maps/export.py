"""A map as one HTML file that needs nothing else: the page PyVis writes, made safe and offline.

PyVis's own page loads bootstrap from a server, has headings that are HTML, and shows titles of
nodes as HTML. Here the tags of bootstrap and the headings are taken out, PyVis is given no text at
all, and a policy in the page forbids every request. The network that PyVis draws is the one that
the land and the names are drawn over: there is no second one. Titles and texts travel as JSON in a
script block and reach the page by `textContent` and the canvas.
"""

import json
import re
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from core.colours import css
from core.maps.assets import style, webpage
from core.maps.map_data import MapData
from core.maps.pyvis_network import network

_SERVER = re.compile(
    r'<link\s[^>]*href="https?:[^>]*>|<script\s[^>]*src="https?:[^>]*>\s*</script>', re.DOTALL
)
_HEADING = re.compile(r"<center>.*?</center>", re.DOTALL)
_COMMENT = re.compile(r"<!-- <link.*?-->", re.DOTALL)
_BUTTONS = re.compile(r"<style>(?:(?!</style>).)*?\.vis-.*?</style>", re.DOTALL)
_POLICY = (
    '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
    "script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:\">"
)


def to_html(
    data: MapData, title: str, texts: Sequence[str] = (), said: Mapping[str, Any] | None = None
) -> bytes:
    """Return the page of a map; UTF-8.

    Parameters
    ----------
    texts : of the passages, in order of vertex numbers, for a panel beside the map; none are shown
        if there are none.
    said : what the map shows besides, as `core.maps.messages` has it.
    """
    page = network(data).generate_html()
    for unwanted in (_COMMENT, _SERVER, _HEADING, _BUTTONS):
        page = unwanted.sub("", page)
    map_json: dict[str, Any] = {**data, "said": said}
    if texts and "title" in data["units"]:
        map_json["units"] = {**data["units"], "text": list(texts)}
    head = f'<meta charset="utf-8">{_POLICY}<title>{escape(title)}</title>'
    page = page.replace('<meta charset="utf-8">', head, 1)
    own = (
        f"<style>{css()}{style('page')}</style><div class='corpus-map-root'></div>"
        "<article class='passage-text' hidden></article>"
        f"<script type='application/json' id='corpus-map-data'>{_safe(map_json)}</script>"
        f"<script>{webpage()}</script>"
    )
    before, end, after = page.rpartition("</body>")
    return f"<!doctype html>\n{before}{own}{end}{after}".encode()


def _safe(value: Any) -> str:
    """JSON that ends no script block."""
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    for sign in "<>\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text
