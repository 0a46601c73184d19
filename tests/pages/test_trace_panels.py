"""The panels of a trace: for which words an edge was chosen, and the parts of a score."""

import re
from dataclasses import replace
from html import unescape

from core.playback import frame
from core.steps import Asked, Offer, Offered, Ranked, Step, Told
from core.types import Hit, Part
from pages.components.trace.panels import step_panel
from pages.components.trace.panels.standing import ranking_head
from pages.components.trace.rows import Names, parts_text
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
