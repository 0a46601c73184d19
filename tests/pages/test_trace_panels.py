"""The panels of a trace: for which words an edge was chosen, and the parts of a score."""

import re
from dataclasses import replace
from html import unescape

from core.artefacts.workbench import Workbench
from core.playback import frame
from core.retrievers import MODEL_FREE, make
from core.steps import Asked, HopBegan, Judged, Offer, Ranked, Seeded, Step
from core.store.index import Index
from core.types import Hit, Part
from pages.components.trace import panels as trace_panels
from pages.components.trace.rows import PARTS, Names, parts_text, tones
from tests.core.fakes import WordEmbedder
from tests.core.worlds import EDGES, TITLES, WALK
from tests.pages.conftest import QUESTION

NAMES = Names(TITLES.__getitem__, frozenset())
FELL = "It has fallen below the first 20, so its edges are not looked at."


def offer(**words: tuple[str, ...]) -> Offer:
    parts = (Part("link", 0.2), Part("coverage", 0.0), Part("mention", 0.1))
    return Offer("owned", "owner", EDGES["owned"].question, 0.3, parts, **words)


def judged(*offers: Offer, reason: str = "why <it> was") -> tuple[Step, ...]:
    return (*WALK[:3], Judged(1, "club", offers, (), (), reason))


def shown(steps: tuple[Step, ...]) -> str:
    return trace_panels.offers(frame(steps, len(steps)), None, NAMES)


def plain(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", html)).split())


def test_an_edge_says_for_which_words_it_is_followed() -> None:
    both = shown(judged(offer(covers=("born",), mentions=("film", "directed"))))
    assert "brings born · named with film, directed" in plain(both)
    assert "brings born\nnamed with film, directed" in unescape(both)
    assert "named with film" in plain(shown(judged(offer(mentions=("film",)))))
    neither = plain(shown(judged(offer())))
    assert "brings" not in neither
    assert "named with" not in neither


def test_words_stay_text() -> None:
    assert "<b>&lt;i&gt;</b>" in shown(judged(offer(covers=("<i>",))))


def test_the_reason_stands_above_the_edges_or_in_their_place() -> None:
    assert "<p class='tr-why'>why &lt;it&gt; was</p>" in shown(judged(offer()))
    assert plain(shown(judged(reason=FELL))) == f"Edges on offer {FELL}"


def test_a_model_that_judged_or_failed_is_said_with_the_reason() -> None:
    step = judged(offer(), reason="It asks <that>.")[-1]
    assert isinstance(step, Judged)
    thought = replace(step, verdict="indirectly relevant")
    assert "Indirectly relevant: It asks <that>." in plain(shown((*WALK[:3], thought)))
    fell = replace(step, fallback="No <model>.")
    assert "Fallback: No <model>. It asks <that>." in plain(shown((*WALK[:3], fell)))
    assert "<model>" not in shown((*WALK[:3], fell))


def test_a_part_that_is_nowhere_is_not_in_the_legend() -> None:
    assert "Edges on offer 0 chosen of 1 scored link mention" in plain(shown(judged(offer())))


def test_a_part_has_one_tone_whatever_stands_beside_it() -> None:
    lexical, named = Part("lexical", 0.4), Part("named", 1.0)
    evidence = Part("evidence", 0.3)
    assert tones([(lexical, named, evidence)]) == {"lexical": "a", "named": "c", "evidence": "d"}
    assert tones([(lexical, Part("named", 0.0), evidence)]) == {"lexical": "a", "evidence": "d"}


def test_words_of_a_question_take_the_tones_in_turn() -> None:
    assert list(tones([[Part(f"w{i}", 1.0) for i in range(5)]]).values()) == list("abcdd")


def test_a_sum_leaves_out_what_is_0() -> None:
    parts = (Part("lexical", 0.25), Part("named", 0.0), Part("evidence", 0.5))
    assert parts_text(parts) == "lexical 0.250 + evidence 0.500"
    assert parts_text((Part("dense", 0.0),)) == "dense 0.000"


def test_only_what_counts_visits_is_called_helpfulness() -> None:
    assert "Helpfulness" in trace_panels.ranking_head(frame(WALK, 4))
    hits = (Hit("club", 1.4, (Part("lexical", 0.4), Part("named", 1.0))),)
    one_shot = (Asked("hybrid", "?", 1), Ranked(hits))
    assert plain(trace_panels.ranking_head(frame(one_shot, 2))) == "Score 1 of 1 kept lexical named"


def test_every_part_of_a_retriever_has_words_and_a_tone(tiny_index: Index) -> None:
    bench = Workbench(tiny_index, WordEmbedder())  # type: ignore[arg-type]
    for key in set(MODEL_FREE) - {"bm25"}:  # whose parts are the words of the question
        for step in make(key, bench).retrieve(QUESTION.text):
            assert {part.name for part in parts_of(step)} <= PARTS.keys(), key


def parts_of(step: Step) -> list[Part]:
    if isinstance(step, Ranked):
        return [part for hit in (*step.hits, *step.pruned) for part in hit.parts]
    if isinstance(step, Seeded | Judged):
        return [part for one in step.offers for part in one.parts]
    assert isinstance(step, Asked | HopBegan)
    return []


def test_the_world_of_this_file_is_one_that_can_be_drawn() -> None:
    followed = replace(WALK[3], offers=(offer(covers=("owner",)),))
    assert "✓" in shown((*WALK[:3], followed))
