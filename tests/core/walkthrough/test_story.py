"""A story holds its walkthrough and needs nothing else."""

import json
import re

from core.traces import Trace
from core.walkthrough.making import make_walkthrough
from core.walkthrough.story import story
from tests.core.walkthrough.packed import walkthrough_in
from tests.core.worlds import EDGES, PASSAGES, QUERY, WALK


def test_a_story_is_one_page_with_its_walkthrough_in_it():
    trace = Trace(
        f"</script><b>{QUERY}", "any", "five", "g", WALK, PASSAGES, EDGES, ("town",), "2026-01-01"
    )
    made = make_walkthrough(trace)
    text = story(made).decode()
    assert len(text) < 1_000_000
    assert walkthrough_in(text) == json.loads(json.dumps(made))
    assert "<b>" not in text.partition("<script")[0]
    assert "default-src 'none'" in text
    assert not re.search(r"\bfetch\(|XMLHttpRequest|WebSocket|@import", text)
