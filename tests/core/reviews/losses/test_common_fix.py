"""One change for a group of losses: that which keeps most."""

import re
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from core.artefacts.workbench import Workbench
from core.funnel.attempts import rescues
from core.funnel.data import Fate
from core.funnel.fates import fates
from core.funnel.rescue import Rescue
from core.funnel.tried_values import TriedValues
from core.retrievers import Spec, make
from core.reviews.losses.common_fix import fix_shares, fix_summary
from core.reviews.losses.group_values import mend
from tests.core.five import QUESTION
from tests.core.reviews.rows import row


def rescue(gold: str, change: str, extra: int = 0, amendments: str = "") -> Rescue:
    kind = "edge" if amendments else "hop" if change.startswith("n_hop") else "top_k"
    kind = "count" if change.startswith("seeds") else kind
    value = change.partition(" keeping ")[0].rpartition(" ")[2]
    held = ",seeds=20" if "keeping" in change else ""
    retriever = f"hoprag-similarity({change.split()[0]}={value}{held})"
    return Rescue(gold, kind, change, "bm25" if amendments else retriever, amendments, extra, 1)


def test_the_value_that_is_proven_for_most_gold_is_offered() -> None:
    found = mend(
        [
            rescue("a", "top_k 20 to 23"),
            rescue("b", "top_k 20 to 21"),
            rescue("c", "n_hop 4 to 5", extra=4),
            rescue("d", "take an edge", amendments="take"),
            None,
        ]
    )
    assert found is not None
    assert found.change == "hops 5 instead of 4"  # not the larger top k, which keeps more
    assert (len(found.replayed), len(found.between), found.extra) == (1, 0, 4)
    seeds_kept = " keeping seeds 20"
    found = mend([rescue("a", f"top_k 20 to {k}{seeds_kept}") for k in (23, 21)])
    assert found is not None
    assert (found.retriever, len(found.replayed)) == ("hoprag-similarity(top_k=23,seeds=20)", 2)


def test_a_value_counts_only_for_gold_that_it_was_replayed_for_or_lies_between() -> None:
    some = [replace(row("a", None, None), fates=tuple(Fate(f"g{n}", "p", "cut") for n in range(3)))]
    more = {f"g{n}": rescue(f"g{n}", f"n_hop 4 to {hops}") for n, hops in enumerate((5, 5, 6))}
    assert fix_summary(some, [more])[1:] == [
        "With hops 5 instead of 4, 2 of them are retrieved; no additional passages are examined "
        "for these questions.",
        "With other changes, 1 of them is retrieved: hops 6 instead of 4 (1).",
    ]
    lower = {
        f"g{n}": replace(rescue(f"g{n}", f"seeds 0 to {seeds}"), steady=steady)
        for n, (seeds, steady) in enumerate(
            [
                (7, "all 4 values tried from 3 to 7 work. Lower values were not tried"),
                (10, "all 5 values tried from 2 to 10 work"),
                (16, "all 5 values tried from 8 to 16 work"),
            ]
        )
    }
    assert fix_summary(some, [lower])[1:] == [
        "With seeds 7 instead of 20, 1 of them is retrieved; 1 more is probably retrieved "
        "too: a lower and a higher value work for it, but this value was not tried; "
        "where it was tried, no additional passages are examined for these questions.",
        "With other changes, 1 of them is retrieved: seeds 16 instead of 20 (1).",
    ]
    seeds = {
        name: replace(rescue(name, f"top_k 20 to {k}"), seeds=2)
        for name, k in zip(lower, (21, 22, 23), strict=True)
    }
    assert fix_summary(some, [seeds])[1:] == [
        "With top k and seeds 21 instead of 20, 1 of them is retrieved; no additional passages "
        "are examined for these questions. The smallest change that works; it adds at most 2 "
        "seeds.",
        "With other changes, 2 of them are retrieved: other values of top k and seeds (2).",
    ]


