"""The sentences that say who of those that are compared did better, and why."""

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType, SimpleNamespace

import pytest

from core.funnel.data import Fate
from core.steps import Ranked, Step
from core.types import Hit
from pages.components.compare.verdict import verdict
from tests.pages.compare.comparing import asked, html, opened
from tests.pages.conftest import QUESTION


@pytest.mark.usefixtures("tiny_home")
def test_above_the_columns_it_is_told_why_one_has_gold_that_another_lost() -> None:
    page = html(asked("hybrid,bm25", top_k=3))
    (told,) = re.findall(r"hop-headline' dir='auto'>(.*?)</p>", page)
    assert re.fullmatch(r"BM25 finds both gold passages\. Hybrid misses &#x27;[^;]*&#x27;\.", told)
    assert re.findall(r"<li class='is-(\w+)'", page) == ["found", "missed"]
    found, missed = causes(page)
    assert re.fullmatch(r"BMBM25 finds &#x27;.*?&#x27; at rank \d\.", found)
    assert re.match(r"HYHybrid ranks it \d\w\w, below its top 3", missed)


@pytest.mark.usefixtures("tiny_home")
def test_where_no_gold_differs_a_difference_says_so_and_where_the_rankings_do() -> None:
    page = html(opened(q=QUESTION.text, k="6", show="difference", **{"with": "bm25,dense"}))
    (headline,) = re.findall(r"hop-headline' dir='auto'>(.*?)</p>", page)
    assert re.fullmatch(
        r"Each finds both gold passages: (BM25|Dense) at ranks .*?; (BM25|Dense) at ranks .*?\.",
        headline,
    )
    first, second = causes(page)
    assert re.search(r"(BM25|Dense) finds &#x27;.*?&#x27; at rank \d", first)
    assert re.search(r"(BM25|Dense) finds it at rank \d", second)
    told = r"The rankings differ from rank \d: BM25 has &#x27;.*?; Dense has &#x27;"
    assert re.search(told, page)


@pytest.mark.usefixtures("tiny_home")
def test_the_verdict_tells_where_the_ranks_of_gold_differ_and_two_change_places() -> None:
    app = opened(q=QUESTION.text, k="6", show="difference", **{"with": "hoprag-coverage,bm25"})
    lines, largest = causes(html(app)), LARGEST.search(html(app))
    assert len(lines) == 2
    assert largest
    app.button(key="compare_swap").click().run()
    assert causes(html(app)) == lines  # the best one is first, in whichever order they are compared
    turned = LARGEST.search(html(app))
    assert turned
    assert turned[0] == largest[0]


LARGEST = re.compile(
    r"In HopRAG \(coverage\), (most|the largest component) of the score of [^.]+ (comes from|is) "
    r"[^.]+\."
)


def causes(page: str) -> list[str]:
    """The lines below the headline, each behind the badge of its retriever."""
    lines = re.findall(r"<li class='is-\w+'.*?</li>", page)
    return [re.sub(r"<[^>]*>", "", line) for line in lines]


def fate(gold: str, rank: int, *, lost: bool = False) -> Fate:
    return Fate(gold, gold, "cut" if lost else "kept", rank=rank, k=20)


def compared(
    a: Mapping[str, int],
    b: Mapping[str, int],
    steps: Sequence[tuple[Step, ...]] = ((), ()),
    hand: Sequence[str] = (),
    absent: Sequence[str] = (),
    passages: Mapping[str, Sequence[str]] = MappingProxyType({}),
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
        said=SimpleNamespace(
            held=tuple(a),
            absent=absent,
            author_of=lambda gold: "hand" if gold in hand else "given",
            passages=passages,
        ),
        lists=SimpleNamespace(searched=lambda asked, steps: ()),
        fates=fates,
        top_k=20,
        gold_passage=lambda gold: SimpleNamespace(title=gold.title()),
    )
    told = verdict(found, "AB")  # type: ignore[arg-type]
    return " ".join((told.first, *told.rest))


