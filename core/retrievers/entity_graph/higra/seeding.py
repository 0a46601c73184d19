"""Where HiGraRetriever starts: things like the question, of which the model or rules pick seeds."""

from collections.abc import Sequence
from functools import partial

import numpy as np
from pydantic import BaseModel, ConfigDict, StrictInt

from core import prompts
from core.artefacts.hop_graph import EncodedQuery
from core.artefacts.lexical.bm25 import Matches, of_all
from core.artefacts.ontology.ontology import Ontology
from core.artefacts.workbench import Workbench
from core.errors import ReplyUnreadable
from core.models.oracle import Guess
from core.ranking import Scores, best, reciprocal_ranks
from core.retrievers.entity_graph.spreading import entity_id
from core.retrievers.model_replies import reply_or_none
from core.steps import ROOT, Offer, Offered, Thing, Told
from core.types import Part

WORDS, MEANING = "words", "meaning"
"""The parts of a hybrid rank."""
LONGEST = 200
"""Tokens of a reply: twenty numbers."""
_MOST = 5  # seeds that are picked by a gap


class Seeds(BaseModel):
    """What a model says: the numbers of the things to start from, from 1."""

    model_config = ConfigDict(json_schema_extra={"additionalProperties": False})

    seeds: list[StrictInt] = prompts.at_most(50)


GUESS = Guess(surely=Seeds(seeds=[]), likely=Seeds(seeds=[1]))
"""Surely none, which ends it; likely the first one."""


def hybrid(words: Matches, cosine: Scores, k0: float) -> tuple[Scores, Scores]:
    """Return 1/(k0 + rank) by words and by meaning; 0 by words where no word is shared."""
    scores, matched = of_all(words, len(cosine))
    return np.where(matched, reciprocal_ranks(scores, k0), 0.0), reciprocal_ranks(cosine, k0)


def select_seeds(
    bench: Workbench,
    ontology: Ontology,
    query: EncodedQuery,
    listed: int,
    k0: float,
    substitute: str,
) -> tuple[Offered, list[int]]:
    """Return the step that lists the `listed` best entities, and the numbers of the seeds among
    them.
    """
    things = ontology.things
    cosine = (things.vectors @ query.vector).astype(np.float64)
    words, meaning = hybrid(ontology.labels.scored(query.text), cosine, k0)
    places = best(words + meaning, listed)
    numbers = things.linkable[places].tolist()
    scores = (words + meaning)[places]
    picked, told = _select(bench, ontology, query, numbers, scores, substitute)
    offers = tuple(
        Offer(
            entity_id(things.names[number]),
            float(words[place] + meaning[place]),
            (Part(WORDS, float(words[place])), Part(MEANING, float(meaning[place]))),
            taken=number in picked,
            notes=_notes(ontology, number, query),
        )
        for place, number in zip(places.tolist(), numbers, strict=True)
    )
    shown = tuple(entity_node(ontology, number) for number in numbers)
    step = Offered(ROOT, "entities", offers, considered=len(cosine), things=shown, told=told)
    return step, [number for number in numbers if number in picked]


def entity_node(ontology: Ontology, number: int) -> Thing:
    """Return the trace node of an entity."""
    name = ontology.things.names[number]
    return Thing(entity_id(name), "entity", name)


def _select(
    bench: Workbench,
    ontology: Ontology,
    query: EncodedQuery,
    listed: Sequence[int],
    scores: Scores,
    substitute: str,
) -> tuple[set[int], Told]:
    """Select the seeds, by the model if there is one, and return who selected them."""
    shown = [
        {
            "number": place,
            "name": ontology.things.names[number],
            "aliases": list(ontology.aliases[number]),
            "types": list(ontology.types[number]),
        }
        for place, number in enumerate(listed, start=1)
    ]
    prompt = prompts.prompt(
        "pick_seeds", Seeds, longest=LONGEST, question=query.text, entities=shown
    )
    prompt = prompts.with_list_limits(prompt, seeds=len(listed))
    read = partial(read_seeds, len(listed))
    reply, told = reply_or_none(bench.oracle, prompt, read, GUESS, substitute)
    if reply is not None:
        return {listed[number - 1] for number in reply.seeds}, told
    number = ontology.things.number
    named = {number[name] for name in query.keywords if name in number} & set(listed)
    return named or set(listed[: gap(scores)]), told


def read_seeds(listed: int, text: str) -> Seeds:
    """Parse the seeds in a reply, out of `listed` entities numbered from 1.

    Raises
    ------
    ReplyUnreadable : the reply is malformed, or names a number that is not listed.
    """
    reply = prompts.read(text, Seeds)
    if not all(1 <= number <= listed for number in reply.seeds):
        raise ReplyUnreadable(f"The reply starts at an entity outside the {listed} listed.")
    return reply


def gap(scores: Scores) -> int:
    """Return how many scores, best first, precede the widest gap among the first few.

    >>> gap(np.array([0.9, 0.8, 0.3, 0.2]))
    2
    """
    first = scores[: _MOST + 1]
    return int(np.argmax(first[:-1] - first[1:])) + 1 if len(first) > 1 else len(first)


def _notes(ontology: Ontology, number: int, query: EncodedQuery) -> tuple[tuple[str, str], ...]:
    """Return notes on a listed entity: its name in the query, its aliases, its types."""
    called = [name for name in query.keywords if ontology.things.number.get(name) == number]
    notes = (
        ("named", ", ".join(called)),
        ("also called", ", ".join(ontology.aliases[number])),
        ("is", ", ".join(ontology.types[number])),
    )
    return tuple((what, text) for what, text in notes if text)
