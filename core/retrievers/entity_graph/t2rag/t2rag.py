"""T2RAG (arXiv 2508.02435): search with triples that have gaps, and fill them round by round."""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Annotated, get_args

import numpy as np
from pydantic import BaseModel, ConfigDict

from core import prompts
from core.artefacts.entity_graph.graph import ENTITIES, FACTS
from core.artefacts.entity_graph.mentions import MENTIONS
from core.artefacts.lexical.keywords import KEYWORDS
from core.artefacts.workbench import Workbench
from core.errors import ReplyUnreadable
from core.models.oracle import Guess
from core.ranking import Scores, best
from core.retrievers.base import KEPT, TOP_K, Card
from core.retrievers.entity_graph.related import facts_stated
from core.retrievers.entity_graph.spreading import fact_id
from core.retrievers.entity_graph.t2rag.clues import Clue, State, clues_of, resolved_by_facts
from core.retrievers.first_step import first_step_and_query
from core.retrievers.model_replies import reply_or_none, speaker
from core.retrievers.searched_lists import Searched, lists_in, query_in
from core.retrievers.settings import Setting
from core.steps import (
    ROOT,
    Began,
    Cost,
    Offer,
    Offered,
    Pooled,
    Ranked,
    Said,
    Step,
    Thing,
    Tie,
    Told,
)
from core.types import Hit, Part
from core.vectors import Vectors

_LIKE = "clue"
_SEEN = 400  # maximum facts read to find passages
_CLUES = 8
LONGEST = 600
"""Tokens of a reply: at most 8 clues."""


class Triple(BaseModel):
    """A clue as a model writes it."""

    model_config = ConfigDict(json_schema_extra={"additionalProperties": False})

    subject: str
    predicate: str
    object: str


class Clues(BaseModel):
    """What a model says: the clues of a question, or the same with what it found."""

    model_config = ConfigDict(json_schema_extra={"additionalProperties": False})

    clues: list[Triple] = prompts.at_most(_CLUES)


GUESS = Guess(surely=Clues(clues=[]), likely=None)
"""At least, there is no clue, which ends retrieval; likely, those that the rules find."""
UNFILLED: Guess[Clues] = Guess(surely=None, likely=None)
_GAPS: dict[State, str] = {
    "resolved": "known",
    "traceable": "with one gap",
    "fuzzy": "with more gaps",
}


