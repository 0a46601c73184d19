"""Find the field values that a query names, by a model."""

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from pydantic import BaseModel, ConfigDict

from core import prompts
from core.artefacts.document_fields import Field, Fields
from core.models.oracle import Guess
from core.models.prompt import Prompt
from core.retrievers.multi_meta.naming import Named
from core.text.dates import span_of

LONGEST = 400
"""Tokens of a reply: a few fields, each with a few values."""
_ALL, _FIRST = 60, 10  # values of a field that a model reads: all, or of more than that the first
_LONGEST = 120  # characters of a value that it reads


class Condition(BaseModel):
    """What a model says of a field: a text fits if it has one of these values."""

    model_config = ConfigDict(json_schema_extra={"additionalProperties": False})

    field: str
    values: list[str] = prompts.at_most(12)


class Filters(BaseModel):
    """What a model says: all conditions of a question."""

    model_config = ConfigDict(json_schema_extra={"additionalProperties": False})

    conditions: list[Condition] = prompts.at_most(12)


GUESS: Guess[Filters] = Guess(surely=Filters(conditions=[]), likely=None)
"""Whatever is said, one call is made."""


def prompt_of(question: str, fields: Fields) -> Prompt:
    """Return the prompt with the question and the fields with some of their values."""
    lines = [_field_for_prompt(field) for field in fields.by_name.values()]
    return prompts.prompt("filters", Filters, longest=LONGEST, question=question, fields=lines)


def _field_for_prompt(field: Field) -> Mapping[str, Any]:
    """Describe a metadata field for the prompt, with some of its values."""
    count = len(field.values) if len(field.values) <= _ALL else _FIRST
    return {
        "name": field.name,
        "holds": "dates" if field.days else "texts",
        "values": [value[:_LONGEST] for value in islice(field.values, count)],
        "more": len(field.values) - count,
    }


def read_filters(text: str) -> Filters:
    """Parse the conditions in a reply.

    Raises
    ------
    ReplyUnreadable : it holds none.
    """
    return prompts.read(text, Filters)


def named_by_model(conditions: Sequence[Condition], fields: Fields) -> list[Named]:
    """Return the values in `conditions` with their passages; unknown fields are skipped.

    A value is only compared with stored values.
    """
    named: dict[tuple[str, str], Named] = {}
    for condition in conditions:
        field = fields.by_name.get(condition.field)
        if field is None:
            continue
        for value in condition.values:
            said = " ".join(value.split())
            span = span_of(said) if field.days else None
            passages = field.within(span) if span else field.passages_with(said)
            named.setdefault((field.name, said), Named(field.name, said, passages))
    return list(named.values())
