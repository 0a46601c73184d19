"""The sentences that say who of those that are compared did better, and why."""

import re
from collections.abc import Mapping, Sequence
from types import SimpleNamespace

import pytest

from core.funnel.data import Fate
from core.steps import Ranked, Step
from core.types import Hit
from pages.components.compare.verdict import verdict
from tests.pages.comparing import asked, html, opened
from tests.pages.conftest import QUESTION


@pytest.mark.usefixtures("tiny_home")
def test_above_the_columns_it_is_told_why_one_has_gold_that_another_lost() -> None:
    page = html(asked("hybrid,bm25", top_k=3))
    (told,) = re.findall(r"hop-headline' dir='auto'>(.*?)</p>", page)
    assert re.fullmatch(r"BM25 is better here: gold at \d and \d, Hybrid at \d only\.", told)
    (why,) = re.findall(r"hop-why' dir='auto' title='.*?'>(.*?)</p>", page, re.DOTALL)
    assert re.match(
        r"BM25 ranks &#x27;.*?&#x27; \d; Hybrid ranks it \d, below its top 3 \(.*\)\.\n"
        r"BM25 retrieves more: 2 of 2 gold passages",
        why,
    )


@pytest.mark.usefixtures("tiny_home")
def test_where_no_gold_differs_a_difference_says_so_and_where_the_rankings_do() -> None:
    page = html(opened(q=QUESTION.text, k="6", show="difference", **{"with": "bm25,dense"}))
    headline, causes = re.search(
        r"hop-headline'>(.*?)</p><p class='hop-parting.*?>(.*?)<", page, re.DOTALL
    ).groups()  # type: ignore[union-attr]
    assert re.fullmatch(r"[AB] is better here: gold at \d and \d, [AB] at \d and \d\.", headline)
    assert re.match(
        r"[AB] ranks &#x27;.*?&#x27; \d.*?; [AB] ranks it \d.*?\.\n"
        r"Both retrieve both gold passages\.",
        causes,
    )
    assert re.search(r"The rankings first differ at rank \d: A &#x27;.*?, B &#x27;", causes)


@pytest.mark.usefixtures("tiny_home")
def test_the_verdict_tells_where_the_ranks_of_gold_differ_and_two_change_places() -> None:
    app = opened(q=QUESTION.text, k="6", show="difference", **{"with": "hoprag-coverage,bm25"})
    told = re.search(r"hop-parting[^>]*>(.*?\.)\nBoth retrieve", html(app), re.DOTALL)
    assert told
    assert re.search(r"The largest part of its score is \S+ in A", told[1]), told[1]
    app.button(key="compare_swap").click().run()
    turned = re.sub(r"\b[AB](?= (ranks|starts|reaches)|\.$)", lambda one: OTHER[one[0]], told[1])
    assert turned in html(app), turned


OTHER = {"A": "B", "B": "A"}


def fate(gold: str, rank: int, *, lost: bool = False) -> Fate:
    return Fate(gold, gold, "cut" if lost else "kept", rank=rank, k=20)


def compared(
    a: Mapping[str, int],
    b: Mapping[str, int],
    steps: Sequence[tuple[Step, ...]] = ((), ()),
    hand: Sequence[str] = (),
) -> str:
    """The verdict on two with these ranks of gold, of which they keep 20; `steps` are theirs."""
    ranks = {"a": a, "b": b}
    fates = {
        key: {g: fate(g, rank, lost=rank > 20) for g, rank in own.items()}
        for key, own in ranks.items()
    }
    traces = [SimpleNamespace(steps=own, passages={}, edges={}) for own in steps]
    columns = [
        SimpleNamespace(key=key, trace=trace) for key, trace in zip(ranks, traces, strict=True)
    ]
    found = SimpleNamespace(
        columns=columns,
        answered=columns,
        index=SimpleNamespace(shown=dict.fromkeys, number={}),
        said=SimpleNamespace(held=tuple(a), by=lambda gold: "hand" if gold in hand else "given"),
        lists=SimpleNamespace(searched=lambda asked, steps: ()),
        fates=fates,
        top_k=20,
        gold_passage=lambda gold: SimpleNamespace(title=gold.title()),
    )
    told = verdict(found)  # type: ignore[arg-type]
    return " ".join((told.first, *told.rest))


