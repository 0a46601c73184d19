"""The expected states are derived by hand from the nested retrieval in `examples`."""

from core.playback import frame, labels
from core.playback.account import Looked, account
from core.playback.reasons import occasions
from core.playback.voices import narration
from core.steps import ROOT, Asked, Ranked, Said
from core.types import Hit
from tests.core.examples import NESTED

END = len(NESTED)


def spoken(steps, t, title=str):
    """Return what the voice of step `t` says."""
    return narration(steps[t - 1], frame(steps, t), title)


def test_labels():
    found = [(label.text, label.round) for label in labels(NESTED)]
    assert found == [
        ("Question", ""),
        ("LLM planner", ""),
        ("#1 Question", ""),
        ("#1 Seeds", ""),
        ("#1 Hop 1", "#1 Hop 1"),
        ("#1 Hop 1 · 1", "#1 Hop 1"),
        ("#1 Result", ""),
        ("Reader", ""),
        ("#2 Question", ""),
        ("#2 Facts", ""),
        ("#2 Entities", ""),
        ("#2 Iteration 1", "#2 Iteration 1"),
        ("#2 Iteration 1 · 1", "#2 Iteration 1"),
        ("#2 Result", ""),
        ("Merging", ""),
        ("Judge", ""),
        ("Result", ""),
    ]
    again = (*NESTED[:2], NESTED[1], NESTED[1], *NESTED[2:])
    assert [label.text for label in labels(again)][1:4] == [
        "LLM planner",
        "LLM planner (2)",
        "LLM planner (3)",
    ]


def test_why_a_thing_is_where_it_is():
    (one,) = occasions(NESTED, END, node="entity:selby")
    assert (one.t, one.round, one.place, one.offer.taken) == (11, None, 2, False)
    assert [each.t for each in occasions(NESTED, END, line="owned")] == [6]


def test_the_account_is_by_kind_of_list():
    found = account(NESTED)
    assert found.looked == (Looked("edges", 1, 2), Looked("facts", 1, 4), Looked("entities", 1, 2))
    assert (found.embed_seconds, found.seconds) == (0.5 + 0.25, 2.0 - 0.25)
    assert (found.calls, found.tokens, found.kept) == (1, 30, 0)
    assert found.model.turned_to == 1


def test_a_rule_is_told_from_a_model_by_its_name():
    rules = [Said("rules (planner)", ROOT, text) for text in ("One.", "Two lines:\nhere.")]
    nothing = Said("rules (judge)", ROOT, "")
    steps = (NESTED[0], *rules, Said("judge", ROOT, "Three."), nothing)
    told = [spoken(steps, t) for t in range(2, 6)]
    assert told == [
        "the rule-based planner returns: 'One.'",
        "the rule-based planner returns: 'Two lines: here.'",
        "the judge replies: 'Three.'",
        "the rule-based judge returns nothing.",
    ]


def test_a_rule_that_takes_a_sentence_of_a_passage_quotes_it():
    quote = Said("rules (reasoner)", ROOT, "Ada owns it.", rests_on=("club",))
    assert spoken((NESTED[0], quote), 2, {"club": "Harbour Rovers"}.__getitem__) == (
        "the rule-based reasoner quotes 'Harbour Rovers': 'Ada owns it.'"
    )


def test_what_a_rule_answers_is_told_as_a_guess():
    asked = Asked("any", "Who owns it?", 3, id="#1", parents=("#",))
    answer = Said("rules", "#1", "Mara Quist", closes=("#1",), rests_on=("club",))
    steps = (Asked("any", "?", 3), asked, Ranked((Hit("club", 1.0),)), answer)
    assert spoken(steps, 4, {"club": "Harbour Rovers"}.__getitem__) == (
        "the rule-based fallback infers the answer to 'Who owns it?': 'Mara Quist', "
        "from 'Harbour Rovers'."
    )
