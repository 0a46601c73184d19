"""Extract keywords of a query on two levels: names, and topics."""

from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict

from core import prompts
from core.errors import ReplyUnreadable
from core.models.oracle import Guess, Oracle
from core.retrievers.model_replies import reply_or_none, speaker
from core.steps import ROOT, Said, Thing, Tie, Told
from core.text.entities.mentions import Mention
from core.text.stop_words import STOP_WORDS
from core.text.tokens import normal, tokens

LOW, HIGH = "level:low", "level:high"
"""The nodes of the two levels in a trace."""
LONGEST = 200
"""Tokens of a reply: a few names, and a few words."""


class Levels(BaseModel):
    """A model's reply: the names in a question (low), and what is asked about them (high)."""

    model_config = ConfigDict(json_schema_extra={"additionalProperties": False})

    low: list[str] = prompts.at_most(20)
    high: list[str] = prompts.at_most(20)


GUESS: Guess[Levels] = Guess(surely=Levels(low=[], high=[]), likely=None)
"""Whatever is said, one call is made."""


def levels_of(
    oracle: Oracle | None, query: str, mentions: Sequence[Mention], substitute: str
) -> tuple[Levels, Told]:
    """Extract the keywords of `query`, by the model if there is one, else by rules.

    Parameters
    ----------
    mentions : the names, dates and numbers in `query`, by which the rules go.
    """
    prompt = prompts.prompt("levels", Levels, longest=LONGEST, question=query)
    levels, told = reply_or_none(oracle, prompt, read_levels, GUESS, substitute)
    return levels or levels_by_rules(query, mentions), told


def levels_by_rules(query: str, mentions: Sequence[Mention]) -> Levels:
    """Return names as low-level keywords and all other content words as high-level ones."""
    names = dict.fromkeys(query[mention.start : mention.end] for mention in mentions)
    rest = [
        token.text
        for token in tokens(query)
        if not any(m.start <= token.start < m.end for m in mentions)
    ]
    words = {normal(word): word for word in reversed(rest) if normal(word) not in STOP_WORDS}
    return Levels(low=list(names), high=list(reversed(words.values())))


def read_levels(text: str) -> Levels:
    """Parse the keywords in a reply, each in one line and once.

    Raises
    ------
    ReplyUnreadable : it holds none.
    """
    found = prompts.read(text, Levels)
    low, high = (
        list(dict.fromkeys(line for word in words if (line := " ".join(word.split()))))
        for words in (found.low, found.high)
    )
    if not low and not high:
        raise ReplyUnreadable("The reply contains no keywords.")
    return Levels(low=low, high=high)


def levels_said(levels: Levels, told: Told) -> Said:
    """Return the step that introduces both levels as nodes to search from."""
    lines = {LOW: ", ".join(levels.low), HIGH: ", ".join(levels.high)}
    things = tuple(Thing(id_, "query", line) for id_, line in lines.items() if line)
    ties = tuple(Tie(f"{ROOT}>{one.id}", ROOT, one.id, one.id.partition(":")[2]) for one in things)
    text = (
        f"Keywords for entities (low level): {lines[LOW] or 'none'}. Keywords for relations "
        f"(high level): {lines[HIGH] or 'none'}."
    )
    return Said(speaker("keyword extractor", told), ROOT, text, things=things, ties=ties, told=told)
