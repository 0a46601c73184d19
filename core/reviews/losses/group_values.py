"""The value of a setting that retrieves most of a group of lost gold, and what proves it."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.funnel.changes import KEEPING, KINDS, TOP_K, followers
from core.funnel.rescue import Rescue
from core.funnel.tried_values import working_at
from core.retrievers import Spec

_VALUE = re.compile(r" ([\d.,]+) to ([\d.,]+)")


@dataclass(frozen=True, slots=True)
class Mend:
    """A change of one setting for several losses; `change` is in words.

    Parameters
    ----------
    retriever : the changed retriever (`Spec`).
    replayed : fixes of the losses that exactly this change retrieves.
    between : fixes of the losses for which smaller and larger values work, and this value was not
        tried.
    """

    retriever: str
    change: str
    replayed: tuple[Rescue, ...]
    between: tuple[Rescue, ...] = ()

    @property
    def extra(self) -> float:
        """Mean number of additional lists where exactly this change was replayed."""
        same = self._same_retriever
        return sum(one.extra for one in same) / len(same)

    @property
    def seeds(self) -> int:
        """Largest number of additional seeds."""
        return max(one.seeds for one in self._same_retriever)

    @property
    def smallest(self) -> bool:
        """Whether no smaller change was found for any of the losses, by searches that ended."""
        ended = not any(one.rough or one.stopped or one.undecided for one in self.replayed)
        return ended and not self.between and len(self._same_retriever) == len(self.replayed)

    @property
    def _same_retriever(self) -> list[Rescue]:
        return [one for one in self.replayed if one.retriever == self.retriever]


def mend(rescues: Iterable[Rescue | None]) -> Mend | None:
    """Return the value of a setting that retrieves most of the lost gold; None if there is none.

    Ties go to the value that was replayed for more gold, then to the cheaper one. A higher top k
    comes behind any other setting: it is the cheapest where nothing else helps.
    """
    settings: dict[str, list[Rescue]] = {}
    for rescue in rescues:
        if rescue and rescue.keeps and not rescue.amendments:
            settings.setdefault(_VALUE.sub("", rescue.change), []).append(rescue)
    offered = [(one, _at_value(one, same)) for same in settings.values() for one in same]
    return max(offered, key=lambda each: _helps(*each))[1] if offered else None


def change_names(fixes: Iterable[Rescue]) -> list[tuple[str, int]]:
    """Return names of the changes of `fixes`, each with their number, the most frequent first."""
    groups: dict[str, list[Rescue]] = {}
    for one in fixes:
        groups.setdefault(_kind_name(one) or _VALUE.sub("", one.change), []).append(one)
    counts = Counter({_name(same): len(same) for same in groups.values()})
    return counts.most_common()


def _kind_name(fix: Rescue) -> str:
    """Return the name of a change that is not one setting; empty for one setting."""
    if fix.paired:
        return "several changes together"
    return {"edge": "one more followed edge", "start": "a new seed"}.get(fix.kind, "")


def _name(same: Sequence[Rescue]) -> str:
    """Return the change of fixes of one kind: its words, or the setting if its values differ."""
    if name := _kind_name(same[0]):
        return name
    if len({one.retriever for one in same}) == 1:
        return same[0].told
    setting, _, kept = same[0].told.partition(",")
    title = setting.partition(" instead of ")[0].rpartition(" ")[0]
    return f"other values of {title}{f' ({kept.strip()})' if kept else ''}"


def _at_value(fix: Rescue, same: Sequence[Rescue]) -> Mend:
    """Return the change of `fix` with the fixes of the `same` setting that it covers."""
    proofs = [_proof(fix, one) for one in same]
    replayed, between = (
        tuple(one for one, proof in zip(same, proofs, strict=True) if proof == which)
        for which in ("replayed", "between")
    )
    return Mend(fix.retriever, fix.told, replayed, between)


def _proof(fix: Rescue, one: Rescue) -> str:
    """Return the evidence that the change of `fix` retrieves the gold of `one`; else empty."""
    if fix.retriever == one.retriever:
        return "replayed"
    value = _value(fix)
    if fix.paired or value is None:
        return ""
    if _only_cuts(fix) and value > (_value(one) or 0):
        return "replayed"
    return working_at(one.steady, value)


def _only_cuts(fix: Rescue) -> bool:
    """Return whether a larger top k only adds passages to the end of the ranking."""
    spec = Spec.parse(fix.retriever)
    if fix.kind != TOP_K or spec.asks_model or len([*spec.all_of_it()]) > 1:
        return False
    return KEEPING in fix.change or not followers(spec)


def _helps(fix: Rescue, offer: Mend) -> tuple[bool, int, int, float, int]:
    kept = len(offer.replayed)
    order = -KINDS.index(fix.kind)
    return fix.kind != TOP_K, kept + len(offer.between), kept, -offer.extra, order


def _value(fix: Rescue) -> float | None:
    """Return the number that the fix sets; None if it sets a choice."""
    read = _VALUE.search(fix.change)
    return float(read[2].replace(",", "")) if read else None