@dataclass(frozen=True, slots=True)
class T2Rag:
    """Passages of the facts most similar to the known parts of the clues.

    The query becomes triples with gaps (clues). Each round searches the facts with the query and
    with the known parts of the clues that have one gap, and retrieves the first `each` passages of
    these facts. Then the facts fill gaps, so that a clue with two gaps may become one with one gap.
    Retrieval ends when no gap is left, when no gap was filled, or after `rounds`.

    Parameters
    ----------
    rounds : maximum number of rounds (3 in the paper).
    each : passages per round (5 in the paper).
    """

    workbench: Workbench
    top_k: Annotated[int, TOP_K] = KEPT
    rounds: Annotated[int, Setting("rounds at most", least=1, most=8)] = 3
    each: Annotated[int, Setting("passages per round", least=1, most=50)] = 5

    card = Card(
        key="t2rag",
        title="T2RAG",
        badge="T2",
        family="entity graph",
        summary="Turns the query into triples with gaps and fills the gaps from facts.",
        paper="Gong et al. 2025, arXiv 2508.02435",
        asks_model=True,
        substitute="Without a model, each name in the query becomes one clue, and its gap is "
        "filled with another name from the fact most similar to the clue.",
        needs=(KEYWORDS, ENTITIES, FACTS, MENTIONS),
        parts={_LIKE: ("a", "cosine of the query or a clue and its best fact")},
    )

    def retrieve(self, query: str) -> Iterator[Step]:
        """Yield the clues, each round's facts, passages and filled gaps, and last the ranking."""
        asked, encoded = first_step_and_query(self, query)
        yield asked
        started = time.perf_counter()
        clues, told = self._clues(query)
        yield Said(_speaker(told), ROOT, _board_text(clues), told=told)
        best_score: dict[int, float] = {}
        shown: tuple[Hit, ...] = ()
        for number in range(1, self.rounds + 1):
            yield Began("round", number)
            scores = self._scores(encoded.vector, clues)
            facts, passages = self._facts(scores)
            for fact, passage in passages.items():
                best_score[passage] = max(best_score.get(passage, 0.0), float(scores[fact]))
            yield self._fact_step(facts, passages, scores)
            if (hits := self._hits(best_score)) != shown:
                yield Pooled(("the facts' passages",), hits, ties=self._ties(passages))
            shown, before = hits, clues
            clues, told = self._resolve(query, clues, facts)
            ends = self._end_reason(number, before, clues)
            rests = tuple(self.workbench.index.ids[n] for n in passages.values())
            yield Said(
                _speaker(told), ROOT, _board_text(clues), rests_on=rests, ends=ends, told=told
            )
            if ends:
                break
        told = Told(Cost(time.perf_counter() - started))
        known = tuple(f"Clue: {clue}" for clue in clues if clue.state == "resolved")
        yield Ranked(shown[: self.top_k], shown[self.top_k :], told=told, findings=known)

    def searched(self, steps: Sequence[Step]) -> Iterator[Searched]:
        """Yield all facts in each round; model calls are repeated from the cache."""
        query, facts = query_in(steps), self.workbench.get(FACTS)
        asked = self.workbench.encode(query).vector
        clues, _ = self._clues(query)
        for number, step in lists_in(steps):
            scores = self._scores(asked, clues)
            whole = Searched.from_scores(
                *("fact", scores, len(step.offers), partial(facts_stated, facts)),
                name=lambda fact: facts.facts[fact].text,
                where=f"in round {number}",
            )
            yield replace(whole, word="read")
            clues, _ = self._resolve(query, clues, self._facts(scores)[0])

    def _clues(self, query: str) -> tuple[tuple[Clue, ...], Told]:
        """Return the clues of the question, and who found them."""
        prompt = prompts.prompt("clues", Clues, longest=LONGEST, question=query)
        reply, told = reply_or_none(
            self.workbench.oracle, prompt, _read_clues, GUESS, self.card.substitute
        )
        if reply is None:
            return clues_of(query, self.workbench.get(KEYWORDS)), told
        return _clues(reply), told

    def _scores(self, asked: Vectors, clues: Sequence[Clue]) -> Scores:
        """Return each fact's highest cosine, (facts,), with the query or a clue with one gap."""
        known_parts = dict.fromkeys(c.known for c in clues if c.state == "traceable" and c.known)
        vectors = asked[None]
        if known_parts:
            vectors = np.concatenate((vectors, self.workbench.embedder.encode(list(known_parts))))
        best_scores: Scores = (self.workbench.get(FACTS).vectors @ vectors.T).max(axis=1)
        return best_scores.astype(np.float64)

    def _facts(self, scores: Scores) -> tuple[list[int], dict[int, int]]:
        """Read facts, best first, until they name `each` passages.

        Returns the facts read, and for each new passage its number, by the fact that named it.
        """
        facts, passages = self.workbench.get(FACTS).facts, dict[int, int]()
        read: list[int] = []
        for number in best(scores, _SEEN).tolist():
            if scores[number] <= 0 or len(passages) == self.each:
                break
            read.append(number)
            if facts[number].passage not in passages.values():
                passages[number] = facts[number].passage
        return read, passages

    def _fact_step(
        self, facts: Sequence[int], passages: Mapping[int, int], scores: Scores
    ) -> Offered:
        """Return the step with the facts of a round; those from a new passage are selected."""
        all_facts = self.workbench.get(FACTS).facts
        offers = tuple(
            Offer(
                *(fact_id(n), score, (Part(_LIKE, score),), n in passages),
                why="" if n in passages else "its passage is already retrieved",
            )
            for n, score in zip(facts, scores[list(facts)].tolist(), strict=True)
        )
        things = tuple(Thing(fact_id(n), "fact", all_facts[n].text) for n in facts)
        return Offered(ROOT, "facts", offers, considered=len(all_facts), things=things)

    def _ties(self, passages: Mapping[int, int]) -> tuple[Tie, ...]:
        """Return lines from each fact to the passage that it added."""
        ids = self.workbench.index.ids
        return tuple(
            Tie(f"fact:{fact}>", fact_id(fact), ids[passage], "stated in")
            for fact, passage in passages.items()
        )

    def _hits(self, found: Mapping[int, float]) -> tuple[Hit, ...]:
        """Rank all passages so far by the score of their best fact."""
        named = ((self.workbench.index.ids[n], score) for n, score in found.items())
        hits = (Hit(name, score, (Part(_LIKE, score),)) for name, score in named)
        return tuple(sorted(hits, key=lambda hit: (-hit.score, hit.passage_id)))

    def _resolve(
        self, query: str, clues: Sequence[Clue], facts: Sequence[int]
    ) -> tuple[tuple[Clue, ...], Told]:
        """Fill the clues from the facts of a round, and return who filled them."""
        read_facts = [self.workbench.get(FACTS).facts[number] for number in facts]
        if all(clue.state == "resolved" for clue in clues):
            return tuple(clues), Told()
        prompt = prompts.prompt(
            "resolve_clues",
            Clues,
            longest=LONGEST,
            question=query,
            clues=[asdict(clue) for clue in clues],
            facts=[fact.text for fact in read_facts],
        )
        read = partial(_read_clues, count=len(clues))
        substitute = self.card.substitute
        reply, by = reply_or_none(self.workbench.oracle, prompt, read, UNFILLED, substitute)
        if reply is not None:
            return _clues(reply), by
        bearers, number = self.workbench.get(MENTIONS).bearers, self.workbench.get(ENTITIES).number
        named = {name: int(bearers[number[name]]) for fact in read_facts for name in fact.names}
        return resolved_by_facts(clues, read_facts, named), by

    def _end_reason(self, number: int, before: Sequence[Clue], clues: Sequence[Clue]) -> str:
        """Return the reason to stop after round `number`; empty to go on."""
        if not clues:
            return "there are no clues"
        if all(clue.state == "resolved" for clue in clues):
            return "all gaps are filled"
        if tuple(before) == tuple(clues):
            return "no gap was filled"
        return "the round limit is reached" if number == self.rounds else ""


