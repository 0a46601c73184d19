"""Conclusion of a study: its best line, the margin, and whether it is significant."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import comb

import numpy as np

from core.evaluation.paired import FEWEST, Difference, difference, interval_text
from core.playback.wording import begun
from core.retrievers import Spec
from core.runs import Run, Runs
from core.runs.analysis.leaderboard import interval
from core.studies.definition import COSTS, SHARES, SIMILARITIES
from core.studies.naming import differing_settings, label_of, setting_title, value_text, written
from core.studies.results import Cell, Line, Results, by_question, cell_of
from core.studies.variants import Variant
from core.text.display.plurals import is_plural, number, quantity, several, spelled_first

_USUAL = "R@5"
_LEVEL = 0.05
_CHEAPER = 0.95
"""Share of the cost of the best line below which another line is called cheaper."""
_NAMED = 3
"""Most names in a list; a longer list is counted."""
_COSTS = {"tokens": "tokens", "calls": "model calls", "judgements": "candidate lists"}
"""Costs that a conclusion names, the most expensive one first."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a study with the values that are compared.

    Parameters
    ----------
    name : of the line, or the value of the swept setting.
    shares : the measure by question, in [0, 1].
    costs : means per question by cost, for the costs that the study measures.
    is_default : whether the line has the default of the swept setting, or without one all
        defaults of its retriever.
    """

    name: str
    shares: Mapping[str, float]
    costs: Mapping[str, float]
    is_default: bool = False

    @property
    def mean(self) -> str:
        """The mean in percent, as tables print it."""
        return f"{interval([*self.shares.values()]).mean:.1f}"


@dataclass(frozen=True, slots=True)
class Conclusion:
    """The conclusion of a study.

    Parameters
    ----------
    lead : what the study shows, in one or two sentences.
    detail : the difference from the next line, a cheaper line that is not significantly worse, and
        the test.
    """

    lead: str
    detail: str = ""


def headline_measure(results: Results) -> str:
    """Return the measure of the conclusion: R@5, or else the first that is no cost."""
    quality = [one for one in results.study.measures if one not in (*COSTS, *SHARES, *SIMILARITIES)]
    ordered = sorted(quality, key=lambda one: one != _USUAL)
    return next((one for one in ordered if any(by_question(x, one) for x in results.lines)), "")


def conclusion_of(results: Results) -> Conclusion | None:
    """Return the conclusion of a finished study; None before that, or without any measure.

    Raises
    ------
    StoreError : the runs cannot be read.
    """
    measure = headline_measure(results) if results.complete else ""
    known = [line for line in results.lines if measure and by_question(line, measure)]
    if not known:
        return None
    return _study_conclusion(known, measure, results.study.measures)


def conclusion_of_run(
    runs: Runs, run: Run, measure: str, retrievers: Sequence[str]
) -> Conclusion | None:
    """Return the conclusion of some retrievers of a run; None without any measure.

    Raises
    ------
    StoreError : the run cannot be read.
    """
    specs = [spec for one in retrievers if (spec := Spec.known(one))]
    names = differing_settings(specs)
    lines = [
        Line(
            Variant(runs.path.parent),
            run,
            spec,
            spec,
            spec.values,
            tuple((name, spec.values[name]) for name in names),
        )
        for spec in specs
    ]
    known = [line for line in lines if by_question(line, measure)]
    return _study_conclusion(known, measure, COSTS) if known else None


def _study_conclusion(known: list[Line], measure: str, measures: Sequence[str]) -> Conclusion:
    """Draw the conclusion from the lines of a study with results."""
    setting = swept_setting(known)
    noun = "value" if setting else "retriever" if _one_index(known) else "variant"
    if setting:
        known = sorted(known, key=lambda line: _sort_key(line.named.effective_values()[setting]))
    entries = [_conclusion_entry(line, measure, setting, measures) for line in known]
    title = setting_title(setting, [known[0].named]) if setting else ""
    return conclude(entries, measure, noun=noun, setting=title)


def swept_setting(lines: Sequence[Line]) -> str:
    """Return the one setting in which lines of one retriever on one index differ; else nothing."""
    names = differing_settings([line.named for line in lines]) if _one_index(lines) else []
    return names[0] if len(names) == 1 else ""


def conclude(entries: Sequence[Entry], measure: str, *, noun: str, setting: str = "") -> Conclusion:
    """Draw the conclusion from a comparison of `entries` by `measure`.

    The best entry is compared with each of the others, question by question. It was chosen among
    all entries by the same questions, so p is corrected for all pairs (Bonferroni).

    Parameters
    ----------
    noun : what an entry is: `value`, `retriever`, `variant`.
    setting : title of the setting whose values are the names of the entries, if they are values.
    """
    ordered = sorted(entries, key=lambda one: -_mean(one))
    first, last = ordered[0], ordered[-1]
    if len(entries) == 1:
        return Conclusion(
            f"{measure} of {_entry_name(first.name, setting)}: {_with_interval(first)}."
        )
    if first.mean == last.mean:
        every = "both" if len(entries) == 2 else f"all {len(entries):,}"
        of = f"{several(noun)} of {setting}" if setting else several(noun)
        return Conclusion(f"{measure} is {first.mean}% for {every} {of}.")
    tied = [one for one in ordered if one.mean == first.mean]
    best = _reference(tied)
    others = [one for one in ordered if one.mean != first.mean]
    pairs = [(one, pair) for one in others if (pair := _pair(best, one, measure))]
    lower = [one for one, pair in pairs if _is_lower(pair, len(entries))]
    names = f"{_together(tied, entries, noun, setting)}{_with_default(tied, setting)}"
    lead = f"{measure} is highest with {names}: {first.mean}%"
    corrected = " after Bonferroni correction" if len(entries) > 2 else ""
    verdict = _verdict(pairs, len(lower), noun, setting, corrected)
    near = [one for one in ordered if one not in lower]
    detail = [
        *_lower_ones(pairs, setting),
        *_cheaper(best, near, setting),
        *_test(pairs, len(entries)),
    ]
    return Conclusion(f"{lead}{verdict}", " ".join(detail))


def _conclusion_entry(line: Line, measure: str, setting: str, measures: Sequence[str]) -> Entry:
    """Return a line with its measure by question and its costs, to be compared with the others.

    Its name is the value of `setting`, if one is swept; `default` marks the value that is not
    changed.
    """
    name = (
        value_text(setting, line.named.values[setting], line.named) if setting else label_of(line)
    )
    costs = {one: cell_of(line, one).mean for one in _COSTS if one in measures}
    known = {one: mean for one, mean in costs.items() if mean is not None}
    default = not line.named.settings
    if setting:
        declared = next(one for one in line.named.declared if one.name == setting)
        default = line.named.values[setting] == declared.default
    return Entry(name, by_question(line, measure), known, default)


def _one_index(lines: Sequence[Line]) -> bool:
    return all(line.variant == lines[0].variant for line in lines)


def _sort_key(value: object) -> tuple[bool, float]:
    """Return a key that sorts numbers by size and leaves other values in their order."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return not is_number, float(str(value)) if is_number else 0.0


