"""One change for a group of losses: that which keeps most."""

from dataclasses import replace

from core.artefacts.workbench import Workbench
from core.funnel.attempts import rescues
from core.funnel.data import Fate
from core.funnel.fates import fates
from core.funnel.rescue import Rescue
from core.retrievers import make
from core.reviews.losses.common_fix import fix_summary, mend
from tests.core.five import QUESTION
from tests.core.reviews.rows import row


def rescue(gold: str, change: str, extra: int = 0, amendments: str = "") -> Rescue:
    kind = "edge" if amendments else "hop" if change.startswith("n_hop") else "top_k"
    kind = "count" if change.startswith("seeds") else kind
    value = change.rpartition(" ")[2]
    retriever = f"hoprag-similarity({change.split()[0]}={value})"
    return Rescue(gold, kind, change, "bm25" if amendments else retriever, amendments, extra, 1)


def test_the_setting_that_keeps_most_is_turned_as_far_as_one_of_them_needs() -> None:
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
    assert (found.kept, found.losses, found.edges, found.extra) == (1, 5, 1, 4)
    found = mend([rescue("a", "top_k 20 to 23"), rescue("b", "top_k 20 to 21"), None])
    assert found is not None
    assert found.retriever == "hoprag-similarity(top_k=23)"


def test_what_a_larger_value_keeps_is_only_said_where_it_was_tried() -> None:
    some = [replace(row("a", None, None), fates=tuple(Fate(f"g{n}", "p", "cut") for n in range(3)))]
    more = {f"g{n}": rescue(f"g{n}", f"n_hop 4 to {hops}") for n, hops in enumerate((5, 5, 6))}
    assert fix_summary(some, [more])[1] == (
        "With hops 6 instead of 4, 1 of them is retrieved; 2 more are retrieved with a smaller "
        "change, so this change was not tried for them; no additional passages are examined."
    )
    ranks = {f"g{n}": rescue(f"g{n}", f"top_k 20 to {k}") for n, k in enumerate((21, 22, 23))}
    assert (
        "With top k and seeds 23 instead of 20, all of them are retrieved;"
        in fix_summary(some, [ranks])[1]
    )
    seeds = {name: replace(one, seeds=2) for name, one in ranks.items()}
    assert (
        "With top k and seeds 23 instead of 20, 1 of them is retrieved; 2 more"
        in fix_summary(some, [seeds])[1]
    )


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
        "passages are examined."
    )
    dear = rescue("g1", "n_hop 4 to 5", extra=2)
    assert fix_summary(some, [{"g0": None, "g1": dear}])[1] == (
        "With hops 5 instead of 4, 1 of them is retrieved; "
        "2.0 additional passages are examined per question on average (currently 3.0)."
    )
    assert told[2:] == ["1 of them is not in the index."]


def test_one_change_is_told_once_where_another_loss_is_retrieved_by_none() -> None:
    some = [replace(row("a", None, None), fates=(Fate("g0", "p", "cut"), Fate("g1", "q", "cut")))]
    assert fix_summary(some, [{"g0": None, "g1": rescue("g1", "top_k 20 to 24")}]) == [
        "2 gold passages are lost.",
        "With top k and seeds 24 instead of 20, 1 of them is retrieved; no additional "
        "passages are examined.",
        "1 of them is not retrieved by any single change tried.",
    ]


def test_a_rescue_of_a_real_walk_is_a_mend(workbench: Workbench) -> None:
    narrow = "hoprag-coverage(top_k=1,n_hop=1)"
    steps = tuple(make(narrow, workbench).retrieve(QUESTION.text))
    lost = fates(steps, QUESTION.gold, workbench.index)
    found = mend(rescues(QUESTION.text, narrow, workbench, steps, lost).values())
    assert found is not None
    assert found.retriever != narrow
