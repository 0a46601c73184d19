from dataclasses import replace
from types import SimpleNamespace

from core.film import make_film
from core.film.ending import ending, stopped
from core.film.misses import Gold
from core.funnel.data import STAGES, Fate
from core.funnel.ends import NO_EDGE
from core.steps import ROOT, Ranked, Said
from core.traces import Trace
from core.types import Hit, Passage
from tests.core.film.decoding import unpacked
from tests.core.worlds import EDGES, PASSAGES, QUERY, WALK, seeds


def ranked(*ids, kept, roles=()):
    rows = [
        SimpleNamespace(rank=rank, kept=rank <= kept, hit=SimpleNamespace(passage_id=id_))
        for rank, id_ in enumerate(ids, start=1)
    ]
    return SimpleNamespace(
        standings=rows,
        ended=True,
        depth=1,
        roles=dict(roles),
        entries=("one",),
        asked=SimpleNamespace(top_k=kept),
    )


def gold(passage, missing="", name=""):
    return Gold(name or passage.title, "given", passage, missing)


ONE, TWO, THREE = (Passage(name, name, 0, name.title(), "") for name in ("one", "two", "three"))


def test_it_says_at_which_ranks_gold_is_kept():
    now = ranked(TWO.id, THREE.id, ONE.id, kept=3)
    assert ending([gold(ONE), gold(TWO)], now) == (
        f"Both gold passages are retrieved: '{TWO.title}' at rank 1 and '{ONE.title}' at rank 3. "
        "The result has 3 passages."
    )
    assert ending([gold(ONE)], now).startswith(
        f"The gold passage is retrieved: '{ONE.title}' at rank 3."
    )


def test_of_many_that_are_kept_all_are_named_or_else_told_by_their_ranks():
    many = [Passage(name, name, 0, name.title(), "") for name in ("one", "two", "three", "four")]
    now = ranked(*(one.id for one in many), kept=4)
    assert ending([gold(one) for one in many], now).startswith(
        "All 4 gold passages are retrieved: 'One' at rank 1, 'Two' at rank 2, 'Three' at rank 3 "
        "and 'Four' at rank 4."
    )
    long = [gold(one, name=f"{one.title} {'long ' * 6}") for one in many]
    assert ending(long, now).startswith(
        "All 4 gold passages are retrieved at ranks 1, 2, 3 and 4. "
    )


def test_the_loss_comes_first_and_has_its_stage():
    now = ranked(TWO.id, ONE.id, kept=1)
    cut = Gold(
        ONE.title, "given", ONE, "below the top 1: rank 2", Fate(ONE.id, ONE.id, "cut", 2, k=1)
    )
    assert ending([cut, gold(TWO)], now) == (
        f"Gold '{ONE.title}' is lost: rank 2, below the top 1. "
        f"Retrieved: '{TWO.title}' at rank 1. The result has 1 of 2 ranked passages."
    )
    told = ending([cut, Gold("Far", "hand", None, STAGES["absent"])], now)
    assert told == (
        f"Both gold passages (1 by hand) are lost: '{ONE.title}' (rank 2, below the top 1), "
        f"and 'Far' ({STAGES['absent']}). The result has 1 of 2 ranked passages."
    )


def test_of_a_document_one_passage_is_enough():
    now = ranked(TWO.id, ONE.id, kept=1)
    assert ending([gold(ONE), gold(TWO)], now).startswith(
        f"The gold passage is retrieved: '{TWO.title}' at rank 1."
    )


def test_long_names_are_cropped_and_many_are_counted():
    now = ranked(kept=0)
    told = ending([Gold(f"{i} {'long ' * 20}", "given", None, "far") for i in range(5)], now)
    assert told.startswith("All 5 gold passages are lost: '0 long")
    assert " and 2 more." in told
    assert len(told) < 260


def test_a_result_that_is_shorter_than_asked_for_says_so():
    now = ranked(ONE.id, TWO.id, kept=2)
    now.asked.top_k = 5
    assert ending([gold(ONE)], now, held=9).endswith(
        " The result has 2 passages, fewer than the 5 asked for."
    )
    assert ending([gold(ONE)], now, held=3).endswith(
        " The result has 2 passages, fewer than the 3 asked for."
    )
    for held in (2, 0):  # all that there are; an index that is closed
        assert ending([gold(ONE)], now, held=held).endswith(" The result has 2 passages.")


