"""Entities and triples of a file or a model, which replace those that rules find.

A triple becomes a fact as HippoRAG has it: its text is 'subject predicate object'. Where a passage
has entities alone, its facts are its sentences, and their objects the given entities in them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from core.corpus.extraction_files import Extracted
from core.store.extraction_table import stored_extraction
from core.store.index import Index
from core.text.entities.mentions import entity_key
from core.text.sentences import sentences


@dataclass(frozen=True, slots=True)
class Fact:
    """The statement of a sentence in `passage` (a number); `subject` is empty if unknown."""

    passage: int
    subject: str
    text: str
    objects: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The entities that it joins: subject and objects."""
        return (self.subject, *self.objects) if self.subject else self.objects


def extracted(index: Index) -> dict[int, Extracted]:
    """Return the entities and triples of a file or a model by passage number."""
    return {index.number[name]: one for name, one in stored_extraction(index).items()}


def passage_entities(index: Index, given: Mapping[int, Extracted]) -> Sequence[Sequence[str]]:
    """Return the entities of each passage: given ones, else those that rules find."""
    if not given:
        return index.passage_keywords
    return [
        names if (one := given.get(number)) is None else _keys(one)
        for number, names in enumerate(index.passage_keywords)
    ]


def _keys(one: Extracted) -> tuple[str, ...]:
    ends = [end for subject, _, object_ in one.triples for end in (subject, object_)]
    keys = (entity_key(name) for name in (*one.entities, *ends))
    return tuple(dict.fromkeys(key for key in keys if key))


def facts_given(number: int, name: str, text: str, one: Extracted) -> Iterator[Fact]:
    """Yield the imported facts of a passage with the display name `name`."""
    for subject, predicate, object_ in one.triples:
        statement = " ".join(filter(None, (subject, predicate, object_)))
        yield Fact(number, entity_key(subject), statement, (entity_key(object_),))
    if one.triples:
        return
    subject = entity_key(name)
    for sentence in sentences(text):
        lower = sentence.casefold()
        held = (entity_key(each) for each in one.entities if each.casefold() in lower)
        objects = tuple(dict.fromkeys(key for key in held if key and key != subject))
        if subject or objects:
            yield Fact(number, subject, f"{name}. {sentence}" if name else sentence, objects)
