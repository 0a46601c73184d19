"""Find the field values that a query names, by rules, and the passages that match them."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np

from core.artefacts.document_fields import Field, Fields, Numbers
from core.text.dates import dates_in
from core.text.stop_words import STOP_WORDS


@dataclass(frozen=True, slots=True, eq=False)
class Named:
    """A field value as the query names it, and the numbers of the passages that have it."""

    field: str
    value: str
    passages: Numbers


@dataclass(frozen=True, slots=True)
class _Mention:
    place: tuple[int, int]
    named: Named


def fitting(named: Sequence[Named]) -> Numbers:
    """Return the passages that have a named value in every named field."""
    by_field: defaultdict[str, list[Numbers]] = defaultdict(list)
    for one in named:
        by_field[one.field].append(one.passages)
    return reduce(np.intersect1d, [np.unique(np.concatenate(have)) for have in by_field.values()])


def named_by_rules(question: str, fields: Fields) -> list[Named]:
    """Return the field values and dates in `question`; of overlapping ones the longer.

    A value with a capital must be written so in the question. Any other value, such as 'sports' or
    7, counts only beside the name of its field. A value of two fields counts for the one with more
    named values; a date counts for every date field.
    """
    text = " ".join(question.split())
    mentions = [mention for field in fields.by_name.values() for mention in _mentions(text, field)]
    of = Counter(mention.named.field for mention in mentions)
    mentions.sort(key=lambda m: (m.place[0], -m.place[1], -of[m.named.field], m.named.field))
    named: dict[tuple[str, str], Named] = {}
    last = (-1, -1)
    for mention in mentions:
        field = fields.by_name[mention.named.field]
        if mention.place[0] >= last[1] or (mention.place == last and field.days):
            named.setdefault((field.name, mention.named.value), mention.named)
            last = mention.place
    return list(named.values())


def _mentions(text: str, field: Field) -> Iterator[_Mention]:
    """Yield each mention of a date or of a field's values in `text`, with its span."""
    if field.days:
        for dated in dates_in(text):
            said = text[dated.start : dated.end]
            place = dated.start, dated.end
            yield _Mention(place, Named(field.name, said, field.within(dated.span)))
        return
    folded = text.casefold()
    for value, passages in field.values.items():
        lower = value.casefold()
        if value == lower or lower in STOP_WORDS:
            places = [*_places(folded, f"{field.name} {value}".casefold())]
            places += _places(folded, f"{value} {field.name}".casefold())
        else:
            places = [*_places(text, value)]
            if value.startswith("The "):  # lower case within a sentence
                places += _places(text, f"the {value[4:]}")
        for place in places:
            yield _Mention(place, Named(field.name, value, passages))


def _places(text: str, wanted: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of `wanted` in `text` as whole words."""
    start = text.find(wanted)
    while start >= 0:
        end = start + len(wanted)
        if not text[start - 1 : start].isalnum() and not text[end : end + 1].isalnum():
            yield start, end
        start = text.find(wanted, start + 1)
