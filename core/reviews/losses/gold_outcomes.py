"""The fate of each gold id in a ranking without steps, with its text."""

from dataclasses import dataclass

from core.funnel.data import Fate
from core.marks.applying import passages_of
from core.marks.gold import asked_text
from core.reviews.losses.lost_gold import titled
from core.runs.run import Row
from core.store.index import Index


@dataclass(frozen=True, slots=True)
class GoldEnd:
    """A gold passage, document or piece of evidence of a question.

    `told` says what became of it, `text` is the evidence or the text of a passage that holds it,
    empty where neither is known.
    """

    gold: str
    title: str
    told: str
    text: str
    lost: bool


def gold_ends(row: Row, index: Index) -> list[GoldEnd]:
    """Return the outcome of each gold id of `row`, lost ones first."""
    ends = []
    for fate in sorted(row.fates, key=lambda one: not one.lost):
        named = asked_text(row.question, fate.gold)
        text = named.text if named else _text(fate, index)
        ends.append(GoldEnd(fate.gold, titled(fate, row, index), ended(fate), text, fate.lost))
    return ends


def ended(fate: Fate) -> str:
    """Return the outcome of a gold passage, with its rank if the run has one.

    >>> ended(Fate("a", "a", "cut", rank=57, k=20)), ended(Fate("a", "a", "unranked"))
    ('rank 57 of this run, below the top 20', 'not in the ranking')
    """
    if fate.stage not in ("kept", "unused", "cut") or not fate.rank:
        return str(fate)
    return ", ".join([f"rank {fate.rank:,} of this run", *([fate.words] if fate.lost else [])])


def _text(fate: Fate, index: Index) -> str:
    names = (fate.passage, *passages_of(index, fate.gold))
    held = next((name for name in names if name in index.number), "")
    return index.passage(held).text if held else ""
