"""KGP (arXiv 2308.11730): from passages similar to the query to neighbours with new evidence."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np
from pydantic import BaseModel, ConfigDict

from core import prompts
from core.artefacts.entity_graph.graph import ENTITIES, Numbers
from core.artefacts.entity_graph.mentions import MENTIONS
from core.artefacts.lexical.tfidf import TFIDF
from core.artefacts.workbench import Workbench
from core.errors import ReplyUnreadable
from core.models.oracle import Guess
from core.ranking import Scores, best, prune, rank
from core.retrievers.base import KEPT, TOP_K, Card
from core.retrievers.first_step import first_step
from core.retrievers.model_replies import reply_or_none
from core.retrievers.searched_lists import Searched, lists_in, query_in
from core.retrievers.settings import Setting
from core.steps import ROOT, Arrival, Began, Cost, Offer, Offered, Ranked, Said, Step, Tie, Told
from core.store.schema import passage_text
from core.types import Part

OWN, EVIDENCE = "question", "evidence"
"""The parts of a score: overlap with the query, and with the expected evidence."""
LONGEST = 200
"""Tokens of a reply: a sentence."""
NOTHING_SHARED = "No passage that shares a name with it matches the expected evidence."
ENDS = "only neighbours of seeds are considered"
"""The reason why neighbours that join the queue are never expanded."""
_LISTED = 8  # neighbours shown per passage
_SHARED = 3  # entities in the label of a line


class Evidence(BaseModel):
    """What a model says: a sentence that the next passage is expected to hold."""

    model_config = ConfigDict(json_schema_extra={"additionalProperties": False})

    evidence: str


GUESS: Guess[Evidence] = Guess(surely=None, likely=None)
"""Any reply leads to one call for each seed."""


@dataclass(frozen=True, slots=True)
class Kgp:
    """Passages similar to the query, and their neighbours most similar to the expected evidence.

    Two passages are neighbours if they name the same entity. Seeds are ranked by the cosine of
    TF-IDF vectors with the query, neighbours of a seed by the cosine with the evidence that a model
    expects next. A passage scores its own cosine with the question and, at best, that of a seed
    times that of the evidence.

    Parameters
    ----------
    seeds : passages that the walk starts at (10 in the paper: 30 passages by threes).
    neighbours : neighbours kept per seed (3 in the paper).
    """

    workbench: Workbench
    top_k: Annotated[int, TOP_K] = KEPT
    seeds: Annotated[
        int,
        Setting("passages to start from", least=1, most=50, title="seeds"),
    ] = 10
    neighbours: Annotated[int, Setting("neighbours kept per passage", least=1, most=20)] = 3

    card = Card(
        key="kgp",
        title="KGP",
        badge="KG",
        family="entity graph",
        summary=(
            "Starts at passages similar to the query and moves to neighbours that share names."
        ),
        paper="Wang et al. 2024, arXiv 2308.11730",
        asks_model=True,
        substitute="Without a model, the next search uses the query plus the passage, "
        "similar to the paper's variant without a model.",
        needs=(ENTITIES, MENTIONS, TFIDF),
        parts={
            OWN: ("a", "word overlap with the query (TF-IDF cosine)"),
            EVIDENCE: ("c", "word overlap with the expected evidence, times the score of its seed"),
            "words": ("c", "word overlap with the expected evidence (TF-IDF cosine)"),
        },
    )

    def retrieve(self, query: str) -> Iterator[Step]:
        """Yield the seeds, each one's expected evidence and neighbours, and last the ranking."""
        yield first_step(self, query)
        started, index = time.perf_counter(), self.workbench.index
        own = self.workbench.get(TFIDF).scores(query)
        seeds = [n for n in best(own, self.seeds).tolist() if own[n] > 0]
        parts = {n: _parts(own[n]) for n in seeds}
        counts = dict.fromkeys(seeds, 1)
        offers = tuple(Offer(index.ids[n], own[n], _parts(own[n]), True) for n in seeds)
        arrivals = tuple(Arrival(offer.target, offer.parts) for offer in offers)
        told = Told(reason="The seeds share the most words with the query (TF-IDF).")
        yield Offered(ROOT, "passages", offers, arrivals, len(own), entry=True, told=told)
        if seeds:
            yield Began("hop", 1, tuple(offer.target for offer in offers))
        for seed in seeds:
            evidence, told = self._evidence(query, seed)
            if told.reason:  # without a model, every seed has this reason; the first one states it
                told = Told(fallback=told.reason if seed == seeds[0] else "")
            if told.exchange and not told.fallback:
                yield Said("reasoner", index.ids[seed], evidence, told=told)
                told = Told(reason="The neighbours closest to the expected evidence are kept.")
            found, cosine = self._neighbours(seed, evidence)
            if not len(found):
                told = replace(told, reason=NOTHING_SHARED)
            for place in range(min(self.neighbours, len(found))):
                number, worth = int(found[place]), own[seed] * cosine[place]
                known = parts.get(number, ())
                worth = max(worth, *(p.value for p in known if p.name == EVIDENCE), 0.0)
                parts[number] = (*_parts(own[number]), Part(EVIDENCE, worth))
                counts[number] = counts.get(number, 0) + 1
            yield self._neighbour_step(seed, found, cosine, parts, told)
        if parts.keys() - set(seeds):
            yield Said("rules", ROOT, "", ends=ENDS)
        named = {index.ids[n]: addends for n, addends in parts.items()}
        visits = {index.ids[n]: count for n, count in counts.items()}
        hits, pruned = prune(rank(named, visits, 0), self.top_k)
        yield Ranked(hits, pruned, told=Told(Cost(time.perf_counter() - started)))

    def searched(self, steps: Sequence[Step]) -> Iterator[Searched]:
        """Yield all passages that share a word with the question, and each seed's neighbours."""
        query, index = query_in(steps), self.workbench.index
        own = self.workbench.get(TFIDF).scores(query)
        order = [n for n in best(own, len(own)).tolist() if own[n] > 0]
        taken = min(self.seeds, len(order))
        yield Searched(
            *("seed", order, own, taken),
            where="in the seed selection",
            absent="no word of the question",
        )
        said = {step.about: step.text for step in steps if isinstance(step, Said)}
        for _, step in lists_in(steps, "neighbours"):
            seed = index.number[step.at]
            passage = index.passages[seed]
            usual = f"{query} {passage_text(passage.title, passage.text)}"
            neighbours, cosine = self._neighbours(seed, said.get(step.at) or usual)
            scores = dict(zip(neighbours.tolist(), cosine.tolist(), strict=True))
            yield Searched(
                *("neighbour", neighbours.tolist(), scores, len(step.taken)),
                where=f"among the neighbours of '{passage.title or passage.id}'",
                absent="not a neighbour of any seed",
            )

    def _evidence(self, query: str, seed: int) -> tuple[str, Told]:
        """Return the sentence that the next passage is expected to contain, and who wrote it."""
        passage = self.workbench.index.passages[seed]
        prompt = prompts.prompt(
            "next_evidence",
            Evidence,
            longest=LONGEST,
            question=query,
            passage={"title": passage.title, "text": passage.text},
        )
        reply, told = reply_or_none(
            self.workbench.oracle, prompt, _read, GUESS, self.card.substitute
        )
        if reply is None:
            return f"{query} {passage_text(passage.title, passage.text)}", told
        return reply.evidence, told

    def _neighbours(self, seed: int, evidence: str) -> tuple[Numbers, Scores]:
        """Return the neighbours of a seed that share a word with the evidence, best first."""
        counts = self.workbench.get(MENTIONS).counts
        others = np.flatnonzero((counts @ counts[seed].T).toarray().ravel())
        others = others[others != seed]
        scores = self.workbench.get(TFIDF).scores(evidence)[others]
        order = best(scores, len(scores))
        order = order[scores[order] > 0]
        return others[order], scores[order]

    def _neighbour_step(
        self,
        seed: int,
        found: Numbers,
        cosine: Scores,
        parts: dict[int, tuple[Part, ...]],
        told: Told,
    ) -> Offered:
        """Return the step with the neighbours of one seed; selected ones arrive with their score
        so far.
        """
        ids = self.workbench.index.ids
        shown = max(self.neighbours, _LISTED)
        ties = tuple(self._tie(seed, int(number)) for number in found[:shown])
        offers = tuple(
            Offer(
                ids[number],
                score,
                (Part("words", score),),
                taken=place < self.neighbours,
                tie=tie.id,
                notes=(("shared names:", tie.label),) if tie.label else (),
            )
            for place, (number, score, tie) in enumerate(
                zip(found.tolist(), cosine.tolist(), ties, strict=False)
            )
        )
        arrivals = tuple(
            Arrival(ids[number], parts[number], tie.id)
            for number, tie in zip(found[: self.neighbours].tolist(), ties, strict=False)
        )
        return Offered(
            ids[seed],
            "neighbours",
            offers,
            arrivals,
            considered=len(found),
            ties=ties,
            told=told,
        )

    def _tie(self, seed: int, other: int) -> Tie:
        """Return the names that two passages share, rare ones first, without bare numbers."""
        name_mentions, names = self.workbench.get(MENTIONS), self.workbench.get(ENTITIES).names
        shared = np.intersect1d(
            name_mentions.counts[seed].indices, name_mentions.counts[other].indices
        )
        telling = [n for n in shared.tolist() if not names[n].isnumeric()]
        rare = sorted(telling, key=lambda n: (name_mentions.bearers[n], names[n]))[:_SHARED]
        one, two = (self.workbench.index.ids[n] for n in (seed, other))
        return Tie(f"{one}>{two}", one, two, ", ".join(names[n] for n in rare))


def _parts(own: float) -> tuple[Part, ...]:
    return (Part(OWN, float(own)),)


def _read(text: str) -> Evidence:
    """Parse the sentence in a reply.

    Raises
    ------
    ReplyUnreadable : the reply contains none.
    """
    reply = prompts.read(text, Evidence)
    if not reply.evidence.strip():
        raise ReplyUnreadable("The reply contains no evidence.")
    return reply