def _mean(entry: Entry) -> float:
    return float(np.mean([*entry.shares.values()]))


def _with_interval(entry: Entry) -> str:
    known = interval([*entry.shares.values()])
    spread = interval_text(known.low, known.high)
    return f"{entry.mean}%" + (f" (95% interval {spread})" if spread else "")


def _reference(tied: Sequence[Entry]) -> Entry:
    """Return the entry that represents the best ones: the default, or the cheapest."""
    return min(tied, key=lambda one: (not one.is_default, *one.costs.values()))


def _pair(best: Entry, other: Entry, measure: str) -> Difference | None:
    shared = [words for words in best.shares if words in other.shares]
    apart = [best.shares[words] - other.shares[words] for words in shared]
    return difference(measure, np.array(apart, dtype=np.float64)) if apart else None


def _is_lower(pair: Difference, entries: int) -> bool:
    return pair.tested is not None and pair.mean > 0 and pair.p * comb(entries, 2) < _LEVEL


def _verdict(
    pairs: Sequence[tuple[Entry, Difference]], lower: int, noun: str, setting: str, corrected: str
) -> str:
    """Describe how many of the others are significantly worse, as the end of the lead."""
    others = len(pairs)
    if not pairs or max(pair.n for _, pair in pairs) < FEWEST:
        return ". There are too few questions to test the difference."
    if lower == 0:
        told = f"{_subject(pairs[0][0], setting)} not" if others == 1 else f"No other {noun} is"
        return f". {told} significantly worse{corrected}."
    if lower < others:
        return f", significantly above {lower:,} of the {others:,} other {several(noun)}."
    all_ = f"{'both' if others == 2 else f'all {others:,}'} other {several(noun)}"
    return (
        f", significantly above {_entry_name(pairs[0][0].name, setting) if others == 1 else all_}."
    )


