"""Clues: triples with gaps, made from a query and filled from facts."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from core.artefacts.entity_graph.graph import Fact
from core.text.entities.keywords import Keywords
from core.text.entities.mentions import entity_key
from core.text.stop_words import STOP_WORDS
from core.text.tokens import normal, tokens

State = Literal["fuzzy", "traceable", "resolved"]
_NAMES = 4  # that clues are made of, at most


@dataclass(frozen=True, slots=True)
class Clue:
    """A triple; a part that begins with `?` is a gap, and equal gaps have the same value."""

    subject: str
    predicate: str
    object: str

    @property
    def unknown(self) -> tuple[str, ...]:
        """The parts that are gaps."""
        return tuple(
            part for part in (self.subject, self.predicate, self.object) if part[:1] == "?"
        )

    @property
    def state(self) -> State:
        """Resolved without a placeholder, traceable with one, fuzzy with more."""
        states: tuple[State, ...] = ("resolved", "traceable", "fuzzy")
        return states[min(2, len(self.unknown))]

    @property
    def known(self) -> str:
        """The known parts as one text, to search with."""
        parts = (self.subject, self.predicate, self.object)
        return " ".join(part for part in parts if part and part[:1] != "?")

    def __str__(self) -> str:
        return " | ".join((self.subject, self.predicate, self.object))

    def filled(self, values: Mapping[str, str]) -> "Clue":
        """Fill in the placeholders that `values` has."""
        get = values.get
        parts = (self.subject, self.predicate, self.object)
        return Clue(*(get(part, part) for part in parts))


def clues_of(question: str, keywords: Keywords) -> tuple[Clue, ...]:
    """Return two clues for each name: one about the name, one about the gap of the first.

    'Where was the owner of X born?' becomes `X | owner born | ?1` and `?1 | owner born | ?2`.
    """
    mentions = [m for m in keywords.mentions(question) if m.kind != "number"]
    inside = {n for m in mentions for n in range(m.start, m.end)}
    asked = " ".join(
        token.text
        for token in tokens(question)
        if token.start not in inside and normal(token.text) not in STOP_WORDS
    )
    names = dict.fromkeys(question[m.start : m.end] for m in mentions)
    clues: list[Clue] = []
    for number, name in enumerate(list(names)[:_NAMES]):
        clues.append(Clue(name, asked, f"?{2 * number + 1}"))
        clues.append(Clue(f"?{2 * number + 1}", asked, f"?{2 * number + 2}"))
    return tuple(clues)


def resolved_by_facts(
    clues: Sequence[Clue], facts: Iterable[Fact], bearers: Mapping[str, int]
) -> tuple[Clue, ...]:
    """Fill each traceable clue from the first of `facts` about its name.

    The value is the name of the passage if the fact is from another one, else the thing in it that
    the fewest passages name. A value that a clue already has is not used.
    """
    facts, values = list(facts), dict[str, str]()
    taken = {entity_key(part) for clue in clues for part in (clue.subject, clue.object)}
    for clue in clues:
        if clue.state == "traceable" and clue.subject[:1] != "?":
            key = entity_key(clue.subject)
            name = next((n for f in facts if (n := _other_name(f, key, taken, bearers))), "")
            if name and clue.object not in values:
                values[clue.object] = name
                taken.add(name)
    return tuple(clue.filled(values) for clue in clues)


def _other_name(fact: Fact, key: str, taken: Iterable[str], bearers: Mapping[str, int]) -> str:
    """Return the other name in `fact` besides the entity `key`, or "" if it is not about it."""
    if key not in fact.names:
        return ""
    rest = [name for name in fact.names if name not in taken and not name[:1].isdigit()]
    if fact.subject in rest:
        return fact.subject
    return min(rest, key=lambda name: (bearers.get(name, 0), name), default="")
