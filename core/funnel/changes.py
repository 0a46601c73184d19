"""Changes of a retrieval: a number among its settings, a seed, or an edge more."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from core.counterfactual import Amendments
from core.funnel.reach import ROUNDS
from core.playback.wording import join_names
from core.retrievers import Spec
from core.retrievers.settings import Declared, as_text
from core.retrievers.spec import Value
from core.text.display.plurals import ordinal

Kind = Literal["hop", "edge", "start", "count", "weight", "top_k"]
"""`count` is another setting that says how much is looked at, `weight` one that is no count."""

Choice: TypeAlias = str | float
"""A value of a setting that is no retriever; true and false are numbers here."""

KINDS: tuple[Kind, ...] = ("hop", "edge", "count", "weight", "top_k", "start")
"""Which of them comes first, where all else is equal; to keep more explains least, and to start at
what is looked for nothing.
"""

TOP_K = "top_k"
LESS, MORE = (0.75, 0.5, 0.25, 0.0), (1.5, 2.0, 3.0, 5.0)
"""What a weight is multiplied by, nearest first; a count by what is less alone."""
AND = " + "
"""Stands between the texts of changes that are made at once."""
START, A_SEED = "start at it", "make it a seed"
"""The text of a change of the seeds, and that for people."""
UP_TO = "up to "
"""Before the value of a change that was tried with less, too."""
KEEPING = " keeping "
"""Before the settings that a larger top k would change, too, and that stay as they are."""
_TURNED = re.compile(
    r"(\w+) (\S+) to ((?:up to )?\S+)((?: in [\w-]+)*)(?: keeping ((?:\w+ \d+)(?:, \w+ \d+)*))?"
)
_TAKEN = re.compile(r"take (?:edge (\d+)|the edge)(?: to ('.+'))? of '(.+)' at hop (\d+)")


@dataclass(frozen=True, slots=True)
class Change:
    """A change of a retrieval: the new `spec` and `amendments`, and the `text` to store
    (`in_words`).
    """

    kind: Kind
    text: str
    spec: Spec
    amendments: Amendments = ()

    @property
    def paired(self) -> bool:
        """Whether the change combines several."""
        return AND in self.text


def in_words(change: str, spec: Spec) -> str:
    """Describe the text of a `Change` for the screen.

    `spec` is the retriever with the change, or without it.

    >>> in_words("top_k 20 to 24", Spec("bm25"))
    'top k 24 instead of 20'
    >>> in_words("seeds 0 to 7", Spec("hoprag-coverage"))
    'seeds 7 instead of 20'
    >>> in_words("n_hop 2 to 3 in hoprag-similarity", Spec("rerank"))
    'hops 3 instead of 2 in HopRAG (similarity)'
    >>> in_words("start at it + top_k 20 to 24", Spec("bm25"))
    'make it a seed and top k 24 instead of 20'
    >>> in_words("top_k 20 to 24 keeping seeds 20", Spec("hoprag-coverage"))
    'top k 24 instead of 20, still with 20 seeds'
    >>> in_words("top_k 20 to 24", Spec("hoprag-coverage"))
    'top k and seeds 24 instead of 20'
    >>> in_words("take edge 2 to 'Fen' of 'Ada' at hop 1", Spec("kgp"))
    "at 'Ada' (hop 1), follow the 2nd edge, to 'Fen'"
    """
    if AND in change:
        *first, last = (in_words(one, spec) for one in change.split(AND))
        return f"{', '.join(first)} and {last}"
    match = _TURNED.fullmatch(change)
    if not match:
        return A_SEED if change == START else _edge_in_words(change)
    name, before, after, inside, kept = match.groups()
    wrapped = {each.key: each for each in spec.all_of_it()}
    within = [wrapped.get(key, Spec(key)) for key in inside.split(" in ")[1:]]
    where = "".join(f" in {one.card.title}" for one in within)
    of = (within or [spec])[0]
    settings = {one.name: one for one in of.declared}
    if name not in settings:
        return change
    one = settings[name]
    was = one.worded(_followed_value(of, one)) if before == "0" else _value_text(one, before)
    sentence = one.describe_change(was, _value_text(one, after)) + where
    if kept:
        return f"{sentence}, still with {_kept_settings(kept, settings)}"
    # What follows the top k rises with it.
    more = [settings[other].title for other in followers(spec)] if name == TOP_K else []
    return sentence.replace(one.title, join_names([one.title, *more]), 1)


def _followed_value(spec: Spec, one: Declared) -> Value:
    """Return the value that a setting of 0 stands for; 0 if the setting follows no other."""
    return spec.values.get(one.setting.follows, 0)


def _edge_in_words(change: str) -> str:
    """Return an edge to follow in words. Older runs stored it without its target."""
    match = _TAKEN.fullmatch(change)
    if not match:
        return change.replace("take ", "follow ", 1)
    number, end, at, hop = match.groups()
    edge = f"{ordinal(int(number))} edge{',' if end else ''}" if number else "edge"
    return f"at '{at}' (hop {hop}), follow the {edge}{f' to {end}' if end else ''}"


def _kept_settings(kept: str, settings: Mapping[str, Declared]) -> str:
    """Describe settings that a change leaves at their values, each like `20 seeds`."""
    named = [one.split(" ") for one in kept.split(", ")]
    return join_names(
        [f"{n} {settings[name].title if name in settings else name}" for name, n in named]
    )


def _value_text(one: Declared, text: str) -> str:
    """Format a value for the screen, or return it unchanged if the setting refuses it."""
    value = one.read(text.removeprefix(UP_TO))
    most = UP_TO if text.startswith(UP_TO) else ""
    return text if value is None else f"{most}{one.worded(value)}"


@dataclass(frozen=True, slots=True)
class Dial:
    """A setting that can be increased, from `low`, one above its present value, to `high`.

    It is `held` where what follows the top k stays as it is (`holding`).
    """

    kind: Kind
    low: int
    high: int
    to: Callable[[int], Change]
    held: bool = False


def dials(spec: Spec) -> Iterator[Dial]:
    """Yield the settings that determine how many results `spec` keeps or how far it searches.

    For a composed retriever this includes the settings of its parts.
    """
    for one in spec.declared:
        value = spec.values[one.name]
        if isinstance(value, Spec):
            yield from _inner(spec, one.name, value)
        elif kind := _kind(one):
            yield _dial(spec, one, kind)


def followers(spec: Spec) -> dict[str, int]:
    """Return the settings that follow the top k, with their effective number.

    >>> followers(Spec("hoprag-coverage")), followers(Spec.parse("hoprag-coverage(seeds=5)"))
    ({'seeds': 20}, {})
    """
    return {
        one.name: int(effective_value(spec, one))
        for one in spec.declared
        if _stands_for(spec, one) == TOP_K
    }


def holding(spec: Spec, change: Change) -> Change:
    """Return `change` of `spec` with the `followers` of the top k at their present values.

    A larger top k adds seeds to a walk, which may push down the passage that it is meant for. A
    change that leaves the top k as it is, or that turns the followers itself, is returned as it is.
    """
    if change.spec.values.get(TOP_K) == spec.values.get(TOP_K):
        return change
    kept = {name: now for name, now in followers(spec).items() if not change.spec.values[name]}
    if not kept:
        return change
    # The top k stands last in the text of several changes.
    kept_values = ", ".join(f"{name} {now}" for name, now in kept.items())
    held = change.spec.with_settings(**kept)
    return replace(change, text=f"{change.text}{KEEPING}{kept_values}", spec=held)


def variants(spec: Spec, dial: Dial) -> list[Dial]:
    """Return `dial` of `spec`, and, if settings follow the top k, a variant that fixes them."""
    if dial.kind != TOP_K or not followers(spec):
        return [dial]

    def to(value: int) -> Change:
        return holding(spec, dial.to(value))

    return [dial, replace(dial, to=to, held=True)]


def at_value(change: Change, spec: Spec, value: float) -> Change:
    """Return `change` of a number with another value; `spec` is the retriever with that value."""
    text = _TURNED.sub(
        lambda found: found[0].replace(f" to {found[3]}", f" to {as_text(value)}", 1), change.text
    )
    return replace(change, text=text, spec=spec)


def joined(first: Change, then: Change) -> Change:
    """Return one change that makes both; `then` is applied to the result of `first`."""
    return Change(first.kind, f"{first.text}{AND}{then.text}", then.spec, first.amendments)


def turns(spec: Spec) -> Iterator[list[Change]]:
    """Yield other values of each remaining setting, in one direction each, nearest first.

    For a composed retriever this includes the settings of its parts.
    """
    for one in spec.declared:
        value = spec.values[one.name]
        if isinstance(value, Spec):
            for changes in turns(value):
                yield [_within(spec, one.name, value, change) for change in changes]
        elif one.kind is float or (one.kind is int and _kind(one) == "count"):
            for factors in (LESS, MORE) if one.kind is float else (LESS,):
                yield [_turn(spec, one, each) for each in _values(spec, one, factors)]
        elif one.kind is bool or one.setting.choices:
            yield [_turn(spec, one, each) for each in _others(spec, one)]


def _others(spec: Spec, one: Declared) -> list[Choice]:
    """Return the other values of a setting with few values."""
    every: Collection[Choice] = (True, False) if one.kind is bool else one.setting.choices
    return [each for each in every if each != spec.values[one.name]]


def _values(spec: Spec, one: Declared, factors: Collection[float]) -> list[float]:
    """Return values of a numeric setting to try, nearest first.

    After the values by `factors` come the setting's limit, if any, and the value halfway to it.
    """
    now = one.kind(effective_value(spec, one))
    up = max(factors) > 1
    least, most = one.setting.least or 0, one.setting.most
    if one.kind is int:
        least = max(least, 1)
    values = [
        round(now * factor, 4) if one.kind is float else int(now * factor) for factor in factors
    ]
    limit = most if up else least
    inside = [each for each in values if least <= each <= (each if most is None else most)]
    if limit is not None and one.kind is float and limit not in inside:
        last = inside[-1] if inside else now
        inside += [round((last + limit) / 2, 4), one.kind(limit)]
    return [each for each in dict.fromkeys(inside) if each not in (now, spec.values[one.name])]


def _turn(spec: Spec, one: Declared, value: Choice) -> Change:
    kind: Kind = "count" if one.kind is int else "weight"
    text = f"{one.name} {as_text(spec.values[one.name])} to {as_text(value)}"
    return Change(kind, text, spec.with_settings(**{one.name: value}))


def effective_value(spec: Spec, one: Declared) -> float:
    """Return the value of a setting; if 0 means another setting's value, that value."""
    return float(str(spec.effective(one)))


