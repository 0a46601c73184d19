"""DualRAG's outline: a note for each name, made anew with what was found for it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from pydantic import BaseModel, ConfigDict, StrictInt

from core import prompts
from core.answers import evidence
from core.artefacts.lexical.postings import LEXICON
from core.artefacts.workbench import Workbench
from core.errors import ReplyUnreadable
from core.models.oracle import Guess
from core.retrievers.model_replies import reply_or_none
from core.steps import Told
from core.text.entities.mentions import entity_key
from core.text.sentences import sentences
from core.text.tokens import opening
from core.types import Passage

LONGEST = 300
"""Tokens of a reply: a note of 80 words and a few numbers."""
_READ = 350  # words of a paragraph that the model reads
_SENTENCES = 2  # of the substitute, from anywhere
_OWN = 4  # of the passage that is called by the name, from its beginning
_NOTHING_FOUND = "No passage was found, so the note stays as it is."


class Noted(BaseModel):
    """What a model says: the note, and the numbers of the paragraphs that it rests on."""

    model_config = ConfigDict(json_schema_extra={"additionalProperties": False})

    note: str
    rests_on: list[StrictInt] = prompts.at_most(30)


GUESS = Guess(surely=Noted(note="", rests_on=[]), likely=None)


@dataclass(frozen=True, slots=True)
class Note:
    """The note about a name, the passages that it is based on, and its author."""

    text: str
    rests_on: tuple[str, ...]
    told: Told


def write_note(
    bench: Workbench, query: str, name: str, old: str, found: Sequence[Passage], substitute: str
) -> Note:
    """Write the note on `name` from the passages `found` for it, replacing the `old` note.

    Without passages no model is asked: as in the paper's code, there is nothing to note.
    """
    if bench.oracle and not found:
        return Note(old, (), Told(reason=_NOTHING_FOUND))
    paragraphs = [
        {"number": number, "title": p.title, "text": opening(p.text, _READ)}
        for number, p in enumerate(found, start=1)
    ]
    prompt = prompts.prompt(
        "note",
        Noted,
        longest=LONGEST,
        question=query,
        about=name,
        note=old,
        paragraphs=paragraphs,
    )
    prompt = prompts.with_list_limits(prompt, rests_on=len(found))
    reply, told = reply_or_none(
        bench.oracle, prompt, partial(read_note, len(found)), GUESS, substitute
    )
    if reply is not None:
        rests = tuple(found[number - 1].id for number in dict.fromkeys(reply.rests_on))
        return Note(reply.note, rests, told)
    weights = bench.get(LEXICON).weights(f"{name} {query}")
    best = evidence(weights, found, most=_SENTENCES).sentences
    lines = [(line.text, line.passage_id) for line in best]
    own = (p for p in found if entity_key(p.title) == entity_key(name))
    lines += [(line, p.id) for p in own for line in sentences(p.text)[:_OWN]]
    text = "\n".join(dict.fromkeys((*old.splitlines(), *(line for line, _ in lines))))
    return Note(text, tuple(dict.fromkeys(of for _, of in lines)), told)


def read_note(paragraphs: int, text: str) -> Noted:
    """Parse the note in a reply about this many `paragraphs`.

    Raises
    ------
    ReplyUnreadable : it holds none, or rests on what is not there.
    """
    reply = prompts.read(text, Noted)
    if not all(1 <= number <= paragraphs for number in reply.rests_on):
        raise ReplyUnreadable(f"The note cites a paragraph outside the {paragraphs} given.")
    return Noted(note=reply.note.strip(), rests_on=reply.rests_on)
