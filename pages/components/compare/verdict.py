"""Compare retrievers by the gold that they retrieve, in sentences."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.difference.explanations import (
    Account,
    Cause,
    account,
    also_missed,
    apart,
    by_parts,
    causes,
    first_difference,
    moved,
)
from core.difference.outcome import counted, outcome, told_once
from core.funnel.ends import nearest_things
from core.text.display.plurals import number
from pages.components.compare.comparison import Column, Comparison


@dataclass(frozen=True)
class Verdict:
    """Which retrieval finds which gold: a headline, the causes, and more sentences."""

    first: str
    causes: tuple[Cause, ...] = ()
    more: tuple[str, ...] = ()

    @property
    def rest(self) -> tuple[str, ...]:
        """Return the sentences that explain the headline."""
        return (*map(str, self.causes), *self.more)


def verdict(found: Comparison, names: Sequence[str]) -> Verdict:
    """Say which retrieval finds which gold, and why they differ in it or in its ranks.

    Where they agree on gold, say where their rankings differ.

    Parameters
    ----------
    names : of the columns that were answered.
    """
    held = found.said.held
    if not held:
        return Verdict(_no_gold(found))
    about = _gold_remarks(found)
    if len(names) < 2:
        fates = found.fates[found.answered[0].key]
        kept = sum(not fates[gold].lost for gold in held)
        share = f"{kept} of {counted(held, found.said.passages)}"
        return Verdict(f"{names[0]} finds {share} in the top {found.top_k}.", more=about)
    accounts = [_account(found, *one) for one in zip(names, found.answered, strict=True)]
    passages = found.said.passages
    titles = {gold: _title(found, gold) for gold in held}
    gold = {name: titles[name] for name in told_once(held, passages)}
    first, told = outcome(accounts, titles, passages), tuple(causes(accounts, gold))
    also = also_missed(accounts, gold)
    lost = [{gold for gold in held if one.fates[gold].lost} for one in accounts]
    if any(each != lost[0] for each in lost):
        return Verdict(first, told, (*also, *about))
    shift = tuple(moved(accounts, gold)[:1])
    parts = [by_parts(accounts, one) for one in apart(accounts, gold)[:1]]
    more = (*parts, *also, first_difference(accounts), *about)
    return Verdict(first, (*shift, *told), tuple(filter(None, more)))


def _no_gold(found: Comparison) -> str:
    """Explain why gold does not count: the question has none, or none of it is in the index."""
    if not found.gold:
        return "This question has no known gold passages."
    if len(found.gold) == 1:
        return "The gold passage is not in this index, so no retriever can find it."
    some = f"None of the {len(found.gold):,} gold passages is in this index"
    return f"{some}, so no retriever can find them."


def _gold_remarks(found: Comparison) -> tuple[str, ...]:
    """Return sentences on gold marked by hand and on gold that no passage contains."""
    gold = found.said
    hand = sum(gold.author_of(one) == "hand" for one in gold.held)
    marked = f"{number(hand, 'gold passage')} {_is_or_are(hand)} marked by hand."
    missing = f"{len(gold.absent):,} more {_is_or_are(len(gold.absent))} not in this index."
    return (*([marked] if hand else ()), *([missing] if gold.absent else ()))


def _is_or_are(count: int) -> str:
    return "is" if count == 1 else "are"


def _account(found: Comparison, name: str, column: Column) -> Account:
    """Return what one retrieval did with the gold: fates, titles, and passages near lost gold."""
    trace = column.trace
    if trace is None:
        raise ValueError(f"{column.key} has no answer")
    known = found.index.shown(name for name in trace.passages if name in found.index.number)
    titles = {name: known.get(name, each.title) for name, each in trace.passages.items()}
    fates = found.fates[column.key]
    near = nearest_things(trace.steps, fates, found.index, found.lists)
    return account(name, trace, fates, titles, near)


def _title(found: Comparison, gold: str) -> str:
    passage = found.gold_passage(gold)
    return (passage.title if passage else "") or gold
