"""The changes tried for lost gold, setting by setting, with their outcomes.

It is read from what was asked (`core.funnel.replay`): nothing is told that was not tried, and
nothing that was tried is left out.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from math import comb
from typing import Any, Literal

from core.counterfactual import Seed
from core.funnel.changes import A_SEED, TOP_K, dials, effective_value, turns
from core.funnel.placed_settings import (
    ChangedSettings,
    Place,
    changes_only_top_k,
    differing_settings,
    settings_within,
    top_k_followers,
    with_value,
)
from core.funnel.replay import Asked, Replayed
from core.funnel.rescue import Rescue
from core.funnel.tried_values import TriedValues
from core.playback.wording import begun, join_names
from core.retrievers import Spec
from core.retrievers.settings import Declared
from core.retrievers.spec import Value
from core.text.display.plurals import number

Came = Literal["retrieves", "short", "nothing", "untried"]
"""What came of it; `short` has a rank with it, below those that are retrieved."""
CAME: tuple[Came, ...] = ("retrieves", "short", "nothing", "untried")
"""The best first."""
AN_EDGE, SEVERAL = "one more edge to it or to a neighbour", "combinations"
OVER = "the search stopped first"
"""Why nothing was tried."""
_ALL, _ENDS = 8, 3
"""Values that are listed; of more the first and the last ones."""


@dataclass(frozen=True, slots=True)
class Trial:
    """The outcome of changing one setting, or of another possible change, in words.

    Parameters
    ----------
    what, now : what was changed, and its current value; empty for what is no setting.
    values : the values that were tried; empty if none was.
    told : the outcome, or why it was not tried.
    """

    what: str
    now: str
    values: str
    told: str
    came: Came

    @property
    def left(self) -> bool:
        """Whether the search stopped before it was tried."""
        return self.came == "untried" and self.told.endswith(OVER)

    def to_json(self) -> dict[str, Any]:
        """Return all fields as `Trial` takes them."""
        return asdict(self)


@dataclass(frozen=True)
class Trials:
    """The changes that were tried for one lost gold id, whose passages are `passages`.

    Parameters
    ----------
    spec, asked : the unchanged retriever, and its bracket.
    walks : whether the retriever selects edges and seeds.
    ask : runs a changed retriever, if all passages have a rank, which a longer list shows.
    stopped : whether the search stopped before all changes were tried.
    """

    spec: Spec
    asked: Asked
    passages: Collection[str]
    walks: bool
    ask: Callable[[Spec], Replayed | None] | None
    stopped: bool

    def told(self) -> tuple[Trial, ...]:
        """Return one trial per setting: those that retrieve the gold first."""
        every = [*settings_within(self.spec)]
        trials = [self._trial_of_setting(place, of, one) for place, of, one in every]
        trials += [
            self._trial_with_followers(one)
            for place, _, one in every
            if place == (TOP_K,) and top_k_followers(self.spec)
        ]
        if self.walks:
            trials += [self._by_hand(AN_EDGE), self._by_hand(begun(A_SEED))]
        if len(trials) > 1:
            trials.append(self._combined_trial())
        return tuple(sorted(trials, key=lambda one: CAME.index(one.came)))

    def _trial_of_setting(self, place: Place, of: Spec, one: Declared) -> Trial:
        """Return the trial of one setting at the path `place`."""
        now = of.values[one.name]
        where = f" in {of.card.title}" if len(place) > 1 else ""
        if isinstance(now, Spec):
            outcome = "not tried: this would be a different retriever"
            return Trial(begun(one.title), now.card.title, "", outcome, "untried")
        return self._trial(f"{begun(one.title)}{where}", place, one, self._alone(place))

    def _alone(self, place: Place) -> dict[Any, Replayed | None]:
        """Return the replays in which only one setting changed, by its value."""
        return {
            changed[0][1]: ran
            for changed, ran in self._turned.items()
            if [other for other, _ in changed] == [place]
        }

    def _trial_with_followers(self, top_k: Declared) -> Trial:
        """Return the trial of a larger top k with the settings derived from it kept."""
        kept = {one.name: one.title for one in self.spec.declared}
        pins = join_names(
            [f"{kept[name]} kept at {now}" for (name,), now in top_k_followers(self.spec)]
        )
        what = f"{begun(top_k.title)} with {pins}"
        return self._trial(what, (TOP_K,), top_k, self._with_held())

    def _with_held(self) -> dict[Any, Replayed | None]:
        """Return the replays with another top k and the derived settings fixed, by top k."""
        return {
            dict(changed)[TOP_K,]: ran
            for changed, ran in self._turned.items()
            if changes_only_top_k(self.spec, changed)
        }

    def working_values(self, rescue: Rescue) -> str:
        """Describe which values of the setting that `rescue` changes retrieve the gold.

        It is empty if not exactly one number is changed, or no other value was tried. The table of
        trials says the same about the setting.
        """
        changed = differing_settings(self.spec, Spec.parse(rescue.retriever))
        if rescue.amendments or not rescue.keeps or not changed:
            return ""
        if changes_only_top_k(self.spec, changed):
            return self._values_sentence((TOP_K,), self._with_held())
        return (
            self._values_sentence(changed[0][0], self._alone(changed[0][0]))
            if len(changed) == 1
            else ""
        )

    def _values_sentence(self, place: Place, tried: Mapping[Any, Replayed | None]) -> str:
        """Describe which tried values of a numeric setting retrieve the gold; else empty."""
        spec, setting = next(
            (spec, setting) for at, spec, setting in settings_within(self.spec) if at == place
        )
        if setting.kind not in (int, float):
            return ""
        ranks = {value: self._rank(ran) for value, ran in tried.items() if ran}
        return TriedValues(setting, effective_value(spec, setting), ranks).sentence()

    def _trial(
        self, what: str, place: Place, setting: Declared, tried: Mapping[Any, Replayed | None]
    ) -> Trial:
        """Return the trial of one setting: its present value, the tried values, the outcome."""
        values = _listed([setting.worded(each) for each in sorted(tried)])
        outcome, came = self._outcome(place, setting, tried)
        return Trial(what, setting.worded(self._present_value(place)), values, outcome, came)

    def _outcome(
        self, place: Place, one: Declared, tried: Mapping[Any, Replayed | None]
    ) -> tuple[str, Came]:
        """Return the outcome of the values tried for a setting, in words and as a kind."""
        if not tried:
            return f"not tried: {self._reason_untried(place)}", "untried"
        now = self._effective_value(place)
        keeping = [each for each, ran in tried.items() if self._rank(ran)]
        if keeping:
            first = min(keeping, key=lambda each: _distance_of_value(each, now))
            rank = self._rank(tried[first])
            outcome = f"retrieved at rank {rank:,} when set to {one.worded(first)}"
            working = self._values_sentence(place, tried)
            return f"{outcome}; {working}" if working else outcome, "retrieves"
        if not any(tried.values()):
            return "unknown: this needs a model call", "untried"
        most = one.setting.most
        limit = f"; the maximum is {most:g}" if most in tried else ""
        ranks = {each: self._below(place, each, ran) for each, ran in tried.items() if ran}
        known = [each for each, rank in ranks.items() if rank]
        if not known:
            return f"still not found{limit}", "nothing"
        best = min(known, key=lambda each: (ranks[each], _distance_of_value(each, now)))
        value = one.worded(best)
        return f"not retrieved: rank {ranks[best]:,} at best, when set to {value}{limit}", "short"

    def _reason_untried(self, place: Place) -> str:
        """Return the reason why no other value of the setting at `place` was tried."""
        highest = [dial.to(dial.high) for dial in dials(self.spec) if dial.low <= dial.high]
        others = [change for changes in turns(self.spec) for change in changes]
        turned = [differing_settings(self.spec, change.spec) for change in (*highest, *others)]
        if not any(place == other for changes_made in turned for other, _ in changes_made):
            return "there is no other value to try"
        return OVER if self.stopped else "no value reaches the passage"

    def _by_hand(self, what: str) -> Trial:
        """Return the trial of following an edge or starting at a passage."""
        starts = what != AN_EDGE
        tried = [
            ran
            for (spec, by_hand), ran in self.asked.items()
            if spec == self.spec and by_hand and isinstance(by_hand[0], Seed) == starts
            if ran is None or ran.applied
        ]
        none = "already a seed" if starts else "no edge leads to it from a visited passage"
        values = "" if starts or not tried else number(len(tried), "edge")
        return Trial(begun(what), "", values, *self._summary(tried, none))

    def _combined_trial(self) -> Trial:
        """Return the trial of several settings at once, or of settings with amendments."""
        tried = [
            ran
            for changed, ran in self._turned.items()
            if len(changed) > 1 and not changes_only_top_k(self.spec, changed)
        ]
        tried += [
            ran
            for (spec, by_hand), ran in self.asked.items()
            if by_hand and spec != self.spec and (ran is None or ran.applied)
        ]
        outcome, came = self._summary(tried, "one change is enough")
        if tried and came != "retrieves" and self._untried_combinations:
            outcome = f"{outcome}; {self._untried_combinations:,} more were not tried: {OVER}"
        values = number(len(tried), "combination") if tried else ""
        return Trial(begun(SEVERAL), "", values, outcome, came)

    def _summary(self, tried: Sequence[Replayed | None], none: str) -> tuple[str, Came]:
        """Summarise changes without values; `none` says why there were none to try."""
        if not tried:
            return f"not tried: {OVER if self.stopped else none}", "untried"
        if ranks := list(filter(None, map(self._rank, tried))):
            return f"retrieved at rank {min(ranks):,}", "retrieves"
        if ranks := list(filter(None, map(self._pruned, tried))):
            return f"not retrieved: rank {min(ranks):,} at best", "short"
        return "still not found", "nothing"

    @cached_property
    def _turned(self) -> dict[ChangedSettings, Replayed | None]:
        """Replays with other settings and no edits of the walk."""
        return {
            differing_settings(self.spec, spec): ran
            for (spec, by_hand), ran in self.asked.items()
            if not by_hand and spec != self.spec
        }

    @property
    def _untried_combinations(self) -> int:
        """Number of combinations of settings at their highest values that were not tried.

        These are the pairs, and then one more setting at a time (`core.funnel.search.chains`).
        """
        highest = [dial.to(dial.high).spec for dial in dials(self.spec) if dial.low <= dial.high]
        most = dict(one for spec in highest for one in differing_settings(self.spec, spec))
        tried = [one for one in self._turned if len(one) > 1 and most.items() >= {*one}]
        return max(0, comb(len(most), 2) + max(0, len(most) - 2) - len(tried))

    def _present_value(self, place: Place) -> Any:
        values = {where: of.values[one.name] for where, of, one in settings_within(self.spec)}
        return values[place]

    def _effective_value(self, place: Place) -> Any:
        """Return the present value of a setting; if it follows another, that setting's value."""
        of, one = next((of, one) for at, of, one in settings_within(self.spec) if at == place)
        return effective_value(of, one) if one.kind in (int, float) else of.values[one.name]

    def _rank(self, ran: Replayed | None) -> int:
        """Return the rank of the passage among those retrieved, or 0."""
        return _best(ran.ranks, self.passages) if ran else 0

    def _pruned(self, ran: Replayed | None) -> int:
        """Return the rank of the passage below the cut-off, or 0."""
        return _best(ran.below, self.passages) if ran else 0

    def _below(self, place: Place, value: Value, ran: Replayed) -> int:
        """Return the rank with another value, if needed from a list of maximum length."""
        rank = self._pruned(ran)
        if rank or not self.ask:
            return rank
        spec = with_value(self.spec, place, value)
        most = next(one.setting.most for one in spec.declared if one.name == TOP_K)
        return self._rank(self.ask(spec.with_settings(**{TOP_K: int(most or 0)})))


