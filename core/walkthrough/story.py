"""A walkthrough as one HTML file that plays anywhere: no server, no network."""

import json
import zlib
from base64 import b64encode

from core.drawing.offline import page
from core.walkthrough.assets import ROOT, STORY, bundle, style
from core.walkthrough.contract import WalkthroughData

BARE = """\
body { margin: 0; }
@media (prefers-color-scheme: dark) { body { background: #11161c; } }"""


def story(walkthrough: WalkthroughData) -> bytes:
    """Return the page in UTF-8, with the walkthrough in it: JSON, deflated, in base 64."""
    packed = b64encode(zlib.compress(json.dumps(walkthrough).encode(), 9)).decode("ascii")
    title = f"{walkthrough['query']} · {walkthrough['title']}"
    return page(title, ROOT, packed, script=bundle(STORY), style=f"{BARE}\n{style()}")