def _lower_ones(pairs: Sequence[tuple[Entry, Difference]], setting: str) -> Iterator[str]:
    """Yield how far the next entry and the default of a swept setting are below the best."""
    for at, (entry, pair) in enumerate(pairs):
        default = bool(setting) and entry.is_default
        if at and not default:
            continue
        below = f"{pair.mean:z.1f}"
        spread = interval_text(pair.low, pair.high, "z.1f")
        name = f"{_entry_name(entry.name, setting)}{' (default)' if default else ''}"
        told = f"Next: {name}" if at == 0 else begun(spelled_first(name))
        points = "point" if below == "1.0" else "points"
        interval_told = f" (95% interval {spread})" if spread else ""
        yield f"{told}, {entry.mean}%, {below} {points} lower{interval_told}."


def _cheaper(best: Entry, near: Sequence[Entry], setting: str) -> Iterator[str]:
    """Yield the cheapest entry that is not significantly worse, if it is cheaper than the best."""
    cost = next((one for one in _COSTS if best.costs.get(one)), "")
    if not cost:
        return
    most = _CHEAPER * best.costs[cost]
    rivals = [one for one in near if 0 < one.costs.get(cost, 0.0) < most]
    if rivals:
        least = min(rivals, key=lambda one: one.costs[cost])
        few, many = (written(Cell(1, one.costs[cost]), cost) for one in (least, best))
        unit = f"{_COSTS[cost]} per question"
        verb = "use" if setting and is_plural(_entry_name(least.name, setting)) else "uses"
        name = _subject(least, setting)
        yield f"{name} not significantly worse and {verb} {few} instead of {many} {unit}."


def _test(pairs: Sequence[tuple[Entry, Difference]], entries: int) -> Iterator[str]:
    """Yield the test, and over how many questions."""
    if not pairs:
        return
    asked = {pair.n for _, pair in pairs}
    over = number(min(asked), "question")
    if max(asked) < FEWEST:
        yield f"Compared on {over}."
        return
    corrected = f" with Bonferroni correction for {comb(entries, 2):,} pairs" if entries > 2 else ""
    least = "" if len(asked) == 1 else "at least "
    test = f"a paired permutation test{corrected} over {least}{over}"
    yield f"Significant means p < {_LEVEL:g} in {test}."


def _entry_name(name: str, setting: str) -> str:
    """Return the name of an entry, or a value of the swept setting, such as `1 hop`."""
    return quantity(name, setting) if setting else name


def _subject(entry: Entry, setting: str) -> str:
    """Return an entry and its verb as the beginning of a sentence: `One hop is`, `BM25 is`."""
    name = _entry_name(entry.name, setting)
    verb = "are" if setting and is_plural(name) else "is"
    return f"{begun(spelled_first(name) if setting else name)} {verb}"


def _with_default(tied: Sequence[Entry], setting: str) -> str:
    """Return that the default of a swept setting is among the best, or nothing."""
    default = next((one.name for one in tied if setting and one.is_default), "")
    if not default:
        return ""
    return " (default)" if len(tied) == 1 else f" (default {default})"


def _together(some: Sequence[Entry], all_: Sequence[Entry], noun: str, setting: str) -> str:
    """Return the names of some entries in their order: `2 to 6 hops`, `BM25 and Dense`.

    More than a few are counted, unless they are consecutive values of a setting.
    """
    places = [at for at, one in enumerate(all_) if one in some]
    names = [all_[at].name for at in places]
    if setting and len(names) > 2 and places[-1] - places[0] == len(names) - 1:
        return _entry_name(f"{names[0]} to {names[-1]}", setting)
    if len(names) > _NAMED:
        of = f" of {setting}" if setting else ""
        return f"{len(names):,} of {len(all_):,} {several(noun)}{of}"
    *before, last = names
    return _entry_name(f"{', '.join(before)} and {last}" if before else last, setting)
