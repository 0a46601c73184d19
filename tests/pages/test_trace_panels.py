"""The panels of a trace: for which words an edge was chosen, and the parts of a score."""

import re
from dataclasses import replace
from html import unescape
from typing import get_args

import pytest

from core.playback import frame
from core.steps import Asked, Offer, Offered, Ranked, Step, Told
from core.types import Hit, Part
from pages.components.trace.panels import PANELS, step_panel
from pages.components.trace.panels.outline import outline
from pages.components.trace.panels.said import transcript
from pages.components.trace.panels.standing import ranking_head
from pages.components.trace.rows import Names, parts_text
from tests.core.examples import NAMES as EVERY
from tests.core.examples import NESTED
from tests.core.worlds import EDGES, TITLES, WALK

NAMES = Names(TITLES.__getitem__, frozenset())
FELL = "It has fallen below the first 20, so its edges are not looked at."


def offer(*notes: tuple[str, str]) -> Offer:
    parts = (Part("link", 0.2), Part("coverage", 0.0), Part("mention", 0.1))
    return Offer("owner", 0.3, parts, tie="owned", label=EDGES["owned"].question, notes=notes)


def judged(*offers: Offer, reason: str = "why <it> was") -> tuple[Step, ...]:
    return (*WALK[:3], Offered("club", "edges", offers, told=Told(reason=reason)))


def shown(steps: tuple[Step, ...]) -> str:
    return step_panel(frame(steps, len(steps)), None, NAMES)


def plain(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", html)).split())


def test_an_edge_says_for_which_words_it_is_followed() -> None:
    both = shown(judged(offer(("brings", "born"), ("named with", "film, directed"))))
    assert "brings born · named with film, directed" in plain(both)
    assert "brings born\nnamed with film, directed" in unescape(both)
    assert "named with film" in plain(shown(judged(offer(("named with", "film")))))
    neither = plain(shown(judged(offer())))
    assert "brings" not in neither
    assert "named with" not in neither


def test_words_stay_text() -> None:
    assert "<b>&lt;i&gt;</b>" in shown(judged(offer(("brings", "<i>"))))


def test_the_reason_stands_above_the_edges_or_in_their_place() -> None:
    assert "<p class='tr-why'>why &lt;it&gt; was</p>" in shown(judged(offer()))
    assert plain(shown(judged(reason=FELL))) == f"Edges on offer {FELL}"


def test_a_model_that_judged_or_failed_is_said_with_the_reason() -> None:
    step = judged(offer(), reason="It asks <that>.")[-1]
    thought = replace(step, told=replace(step.told, verdict="indirectly relevant"))
    assert "Indirectly relevant: It asks <that>." in plain(shown((*WALK[:3], thought)))
    fell = replace(step, told=replace(step.told, fallback="No <model>."))
    assert "Fallback: No <model>. It asks <that>." in plain(shown((*WALK[:3], fell)))
    assert "<model>" not in shown((*WALK[:3], fell))


def test_a_part_that_is_nowhere_is_not_in_the_legend() -> None:
    assert "Edges on offer 0 chosen of 1 scored link mention" in plain(shown(judged(offer())))


def test_a_sum_leaves_out_what_is_0() -> None:
    parts = (Part("lexical", 0.25), Part("named", 0.0), Part("evidence", 0.5))
    assert parts_text(parts) == "lexical 0.250 + evidence 0.500"
    assert parts_text((Part("dense", 0.0),)) == "dense 0.000"


def test_only_what_counts_visits_is_called_helpfulness() -> None:
    assert "Helpfulness" in ranking_head(frame(WALK, 4), NAMES)
    hits = (Hit("club", 1.4, (Part("lexical", 0.4), Part("named", 1.0))),)
    one_shot = (Asked("hybrid", "?", 1), Ranked(hits))
    assert plain(ranking_head(frame(one_shot, 2), NAMES)) == "Score 1 of 1 kept lexical named"


def test_the_world_of_this_file_is_one_that_can_be_drawn() -> None:
    followed = replace(WALK[3], offers=(replace(offer(("brings", "owner")), taken=True),))
    assert "✓" in shown((*WALK[:3], followed))


@pytest.mark.parametrize("kind", get_args(Step))
def test_every_kind_of_step_has_a_panel(kind: type[Step]) -> None:
    t = next(t for t, step in enumerate(NESTED, start=1) if isinstance(step, kind))
    html = step_panel(frame(NESTED, t), None, Names(EVERY.__getitem__, frozenset()))
    assert (kind in PANELS) == bool(html) == (kind is not Ranked)  # which has all the room


def nested(t: int) -> str:
    return plain(step_panel(frame(NESTED, t), None, Names(EVERY.__getitem__, frozenset())))


def test_panels_say_what_their_step_does() -> None:
    assert "Asked of spreader" in nested(9)
    assert "Comes from Who owns Harbour Rovers?" in nested(9)
    assert "Left by the filter 3 of 5 passages" in nested(9)
    assert "LLM planner First the owner, then her town. Why Two things are asked." in nested(2)
    assert "1 chosen of 4 scored, best 2 listed" in nested(10)
    assert "3 of 5 used" in nested(11)
    assert "left out: no room" in nested(11)
    assert "Probability 25.0% has moved" in nested(13)
    assert "entity Mara Quist 0.500" in nested(13)
    assert "Pooled 3 of #1 and #2" in nested(15)
    assert "It stops here: the answer is known. Rests on Port Selby" in nested(16)


def test_questions_and_what_was_said_so_far() -> None:
    names = Names(EVERY.__getitem__, frozenset())
    early = plain(outline(frame(NESTED, 2), names))
    assert "Questions 1 asked, 2 waiting" in early
    assert "#2 Where was she born? waits" in early
    late = plain(outline(frame(NESTED, 16), names))
    assert "#1 Who owns Harbour Rovers? walker from In which town" in late
    assert "= Mara Quist." in late
    assert "Transcript 3 so far" in plain(transcript(frame(NESTED, 16), names))


def test_whatever_a_voice_says_stays_text() -> None:
    evil = replace(NESTED[1], by="<i>", text="<script>", ends="<b>")
    html = step_panel(frame((NESTED[0], evil), 2), None, Names(EVERY.__getitem__, frozenset()))
    assert "<script>" not in html
    assert "<i>" not in html
    assert "stops here: &lt;b&gt;" in html
