"""A story holds its walkthrough and needs nothing else."""

import json
import re

from core.traces import Trace
from core.walkthroughs.making import make_walkthrough
from core.walkthroughs.story import Framing, framed, story
from tests.core.walkthroughs.packed import walkthrough_in
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


HOSTILE = "</script><img src=x onerror=alert(1)>\u202e&amp;"


def trace() -> Trace:
    return Trace(QUERY, "any", "five", "g", WALK, PASSAGES, EDGES, ("town",), "2026-01-01")


def test_what_somebody_wrote_is_a_slide_before_and_a_slide_behind():
    made = make_walkthrough(trace())
    told = framed(made, Framing("Why hops help", "One.\r\n\r\nTwo\nlines.", " \n Thank you. "))
    for numbers in (told["every"], told["audience"]):
        first, last = (told["stops"][numbers[at]] for at in (0, -1))
        assert (first["kind"], first["headline"], first["t"]) == ("slide", "Why hops help", 0)
        assert first["notes"] == ["One.", "Two\nlines."]
        assert (last["kind"], last["notes"]) == ("slide", ["Thank you."])
        assert last["t"] == made["stops"][made["every"][-1]]["t"] + 1
    assert told["every"][1:-1] == made["every"]
    assert told["audience"][1:-1] == made["audience"]


def test_without_words_there_are_no_slides():
    made = make_walkthrough(trace())
    assert framed(made, Framing(" ", "\n", "")) == made


def test_a_written_text_is_never_markup():
    page = story(make_walkthrough(trace()), Framing(HOSTILE, HOSTILE, f"{HOSTILE}\ud800")).decode()
    assert "<img" not in page
    assert page.count("</script>") == 2
    slide = walkthrough_in(page)["stops"][-1]
    assert slide["notes"][0].startswith(HOSTILE)


def test_the_longest_texts_leave_a_story_small():
    framing = Framing("t" * 120, "é" * 2_000, "界" * 2_000)
    assert len(story(make_walkthrough(trace()), framing)) < 1_000_000