def _speaker(told: Told) -> str:
    """Return the speaker of the clue board's steps: the model, or rules."""
    return speaker("clue board", told)


def _board_text(clues: Sequence[Clue]) -> str:
    """Group the clues by how much of each is known, most complete first."""
    lines = {
        _GAPS[state]: "; ".join(str(clue) for clue in clues if clue.state == state)
        for state in reversed(get_args(State))
    }
    return ". ".join(f"{gaps}: {told}" for gaps, told in lines.items() if told) or "no clue"


def _clues(reply: Clues) -> tuple[Clue, ...]:
    parts = ((c.subject.strip(), c.predicate.strip(), c.object.strip()) for c in reply.clues)
    return tuple(dict.fromkeys(Clue(*each) for each in parts if any(each)))


def _read_clues(text: str, count: int | None = None) -> Clues:
    """Parse the clues in a reply, of which there must be `count`.

    Raises
    ------
    ReplyUnreadable : the reply has no clues, another number of them, or too many.
    """
    reply = prompts.read(text, Clues)
    if len(reply.clues) > _CLUES:
        raise ReplyUnreadable(f"The reply has {len(reply.clues)} clues, more than {_CLUES}.")
    if count is not None and len(reply.clues) != count:  # two may have become the same
        raise ReplyUnreadable(f"The reply has {len(reply.clues)} clues; {count} were given.")
    return reply