def test_gold_that_was_marked_by_hand_is_counted_as_such() -> None:
    told = compared({"quaye": 77, "oak": 2}, {"quaye": 3, "oak": 1}, hand=["oak"])
    assert "A retrieves 1 of 2 gold passages, B 2 (1 by hand)." in told


def test_the_verdict_tells_first_why_gold_of_one_is_lost_and_then_counts() -> None:
    assert compared({"quaye": 77, "oak": 2}, {"quaye": 3, "oak": 1}) == (
        "B is better here: gold at 1 and 3, A at 2 only. "
        "B ranks 'Quaye' 3; A ranks it 77, below its top 20. A retrieves 1 of 2 gold passages, B 2."
    )
    assert compared({"oak": 1, "quaye": 77, "aube": 23}, {"oak": 1, "quaye": 3, "aube": 12}) == (
        "B is better here: gold at 1, 3 and 12, A at 1 only. "
        "B ranks 'Quaye' 3; A ranks it 77, below its top 20. A retrieves 1 of 3 gold passages, B "
        "3. B ranks 'Aube' 12; A ranks it 23, below its top 20."
    )
    names = [f"passage number {n}" for n in range(4)]
    told = compared(dict.fromkeys(names, 30), dict.fromkeys(names, 3))
    assert told.endswith(
        "B ranks 'Passage Number 1' 3; A ranks it 30, below its top 20. "
        "A lost 'Passage Number 2' and 'Passage Number 3' too."
    )


def test_the_verdict_tells_what_both_lost_and_what_each_did() -> None:
    assert compared({"oak": 7, "quaye": 23}, {"oak": 13, "quaye": 27}) == (
        "A is better here: gold at 7, B at 13; both lose 'Quaye'. "
        "A ranks 'Oak' 7; B ranks it 13. Each retrieves 1 of 2 gold passages. A ranks 'Quaye' "
        "23, below its top 20; B ranks it 27, below its top 20."
    )
    told = compared({"oak": 7, "quaye": 23, "elm": 50}, {"oak": 31, "quaye": 2, "elm": 60})
    assert told == (
        "Neither is better here: A has gold at 7, B at 2; both lose 'Elm'. "
        "A ranks 'Oak' 7; B ranks it 31, below its top 20. Each retrieves 1 of 3 gold passages. "
        "B ranks 'Quaye' 2; A ranks it 23, below its top 20. Both lost 'Elm' too."
    )
    assert compared({"oak": 1, "quaye": 23}, {"oak": 1, "quaye": 27}) == (
        "No difference in gold: both have gold at 1; both lose 'Quaye'. "
        "A ranks 'Quaye' 23, below its top 20; B ranks it 27, below its top 20. "
        "Each retrieves 1 of 2 gold passages."
    )
    assert compared({"oak": 30}, {"oak": 31}).startswith(
        "Neither: both lose 'Oak'. A ranks 'Oak' 30"
    )


def test_where_all_gold_has_the_same_ranks_the_verdict_says_that() -> None:
    ranks = {"oak": 1, "quaye": 2}
    assert compared(ranks, ranks) == (
        "No difference in gold: both have gold at 1 and 2. Both retrieve both gold passages."
    )
    first, second = Hit("oak", 1.0), Hit("quaye", 0.5)
    told = compared({"oak": 1}, {"oak": 1}, [(Ranked((first, second)),), (Ranked((first,)),)])
    assert told == (
        "No difference in gold: both have gold at 1. Both retrieve the gold passage. "
        "The rankings first differ at rank 2: A 'quaye', B nothing."
    )