def test_gold_that_was_marked_by_hand_or_is_not_in_the_index_is_counted_as_such() -> None:
    told = compared({"quaye": 77, "oak": 2}, {"quaye": 3, "oak": 1}, hand=["oak"], absent=["elm"])
    assert told.endswith("1 gold passage is marked by hand. 1 more is not in this index.")


def test_the_verdict_tells_first_why_gold_of_one_is_lost_and_then_counts() -> None:
    assert compared({"quaye": 77, "oak": 2}, {"quaye": 3, "oak": 1}) == (
        "B finds both gold passages. A misses 'Quaye'. "
        "B finds 'Quaye' at rank 3. A ranks it 77th, below its top 20."
    )
    assert compared({"oak": 1, "quaye": 77, "aube": 23}, {"oak": 1, "quaye": 3, "aube": 12}) == (
        "B finds all 3 gold passages. A misses 'Quaye' and 'Aube'. "
        "B finds 'Quaye' at rank 3. A ranks it 77th, below its top 20. "
        "B finds 'Aube' at rank 12. A ranks it 23rd, below its top 20."
    )
    names = [f"passage number {n}" for n in range(4)]
    told = compared(dict.fromkeys(names, 30), dict.fromkeys(names, 3))
    assert told.endswith(
        "B finds 'Passage Number 1' at rank 3. A ranks it 30th, below its top 20. "
        "A also misses 'Passage Number 2' and 'Passage Number 3'."
    )


def test_the_verdict_tells_what_both_lost_and_what_each_did() -> None:
    assert compared({"oak": 7, "quaye": 23}, {"oak": 13, "quaye": 27}) == (
        "Both find 1 of 2 gold passages: A at rank 7; B at rank 13. "
        "Both miss 'Quaye'. A finds 'Oak' at rank 7. B finds it at rank 13. "
        "A ranks 'Quaye' 23rd, below its top 20. B ranks it 27th, below its top 20."
    )
    told = compared({"oak": 7, "quaye": 23, "elm": 50}, {"oak": 31, "quaye": 2, "elm": 60})
    assert told == (
        "B misses 'Oak'. A misses 'Quaye'. Both miss 'Elm'. "
        "A finds 'Oak' at rank 7. B ranks it 31st, below its top 20. "
        "B finds 'Quaye' at rank 2. A ranks it 23rd, below its top 20."
    )
    assert compared({"oak": 1, "quaye": 23}, {"oak": 1, "quaye": 27}) == (
        "Both find 1 of 2 gold passages, at rank 1. Both miss 'Quaye'. "
        "A ranks 'Quaye' 23rd, below its top 20. B ranks it 27th, below its top 20."
    )
    assert compared({"oak": 30}, {"oak": 31}).startswith("Both miss 'Oak'. A ranks 'Oak' 30th")


def test_two_pieces_of_evidence_in_one_passage_are_counted_and_told_once() -> None:
    chunk = {"oak": ["chunk"], "elm": ["chunk"], "quaye": ["other"]}
    told = compared(
        {"oak": 77, "elm": 77, "quaye": 1}, {"oak": 3, "elm": 3, "quaye": 1}, passages=chunk
    )
    assert told == (
        "B finds all 3 pieces of evidence. A misses 'Oak'. "
        "B finds 'Oak' at rank 3. A ranks it 77th, below its top 20."
    )
    told = compared({"oak": 77, "elm": 77}, {"oak": 99, "elm": 99}, passages=chunk)
    assert told.startswith("Both miss 'Oak'. A ranks 'Oak' 77th")


def test_where_all_gold_has_the_same_ranks_the_verdict_says_that() -> None:
    ranks = {"oak": 1, "quaye": 2}
    assert compared(ranks, ranks) == ("Each finds both gold passages, at ranks 1 and 2.")
    first, second = Hit("oak", 1.0), Hit("quaye", 0.5)
    told = compared({"oak": 1}, {"oak": 1}, [(Ranked((first, second)),), (Ranked((first,)),)])
    assert told == (
        "Both find the gold passage, at rank 1. "
        "The rankings differ from rank 2: A has 'quaye'; B has no passage."
    )
