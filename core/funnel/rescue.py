"""Fixes: one or two changes that would have retrieved lost gold, with their costs."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from core.funnel.changes import A_SEED, AND, KINDS, Dial, Kind, dials, in_words, turns, variants
from core.funnel.data import Fate
from core.retrievers import Spec
from core.text.display.plurals import number, several

PAIRS = "some combinations of these"
TRIED = 24
"""Edges that are tried for one gold passage, of those that lead to it, and beside it."""


NO_SINGLE = "No single change tried retrieves it"
UNDECIDED = "No fix found yet: the search stopped before all changes were tried"
"""Instead of that none retrieves it."""
ROUGH = "; a smaller change may be enough, but the search stopped"


@dataclass(frozen=True, slots=True)
class Rescue:
    """A fix: a change of one or several settings that retrieves `gold` at `rank`.

    Parameters
    ----------
    change : the stored description, such as 'top_k 20 to 23'; `told` says it in words.
    retriever, amendments : the changed retrieval (`Spec`, `core.counterfactual.parse`).
    extra : additional lists to select from, at least 0.
    seeds : the number of additional seeds.
    kept, of : gold of the question that the change retrieves, and all of it.
    lost : gold that is retrieved without the change but not with it.
    rough : whether the search stopped before the values were minimal.
    undecided : whether the search stopped before all single changes were tried.
    stopped : whether the search ended early, so that a smaller change may exist.
    short : if the gold is only reached, the number of kept passages; `rank` is below that.
    ranked : the number of additional ranked passages, including those below the top k.
    fewer : what it takes fewer rounds of, such as '1 search instead of 3'.
    steady : the values around a changed number that also retrieve the gold, in words
        (`core.funnel.steadiness`); empty if this was not tried.
    others : alternative changes of other kinds, not cheaper, and one that only reaches the gold.
    """

    gold: str
    kind: Kind
    change: str
    retriever: str
    amendments: str
    extra: int
    rank: int
    seeds: int = 0
    kept: int = 0
    of: int = 0
    lost: int = 0
    short: int = 0
    rough: bool = False
    undecided: bool = False
    stopped: bool = False
    ranked: int = 0
    fewer: str = ""
    steady: str = ""
    others: tuple["Rescue", ...] = ()

    def __str__(self) -> str:
        """Return a phrase for the screen.

        >>> print(Rescue("a", "top_k", "top_k 20 to 23", "bm25(top_k=23)", "", 0, 22))
        top k 23 instead of 20: rank 22; no additional lists examined
        >>> print(Rescue("a", "top_k", "top_k 2 to 3", "bm25", "", 0, 3, steady="only 3 works"))
        top k 3 instead of 2: rank 3; no additional lists examined; only 3 works
        >>> print(Rescue("a", "start", "start at it", "kgp", "start(a)", 1, 18, seeds=1))
        make it a seed: rank 18; 1 more list examined
        """
        if self.short:
            return f"{self.told}: rank {self.rank}, still below the top {self.short}"
        begun_there = self.kind == "start" and not self.paired
        price = extra_cost(self.extra, self.retriever, self.seeds * (not begun_there))
        if self.kind == "count" and not (self.extra or self.seeds):
            price = ""  # it says itself of what there is more
            if self.ranked > 0:
                price = f"; {number(self.ranked, 'more passage')} ranked"
        gold = f"; {self._gold}" if self._gold else ""
        then = f" (then {self.fewer})" if self.fewer else ""
        rough, steady = ROUGH if self.rough else "", f"; {self.steady}" if self.steady else ""
        return f"{self.told}{then}: rank {self.rank}{price}{gold}{rough}{steady}"

    @property
    def facts(self) -> tuple[str, ...]:
        """Consequences in a few words each: the rank, the question's gold, and the cost.

        >>> Rescue("a", "top_k", "top_k 20 to 23", "bm25(top_k=23)", "", 2, 22, kept=1, of=2).facts
        ('rank 22', '1 of 2 gold', '2 more lists')
        """
        rank = f"rank {self.rank:,}"
        looked = number(self.extra, f"more {looked_at(self.retriever)}") if self.extra else ""
        ranked = number(self.ranked, "more passage") + " ranked" if self.ranked > 0 else ""
        seeds = number(self.seeds, "more seed") if self.seeds and self.kind != "start" else ""
        return tuple(
            filter(
                None,
                (
                    f"{rank}, below the top {self.short:,}" if self.short else rank,
                    f"{self.kept:,} of {self.of:,} gold" if self.of > 1 and not self.short else "",
                    f"{self.lost:,} newly lost" if self.lost else "",
                    f"then {self.fewer}" if self.fewer else "",
                    seeds,
                    looked or (ranked if self.kind == "count" else ""),
                    "a smaller change may be enough" if self.rough else "",
                    self.steady,
                ),
            )
        )

    @property
    def keeps(self) -> bool:
        """Whether it retrieves `gold`, and does not only reach it."""
        return not self.short

    @property
    def _gold(self) -> str:
        """Effect on all gold of the question; empty if this passage is all of it."""
        if self.of < 2:
            return ""
        if self.kept == self.of:
            return f"{'both' if self.of == 2 else f'all {self.of}'} gold passages retrieved"
        gone = f", {self.lost} newly lost"
        return f"{self.kept} of {self.of} gold passages retrieved{gone if self.lost else ''}"

    @property
    def told(self) -> str:
        """The change in words."""
        return in_words(self.change, Spec.parse(self.retriever))

    @property
    def paired(self) -> bool:
        """Whether it takes several changes at once."""
        return AND in self.change

    @property
    def changes(self) -> int:
        """Number of changes it makes."""
        return 1 + self.change.count(AND)

    @property
    def can_be_set(self) -> bool:
        """Whether it consists of settings alone, which apply to every question."""
        return self.kind not in ("edge", "start")

    @property
    def keeps_all(self) -> bool:
        """Whether the question keeps all of its gold with it."""
        return self.keeps and 0 < self.of == self.kept

    def to_json(self) -> dict[str, Any]:
        """Return all fields in the form that `from_json` reads."""
        return asdict(self)

    @staticmethod
    def from_json(raw: Mapping[str, Any]) -> "Rescue":
        """Read the fix that `to_json` wrote.

        Raises ValueError if `raw` is not a fix, or lacks a field as in earlier versions.
        """
        try:
            return Rescue(**{**raw, "others": tuple(map(Rescue.from_json, raw["others"]))})
        except (AttributeError, KeyError, TypeError) as error:
            raise ValueError(f"not a fix: {error}") from error


def looked_at(retriever: Spec | str) -> str:
    """Return the noun for what a retriever examines: `passage` or `list`."""
    return "passage" if Spec.of(retriever).card.direction else "list"


def extra_cost(extra: int, retriever: Spec | str, seeds: int = 0) -> str:
    """Describe the cost of examining `extra` more passages or lists, as a sentence end.

    >>> extra_cost(1, "hoprag-coverage"), extra_cost(0, "raptor")
    ('; 1 more passage examined', '; no additional lists examined')
    >>> extra_cost(52, "hoprag-coverage", 51)
    '; 52 more passages examined; 51 more seeds'
    """
    if not extra and not seeds:
        return f"; no additional {several(looked_at(retriever))} examined"
    looked = f"{number(extra, f'more {looked_at(retriever)}')} examined" if extra else ""
    more = number(seeds, "more seed") if seeds else ""
    return f"; {'; '.join(filter(None, (looked, more)))}"


def nothing_keeps(retriever: Spec | str, fate: Fate, nearest: Rescue | None) -> str:
    """Explain that no change retrieves the gold, how close one came, and what was tried."""
    if nearest and nearest.undecided:
        return no_change(fate, nearest)
    return f"{no_change(fate, nearest)} {tried_for(retriever, fate)}"


def no_change(fate: Fate, nearest: Rescue | None) -> str:
    """Explain that no change retrieves the gold, and how close the `nearest` came.

    Without a nearest change, it says how close the passage is in the retrieval itself, if known.
    """
    none = UNDECIDED if nearest and nearest.undecided else NO_SINGLE
    if nearest:
        return f"{none}. Closest: {nearest}."
    return (
        f"{none}, and none reaches it. Closest without a change: {fate.near[0]}."
        if fate.near
        else f"{none}."
    )


def tried_for(retriever: Spec | str, fate: Fate) -> str:
    """Return the sentence that lists which changes were tried."""
    return f"Tried: {tried(retriever, seed=_is_seed(fate))}."


def _is_seed(fate: Fate) -> bool:
    return fate.stage == "cut" and fate.hop == 0


def tried(retriever: Spec | str, *, seed: bool = False) -> str:
    """List the changes tried for a lost passage, one at a time.

    A passage that is a `seed` already is not tried as a start.

    >>> tried("dense(top_k=20)")
    'top k up to 100 instead of 20'
    >>> tried("hoprag-similarity(n_hop=7)").partition(", seeds up to ")[0]
    'top k and seeds up to 100 instead of 20 (also still with 20 seeds), hops up to 8 instead of 7'
    """
    spec = Spec.of(retriever)
    walks = _walks(spec)
    edges = (
        [f"one more followed edge, to it or to a neighbour (at most {TRIED} of each)"]
        if walks
        else []
    )
    starts = [A_SEED] if walks and not seed else []
    kinds = [*_turned(spec), *edges, *starts, *_other_values(spec)]
    return ", ".join([*kinds, PAIRS] if len(kinds) > 1 else kinds)


def _turned(spec: Spec) -> list[str]:
    """List the settings that are raised, each with the highest value tried."""
    return [_up_to(dial, spec) for dial in dials(spec) if dial.low <= dial.high]


def _up_to(dial: Dial, spec: Spec) -> str:
    """Describe a setting with its highest value, and the settings fixed in a second attempt."""
    most = [one.to(one.high).text.replace(" to ", " to up to ", 1) for one in variants(spec, dial)]
    first, *held = (in_words(text, spec) for text in most)
    also = [f" (also {one.rpartition(', ')[2]})" for one in held]
    return "".join([first, *also])


def _other_values(spec: Spec) -> list[str]:
    """List the remaining settings, and whether counts are lowered as well.

    >>> _other_values(Spec("hipporag2"))
    ['other values of enough, dense, damping', 'smaller counts']
    """
    kinds = {changes[0].kind for changes in turns(spec) if changes}
    names = [
        one.title
        for each in spec.all_of_it()
        for one in each.declared
        if one.kind in (float, bool) or one.setting.choices
    ]
    weights = [f"other values of {', '.join(dict.fromkeys(names))}"] if names else []
    return [*weights, *(["smaller counts"] if "count" in kinds else [])]


def _walks(spec: Spec) -> bool:
    return any(one.card.direction for one in spec.all_of_it())


def cost(rescue: Rescue) -> tuple[bool, bool, bool, int, int, int]:
    """Return the sort key of changes, the smallest first (`ORDER`)."""
    start, top_k = rescue.kind == "start", rescue.kind == "top_k"
    kind = KINDS.index(rescue.kind)
    return rescue.lost > 0, start, top_k, rescue.extra, rescue.rank, kind
