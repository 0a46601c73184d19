"""DualRAG's reasoner: name missing entities and their queries (reasoning-augmented querying)."""

from collections.abc import Mapping, Sequence
from functools import partial

from pydantic import BaseModel, ConfigDict

from core import prompts
from core.artefacts.lexical.keywords import KEYWORDS
from core.artefacts.workbench import Workbench
from core.errors import ReplyUnreadable
from core.models.oracle import Guess
from core.retrievers.model_replies import reply_or_none
from core.steps import Told
from core.text.entities.keywords import Keywords
from core.text.entities.mentions import entity_key
from core.text.stop_words import STOP_WORDS
from core.text.tokens import bare, tokens

LONGEST = 400
"""Tokens of a reply: a thought, and a few names with their searches."""
_QUERIES = 2  # of a name
_LETTERS = 200  # of a name or a search


class Named(BaseModel):
    """A name about which something is missing, and the searches for it."""

    name: str
    queries: list[str] = prompts.at_most(4)


class Demand(BaseModel):
    """What a model says: a thought, whether the notes are enough, and what to look up if not."""

    model_config = ConfigDict(json_schema_extra={"additionalProperties": False})

    thought: str
    enough: bool
    names: list[Named] = prompts.at_most(10)


GUESS = Guess(surely=Demand(thought="", enough=True, names=[]), likely=None)
"""Surely the notes are enough, which ends it; likely it goes on, as the substitute does."""


def ask_demand(
    bench: Workbench,
    query: str,
    notes: Mapping[str, str],
    searched: Sequence[str],
    thoughts: Sequence[str],
    most: int,
    substitute: str,
) -> tuple[Demand, Told]:
    """Ask the model for up to `most` names to search for next; return them and who decided.

    Parameters
    ----------
    notes : the notes so far, by the name each is about, in order.
    searched : the names searched so far.
    thoughts : the model's thoughts of earlier rounds, in order.
    substitute : the sentence for the trace if rules replace the model.
    """
    prompt = prompts.prompt(
        "demand",
        Demand,
        longest=LONGEST,
        question=query,
        notes=[{"name": name, "note": note} for name, note in notes.items()],
        searched=list(searched),
        thoughts=list(thoughts),
        most=most,
    )
    prompt = prompts.with_list_limits(prompt, names=most)
    reply, told = reply_or_none(bench.oracle, prompt, partial(read_demand, most), GUESS, substitute)
    return reply or _by_rules(query, notes, searched, most, bench.get(KEYWORDS)), told


def read_demand(most: int, text: str) -> Demand:
    """Parse a reply into up to `most` names, each with a search.

    Raises
    ------
    ReplyUnreadable : it holds none, or wants more and names nothing.
    """
    demand = prompts.read(text, Demand)
    named: dict[str, Named] = {}
    for one in demand.names:
        name = _line(one.name)
        queries = [line for line in map(_line, one.queries) if line] or [name]
        if name:
            named.setdefault(name, Named(name=name, queries=queries[:_QUERIES]))
    if not demand.enough and not named:
        raise ReplyUnreadable(
            "The reply asks for more information but does not name anything to search for."
        )
    names = [] if demand.enough else list(named.values())[:most]
    return Demand(thought=demand.thought.strip(), enough=demand.enough, names=names)


def _line(text: str) -> str:
    return " ".join(text.split())[:_LETTERS]


def _by_rules(
    query: str,
    notes: Mapping[str, str],
    searched: Sequence[str],
    most: int,
    keywords: Keywords,
) -> Demand:
    """Return the names in the question, then those in the notes, with the question's words."""
    done = {entity_key(name) for name in searched}
    texts = list(notes.values())[::-1] if searched else [query]
    names: dict[str, str] = {} if searched else {entity_key(query): query}
    for text in texts:
        for mention in keywords.mentions(text):
            name = bare(text[mention.start : mention.end])
            qualifies = len(tokens(name)) == 1 and text[mention.end : mention.end + 2].islower()
            if mention.kind != "number" and mention.key not in done and not qualifies:
                names.setdefault(mention.key, name)
    missing = [
        Named(name=one, queries=[_search(query, one)]) for one in list(names.values())[:most]
    ]
    thought = f"Still missing: {', '.join(one.name for one in missing)}."
    thought = thought if missing else "Every name in the notes has been searched."
    return Demand(thought=thought, enough=not missing, names=missing)


def _search(query: str, name: str) -> str:
    """Return a name with the question's words that are neither names nor function words."""
    own = {token.text.casefold() for token in tokens(name)}
    content = [
        token.text
        for token in tokens(query)
        if token.text.islower() and token.text not in STOP_WORDS and token.text not in own
    ]
    return " ".join((name, *dict.fromkeys(content))) if name != query else query