def _stands_for(spec: Spec, one: Declared) -> str:
    """Return the name of the setting that this one follows now; empty if it follows none."""
    return "" if spec.values[one.name] else one.setting.follows


def _within(spec: Spec, name: str, inner: Spec, change: Change) -> Change:
    """Return a change of the nested retriever `inner` as a change of `spec`."""
    text = f"{change.text} in {inner.key}"
    return Change(change.kind, text, spec.with_settings(**{name: change.spec}))


def _inner(spec: Spec, name: str, inner: Spec) -> Iterator[Dial]:
    """Yield the dials of a nested retriever, except for its top k."""
    for dial in dials(inner):
        if dial.kind == TOP_K:
            continue

        def to(value: int, dial: Dial = dial) -> Change:
            return _within(spec, name, inner, dial.to(value))

        yield Dial(dial.kind, dial.low, dial.high, to)


def _kind(one: Declared) -> Kind | None:
    if one.kind is not int or one.setting.most is None:
        return None
    return "top_k" if one.name == TOP_K else "hop" if one.name == ROUNDS else "count"


def _dial(spec: Spec, one: Declared, kind: Kind) -> Dial:
    """Return the possible increases of one setting, as changes."""
    was, now = spec.values[one.name], int(effective_value(spec, one))

    def to(value: int) -> Change:
        text = f"{one.name} {was} to {value}"
        return Change(kind, text, spec.with_settings(**{one.name: value}))

    return Dial(kind, now + 1, int(one.setting.most or now), to)