def progress(trials: Collection[Trial]) -> str:
    """Describe the share of possible changes that was tried; empty if all of them were.

    >>> late = Trial("Hops", "4", "", f"not tried: {OVER}", "untried")
    >>> progress([Trial("Top k", "20", "21", "still not found", "nothing"), late]), progress([])
    ('1 of 2 settings tried', '')
    """
    left = sum(one.left for one in trials)
    tried = sum(one.came != "untried" for one in trials)
    return f"{tried:,} of {number(tried + left, 'setting')} tried" if left else ""


def _best(ranks: Mapping[str, int], passages: Collection[str]) -> int:
    return min((ranks[one] for one in passages if one in ranks), default=0)


def _distance_of_value(value: Any, now: Any) -> float:
    """Return the distance of a value from the present one; 0 for choices."""
    return 0.0 if isinstance(value, str) else abs(value - now)


def _listed(values: Sequence[str]) -> str:
    """Join values as a list, shortened in the middle if it is long.

    >>> _listed(["1", "2"]), _listed([str(n) for n in range(20)])
    ('1, 2', '0, 1, 2 … 17, 18, 19 (20 values)')
    """
    if len(values) <= _ALL:
        return ", ".join(values)
    first, last = ", ".join(values[:_ENDS]), ", ".join(values[-_ENDS:])
    return f"{first} … {last} ({len(values):,} values)"