def test_nothing_is_said_where_nothing_is_gold():
    assert ending([], ranked(ONE.id, kept=1)) == ""


def test_the_last_step_lists_why_gold_was_lost():
    steps = (WALK[0], seeds("club"), Ranked((Hit("club", 0.5),)))
    trace = Trace(QUERY, "hoprag-coverage", "five", "g", steps, PASSAGES, EDGES, (), "2026-01-01")
    made = make_film(trace, {"club": "given", "town": "given"})
    *before, last = unpacked(made, "event")
    assert last["board"]["title"] == "Gold lost"
    assert last["board"]["note"] == "1 of 2 gold passages"
    (row,) = last["board"]["rows"]
    assert row == {"note": "town", "text": "Not found; open the index to learn more."}
    assert last["caption"].startswith("Gold 'town' is lost: ")
    assert not any(now["board"] and now["board"]["title"] == "Lost" for now in before)
    (*_, kept) = unpacked(make_film(trace, {"club": "given"}), "event")
    assert kept.get("board") is None


def test_how_many_a_search_lists_is_said_once():
    lost = [
        Gold(one.title, "given", one, "lost", Fate(one.id, one.id, "cut", 9, k=6, inner=True))
        for one in (ONE, TWO)
    ]
    assert ending(lost, ranked(THREE.id, kept=1)).startswith(
        "Both gold passages are lost: 'One' and 'Two' (rank 9 at best; each search keeps 6). "
    )
    lost[1] = replace(lost[1], fate=replace(lost[1].fate, rank=12))
    assert ending(lost, ranked(THREE.id, kept=1)).startswith(
        "Both gold passages are lost: 'One' (rank 9 at best), "
        "and 'Two' (rank 12 at best); each search keeps 6. "
    )


def test_each_reason_belongs_to_the_names_before_it():
    far = Fate("", "", "far", near=(NO_EDGE,))
    fates = (far, Fate("", "", "cut", 9, k=3), far)
    names = (ONE, TWO, THREE)
    lost = [
        Gold(one.title, "given", one, "lost", fate) for one, fate in zip(names, fates, strict=True)
    ]
    assert ending(lost, ranked("other", kept=1)).startswith(
        "All 3 gold passages are lost: 'One' and 'Three' (out of reach; no edge points to it), "
        "and 'Two' (rank 9, below the top 3). "
    )


def test_a_walk_that_ends_while_some_wait_says_why():
    steps = (Said("rules", ROOT, "", ends="it goes one hop"),)
    hits, asked = (Hit("one", 1.0, ()),), SimpleNamespace(top_k=1)
    now = SimpleNamespace(asked=asked, hits=hits, queue=("two",))
    assert stopped(steps, now) == "it goes one hop"
    assert stopped(steps, SimpleNamespace(asked=asked, hits=hits, queue=())) == ""


def test_of_more_that_are_ranked_than_listed_as_many_are_told_as_beside_it():
    far = Fate(ONE.id, ONE.id, "cut", 37, k=1, of=203)
    lost = Gold(ONE.title, "given", ONE, str(far), far)
    assert ending([lost], ranked(TWO.id, kept=1)).endswith(
        "The result has 1 of 203 ranked passages."
    )
    inside = replace(far, search="#1")
    assert ending([replace(lost, fate=inside)], ranked(TWO.id, kept=1)).endswith(
        "The result has 1 passage."
    )


def test_beyond_two_lines_the_least_is_left_out():
    now, why = ranked(TWO.id, kept=1), "that was the last round allowed"
    full = ending([gold(TWO)], now, why)
    assert full.endswith(f"The result has 1 passage. The search stopped: {why}.")
    told = ending([gold(TWO, name="Some passage with a long name")], now, why * 2)
    assert told.endswith("The result has 1 passage.")
    lost = [Gold(f"{i} {'long ' * 6}", "given", None, "far away, and alone") for i in range(3)]
    assert ending(lost, now, why).endswith(" (far away, and alone).")
