"""The expected states are derived by hand from the nested retrieval in `examples`."""

import pytest

from core.playback import (
    check,
    grains,
    labels,
    sentence,
    stops,
)
from core.playback.account import Looked, account
from core.playback.reasons import occasions
from core.playback.rounds import round_at, stops_called
from core.steps import (
    ROOT,
    Asked,
    Began,
    Exchange,
    Offer,
    Offered,
    Pooled,
    Ranked,
    Said,
    Spread,
    Step,
    Thing,
    Told,
)
from core.types import Hit
from tests.core.examples import NAMES, NESTED

END = len(NESTED)


def test_stops():
    begun = {t for t, step in enumerate(NESTED, start=1) if isinstance(step, Began)}
    assert stops(NESTED, "event") == [t for t in range(1, END + 1) if t not in begun]
    assert stops(NESTED, "round") == [1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 13, 14, 15, 16, 17]
    assert stops(NESTED, "whole") == [1, 2, 7, 8, 14, 15, 16, 17]
    assert grains(NESTED) == ("whole", "event")


def test_a_round_with_a_retrieval_in_it_is_one_happening():
    steps = (NESTED[0], Began("turn", 1), *NESTED[2:7], NESTED[7], Began("turn", 2), NESTED[16])
    check(steps)
    assert stops(steps, "whole") == [1, 8, 9, 10]
    assert stops(steps, "round") == [1, 3, 4, 6, 7, 8, 9, 10]


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


@pytest.mark.parametrize(
    ("t", "expected"),
    [
        (2, "The LLM planner says: 'First the owner, then her town.'"),
        (3, "Search #1 uses walker for 'Who owns Harbour Rovers?'."),
        (
            6,
            "#1, hop 1: at 'Harbour Rovers' the edge 'Who owns the club?' is taken (brings owner); "
            "'Mara Quist' joins the queue.",
        ),
        (
            7,
            "Search #1 lists 1 of 2 reached passages; 'Harbour Rovers' ranks first.",
        ),
        (8, "The reader says: 'Mara Quist.' That answers 'Who owns Harbour Rovers?'."),
        (
            9,
            "Search #2 uses spreader for 'Where was she born?'. 3 of 5 passages pass the filter.",
        ),
        (
            10,
            "1 of 4 facts is taken: 'Mara Quist, born in, Port Selby'. "
            "Fallback: No model filters them, so the nearest one is taken.",
        ),
        (
            11,
            "At fact 'Mara Quist, born in, Port Selby' 1 of its 2 entities is taken: 'Mara Quist'.",
        ),
        (12, "#2, iteration 1 begins."),
        (
            13,
            "#2, iteration 1: 12.5 % of the probability moves; "
            "entity 'Mara Quist' (0.500) and passage 'Mara Quist' (0.250) hold the most.",
        ),
        (14, "Search #2 lists 2 passages; 'Mara Quist' ranks first."),
        (15, "2 lists are merged (search #1 and search #2): 3 passages are ranked."),
        (
            16,
            "The judge says: 'Port Selby.' That answers 'In which town was the owner of Harbour "
            "Rovers born?'. The search stops: the answer is known.",
        ),
        (END, "Result: 2 of 3 passages are retrieved; 'Mara Quist' ranks first."),
    ],
)
def test_sentences(t, expected):
    assert sentence(NESTED, t, NAMES.__getitem__) == expected


def test_sentences_of_the_empty_cases():
    def told(*steps: Step) -> str:
        return sentence((NESTED[0], *steps), 1 + len(steps), NAMES.__getitem__)

    assert told(Offered(ROOT, "entities", ())) == "No entity is on offer."
    nothing = Offered(ROOT, "facts", (Offer("club", 0.5),), considered=7)
    assert told(nothing) == "None of 7 facts is taken."
    assert told(Spread("probability", ())) == ("The probability no longer moves.")
    assert told(Pooled(("BM25",), (Hit("club", 1.0),))) == "1 passage is ranked from BM25."
    assert told(NESTED[1], Began("layer", 1, ("#1", "#2"))) == (
        "Layer 1 begins: 2 queries wait in the queue."
    )
    assert told(Said("judge", ROOT, "enough")) == "The judge says: 'enough'."
    assert told(Said("rules (judge)", ROOT, "enough")) == (
        "A rule, in place of the judge, says: 'enough'."
    )
    assert told(Said("rules", ROOT, "", ends="it is full")) == "The search stops: it is full."
    assert told(Began("passages", 0)) == "The stage 'passages' begins."


def test_a_merged_list_that_is_as_long_as_the_result_may_be_has_the_best_ones():
    most = tuple(Hit(f"p{n}", 1.0 - n / 100) for n in range(NESTED[0].top_k))
    steps = (NESTED[0], Pooled(("a", "b"), most))
    assert sentence(steps, 2, NAMES.__getitem__) == (
        f"2 lists are merged (a and b): the best {len(most)} passages are ranked."
    )


def test_what_is_searched_with_is_told_with_its_stage():
    keyword = Thing("query:1", "query", "owner")
    steps = (
        NESTED[0],
        Began("keywords", 0),
        Said("reader", ROOT, "One.", things=(keyword,)),
        Began("search", 0),
        Offered("query:1", "entities", (Offer("club", 0.5, taken=True),)),
    )
    names = {**NAMES, "query:1": "owner"}
    assert sentence(steps, 5, names.__getitem__).startswith("For the keyword 'owner' the only ")