@given(st.data())
def test_every_counted_loss_is_retrieved_by_the_named_value(data: st.DataObject) -> None:
    """Whatever values work, not only those above or below another, counts are proven and add up."""
    now, hops = 20, st.integers(1, 40)
    (seeds,) = (one for one in Spec("hoprag-similarity").declared if one.name == "seeds")
    works, fixes = {}, {}
    for number in range(data.draw(st.integers(1, 6))):
        gold = f"g{number}"
        works[gold] = data.draw(st.sets(hops.filter(lambda one: one != now), min_size=1))
        fix = data.draw(st.sampled_from(sorted(works[gold])))
        tried = {*data.draw(st.sets(hops)), fix}
        values = TriedValues(seeds, now, {one: int(one in works[gold]) for one in tried})
        made = rescue(gold, f"seeds 0 to {fix}")
        fixes[gold] = replace(made, steady=values.sentence())
    found = mend(fixes.values())
    assert found is not None
    value = int(found.change.split()[1])
    assert all(value in works[one.gold] for one in found.replayed)
    for one in found.between:
        assert min(works[one.gold]) < value < max(works[one.gold])
    some = [replace(row("a"), fates=tuple(Fate(gold, "p", "cut") for gold in fixes))]
    told = " ".join(fix_summary(some, [fixes])[1:])
    told = re.sub(r": [^:]*\(\d+\)\.", ".", told)
    told = re.sub("all of them|both of them", f"{len(fixes)} of them", told)
    told = re.sub(r"(, it) (is)", r", 1 of them \2", told)
    counts = re.findall(r"(\d+) (?:of them|more (?:is|are) probably)", told)
    assert sum(map(int, counts)) == len(fixes)


def test_of_two_that_keep_as_much_it_is_the_cheaper_one() -> None:
    dear, cheap = rescue("a", "seeds 2 to 3", extra=5), rescue("b", "n_hop 1 to 2", extra=1)
    found = mend([dear, cheap])
    assert found is not None
    assert found.change == cheap.told
    found = mend([replace(dear, extra=0), cheap])
    assert found is not None
    assert found.change == dear.told


def test_what_only_edges_or_nothing_keeps_has_no_mend() -> None:
    assert mend([None, rescue("a", "take an edge", amendments="take")]) is None
    assert mend([]) is None


def test_gold_that_is_not_in_the_index_asks_for_its_document_and_not_for_a_setting() -> None:
    absent, cut = Fate("g0", "", "absent"), Fate("g1", "p", "cut")
    some = [replace(row("a", None, None), fates=(absent, cut))]
    assert fix_summary(some, [{"g0": None}])[-1] == (
        "1 of them is not in the index; no search for a fix has been run for the other one yet."
    )
    told = fix_summary(some, [{"g0": None, "g1": rescue("g1", "top_k 20 to 24")}])
    assert told[0] == "2 gold passages are lost."
    assert told[1] == (
        "With top k and seeds 24 instead of 20, 1 of them is retrieved; no additional "
        "passages are examined for these questions."
    )
    dear = rescue("g1", "n_hop 4 to 5", extra=2)
    assert fix_summary(some, [{"g0": None, "g1": dear}])[1] == (
        "With hops 5 instead of 4, 1 of them is retrieved; "
        "on average, 2.0 additional passages are examined for these questions (currently 3.0)."
    )
    assert told[2:] == ["1 of them is not in the index."]


def test_one_change_is_told_once_where_another_loss_is_retrieved_by_none() -> None:
    some = [replace(row("a", None, None), fates=(Fate("g0", "p", "cut"), Fate("g1", "q", "cut")))]
    assert fix_summary(some, [{"g0": None, "g1": rescue("g1", "top_k 20 to 24")}]) == [
        "2 gold passages are lost.",
        "With top k and seeds 24 instead of 20, 1 of them is retrieved; no additional "
        "passages are examined for these questions.",
        "1 of them is not retrieved by any single change tried.",
    ]


def test_every_lost_passage_is_counted_once_and_a_search_that_stopped_is_no_finding() -> None:
    ends = [Fate(f"g{n}", "" if n == 4 else "p", "absent" if n == 4 else "cut") for n in range(6)]
    some = [replace(row("a", None, None), fates=tuple(ends))]
    short = replace(rescue("g2", "n_hop 4 to 5"), rank=30, short=True)
    known = {
        "g0": rescue("g0", "top_k 20 to 24"),
        "g1": None,
        "g2": replace(short, undecided=True),
        "g3": rescue("g3", "take an edge", amendments="take"),
    }
    shares = {share.name: share.count for share in fix_shares(some, [known])}
    assert shares == {
        "Top k and seeds 24 instead of 20": 1,
        "Other changes": 1,
        "Not retrieved by any change tried": 1,
        "No fix found yet": 1,
        "Not in the index": 1,
        "Not searched yet": 1,
    }


def test_a_rescue_of_a_real_walk_is_a_mend(workbench: Workbench) -> None:
    narrow = "hoprag-coverage(top_k=1,n_hop=1)"
    steps = tuple(make(narrow, workbench).retrieve(QUESTION.text))
    lost = fates(steps, QUESTION.gold, workbench.index)
    found = mend(rescues(QUESTION.text, narrow, workbench, steps, lost).values())
    assert found is not None
    assert found.retriever != narrow
