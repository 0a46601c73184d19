"""What a story holds."""

import json
import re
import zlib
from base64 import b64decode
from typing import Any


def walkthrough_in(page: str) -> Any:
    """The walkthrough in the page of a story."""
    told = re.search(r'<script type="application/json" id="data">"(.*?)"</script>', page)
    assert told
    return json.loads(zlib.decompress(b64decode(told[1])))
