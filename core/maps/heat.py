"""Gold of a run by place on a map, and how much of it was lost there."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from typing_extensions import TypedDict

from core.text.display.plurals import number
from core.text.display.shares import percent


class GoldOutcome(NamedTuple):
    """Gold of a question: its passage, empty if it is not in the index, and if it was lost."""

    passage: str
    lost: bool


class HeatData(TypedDict):
    """Rows of unit, times it is gold, times it was lost; `note` says what is counted, with n."""

    rows: list[list[int]]
    note: str


def heat_data(
    outcomes: Iterable[GoldOutcome], unit: Mapping[str, int], questions: int, retriever: str
) -> HeatData:
    """Count gold by place.

    Parameters
    ----------
    outcomes : of all questions of a run by one retriever.
    unit : the place on the map of each passage.
    questions : how many there are.
    retriever : what it is called.
    """
    gold, lost = Counter[int](), Counter[int]()
    absent = 0
    for outcome in outcomes:
        place = unit.get(outcome.passage)
        if place is None:
            absent += 1
            continue
        gold[place] += 1
        lost[place] += outcome.lost
    note = (
        f"{retriever}, {number(questions, 'question')}: {lost.total():,} of "
        f"{number(gold.total(), 'gold passage')} "
        f"lost ({percent(lost.total() / max(gold.total(), 1))}). Each counts once per question."
    )
    if absent:
        note += f" {absent:,} {'is' if absent == 1 else 'are'} not in the index, so not on the map."
    return HeatData(rows=[[place, gold[place], lost[place]] for place in sorted(gold)], note=note)