def test_stops_are_called_as_the_rounds_are_and_no_two_alike():
    assert stops_called(NESTED) == {"whole": "search", "round": "round", "event": "step"}
    turns = (NESTED[0], Began("turn", 1), *NESTED[2:7], NESTED[16])
    assert stops_called(turns) == {"whole": "turn", "round": "hop", "event": "step"}
    plain = (Asked("bm25", "q", 1, id="#1", parents=(ROOT,)), Ranked(()))
    searches = (NESTED[0], Began("search", 1), *plain, NESTED[16])
    assert stops_called(searches)["round"] == "part of a search"
    assert stops_called((NESTED[0], Began("step", 1), NESTED[16]))["round"] == "round"


def test_a_round_is_of_its_own_bracket():
    found = {t: whole.at for t in range(END + 1) if (whole := round_at(NESTED, t))}
    assert found == {5: (5,), 6: (5, 6), 12: (12,), 13: (12, 13)}


def test_why_a_thing_is_where_it_is():
    (one,) = occasions(NESTED, END, node="entity:selby")
    assert (one.t, one.round, one.place, one.offer.taken) == (11, None, 2, False)
    assert [each.t for each in occasions(NESTED, END, line="owned")] == [6]


def test_the_account_is_by_kind_of_list():
    found = account(NESTED)
    assert found.looked == (Looked("edges", 1, 2), Looked("facts", 1, 4), Looked("entities", 1, 2))
    assert (found.embed_seconds, found.seconds) == (0.5 + 0.25, 2.0)
    assert (found.calls, found.tokens, found.kept) == (1, 30, 0)
    assert found.model.turned_to == 1


def test_an_entity_that_is_a_bare_number_says_once_that_it_is_a_number():
    entity = Thing("entity:4", "entity", "4")
    spread = Spread("probability", (Hit("entity:4", 0.5),), things=(entity,))
    told = sentence((NESTED[0], spread), 2, {"entity:4": '"4"'}.__getitem__)
    assert told.endswith('; "4" (0.500) holds the most.')


def test_that_there_is_no_model_is_said_of_the_first_rule_that_speaks():
    rules = [Said("rules (planner)", ROOT, text) for text in ("One.", "Two lines:\nhere.")]
    nothing = Said("rules (judge)", ROOT, "")
    steps = (NESTED[0], *rules, Said("judge", ROOT, "Three."), nothing)
    told = [sentence(steps, t, str) for t in range(2, 6)]
    assert told == [
        "A rule, in place of the planner, says: 'One.'",
        "The rule says: 'Two lines: here.'",
        "The judge says: 'Three.'",
        "The rule says nothing.",
    ]


def test_where_a_list_comes_from_is_said_as_far_as_there_is_room():
    things = (Thing("entity:ada", "entity", "ada"), Thing("cluster:1", "cluster", "Kin"))
    offers = tuple(Offer(thing.id, 1.0, taken=True) for thing in things)
    titles = {"entity:ada": "ada (entity)", "cluster:1": "Kin"}.__getitem__
    short, long = (
        Offered(ROOT, "entities", offers, considered=9, things=things, told=Told(reason=why))
        for why in ("They stand in the facts.", "They stand in the facts, and " * 9)
    )
    assert sentence((NESTED[0], short), 2, titles) == (
        "2 of 9 entities are taken: 'ada' and summary 'Kin'. They stand in the facts."
    )
    assert sentence((NESTED[0], long), 2, titles).endswith("'ada' and summary 'Kin'.")


def test_a_fallback_without_room_is_told_in_a_few_words():
    long = "The reply could not be read, and " * 9
    failed = Exchange("some-model", "", "", trouble="It could not be read.")
    for told, end in (
        (Told(fallback=long), "A rule replaces the model."),
        (
            Told(fallback=long, exchange=failed),
            "The model gave no usable reply, so a rule decides.",
        ),
    ):
        step = Offered(ROOT, "facts", (Offer("f", 1.0, taken=True),), told=told)
        assert sentence((NESTED[0], step), 2, str) == f"The only fact is taken: 'f'. {end}"


def test_a_rule_that_takes_a_sentence_of_a_passage_quotes_it():
    said = Said("rules (reasoner)", ROOT, "Ada owns it.", rests_on=("club",))
    assert sentence((NESTED[0], said), 2, {"club": "Harbour Rovers"}.__getitem__) == (
        "A rule, in place of the reasoner, quotes 'Harbour Rovers': 'Ada owns it.'"
    )


def test_what_a_rule_answers_is_told_as_a_guess():
    asked = Asked("any", "Who owns it?", 3, id="#1", parents=("#",))
    answer = Said("rules", "#1", "Mara Quist", closes=("#1",), rests_on=("club",))
    steps = (Asked("any", "?", 3), asked, Ranked((Hit("club", 1.0),)), answer)
    assert sentence(steps, 4, {"club": "Harbour Rovers"}.__getitem__) == (
        "A rule (no model) infers the answer to 'Who owns it?': 'Mara Quist', "
        "from 'Harbour Rovers'."
    )
