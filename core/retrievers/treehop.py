"""TreeHop-style, untrained (after arXiv 2504.20114): each retrieved passage changes the query."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated

import numpy as np

from core.artefacts.lexical.keywords import KEYWORDS
from core.artefacts.scoring.nearest_passages import NEARNESS
from core.artefacts.workbench import Workbench
from core.retrievers.base import KEPT, TOP_K, Card
from core.retrievers.first_step import first_step_and_query
from core.retrievers.searched_lists import Searched, lists_in, query_in
from core.retrievers.settings import Setting
from core.steps import ROOT, Began, Cost, Offer, Offered, Pooled, Ranked, Step, Thing, Tie, Told
from core.types import Hit, Part
from core.vectors import Vectors, unit_norm

SIMILARITY = "similarity"
_QUERY = "query:"
_SEEN = "Its closest passage had already been retrieved."


@dataclass(frozen=True, slots=True, eq=False)
class _Query:
    """A query of the tree: its vector, (d,) unit-norm, and the passage that it was made from."""

    id: str
    vector: Vectors
    passage: int | None = None


@dataclass(frozen=True, slots=True)
class _Branch:
    """A passage that a query found: its number, its cosine, and why it was pruned, if it was.

    `seen` is the hop at which the passage was taken before, 0 if it was not.
    """

    query: _Query
    passage: int
    score: float
    cut: str = ""
    seen: int = 0


@dataclass(slots=True)
class _Tree:
    """The passages kept so far, with their scores and the hops at which they were found."""

    scores: dict[int, float] = field(default_factory=dict)
    hops: dict[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TreeHop:
    """A tree of queries, each made from the query before it and a passage which that one found.

    The next query of q at passage c is q' = q - (q . c) c + beta c, scaled to length 1: the part of
    the query along c is removed, and a share of c is added. The paper trains a network for this;
    nothing is trained here.

    Parameters
    ----------
    hops : layers of queries, the question being the first (2 or 3 in the paper).
    each : passages per query, and passages kept per layer (5 in the paper).
    beta : weight of the passage in the next query.
    """

    workbench: Workbench
    top_k: Annotated[int, TOP_K] = KEPT
    hops: Annotated[int, Setting("layers of queries (hops)", least=1, most=5)] = 3
    each: Annotated[int, Setting("passages per query and per layer", least=1, most=30)] = 5
    beta: Annotated[float, Setting("weight of the passage in the next query", least=0, most=2)] = (
        0.3
    )

    card = Card(
        key="treehop",
        title="TreeHop-style (untrained)",
        badge="TH",
        family="dense",
        place=1,
        summary=(
            "Removes what a passage already answers from the query and searches for the rest."
        ),
        paper="after Li et al. 2025, arXiv 2504.20114",
        needs=(KEYWORDS, NEARNESS),
        parts={SIMILARITY: ("b", "cosine with the query that found it")},
    )

    def retrieve(self, query: str) -> Iterator[Step]:
        """Yield each hop's queries and passages, and last the ranking of all kept passages."""
        asked, encoded = first_step_and_query(self, query)
        yield asked
        started = time.perf_counter()
        tree, layer = _Tree(), [_Query(ROOT, encoded.vector)]
        for hop in range(1, self.hops + 1):
            yield self._hop_step(hop, layer)
            branches = self._prune(self._search_layer(layer), tree)
            for one in layer:
                yield self._search_step(one, [branch for branch in branches if branch.query is one])
            kept = sorted(
                (branch for branch in branches if not branch.cut),
                key=lambda branch: (-branch.score, branch.passage),
            )
            if not kept:
                break
            for branch in kept:
                tree.scores[branch.passage], tree.hops[branch.passage] = branch.score, hop
            yield Pooled(tuple(f"hop {n}" for n in range(1, hop + 1)), self._hits(tree))
            layer = self._next_layer(kept)
        hits = self._hits(tree)
        reason = self._ending(hop, bool(kept))
        told = Told(Cost(time.perf_counter() - started), reason=reason)
        yield Ranked(hits[: self.top_k], hits[self.top_k :], told=told)

    def searched(self, steps: Sequence[Step]) -> Iterator[Searched]:
        """Return the complete ranking of passages for each query of the tree."""
        index = self.workbench.index
        vectors = {ROOT: self.workbench.encode(query_in(steps)).vector}
        for hop, step in lists_in(steps):
            asked, where = vectors[step.at], f"in hop {hop}"
            if step.at != ROOT:
                made_of = index.passage(step.at.removeprefix(_QUERY))
                where = f"for the query from '{made_of.title or made_of.id}' {where}"
            cosine = self.workbench.cosines(asked)
            yield replace(
                Searched.from_scores("passage", cosine, len(step.offers), where=where), word="found"
            )
            numbers = [index.number[offer.target] for offer in step.taken]
            if numbers:
                embeddings = self.workbench.get(NEARNESS).at(numbers)
                made = next_queries(np.tile(asked, (len(embeddings), 1)), embeddings, self.beta)
                named = (f"{_QUERY}{offer.target}" for offer in step.taken)
                vectors |= dict(zip(named, made, strict=True))

    def _next_layer(self, kept: Sequence[_Branch]) -> list[_Query]:
        """Return the queries of the next layer, one for each kept passage."""
        asked = np.stack([branch.query.vector for branch in kept])
        embeddings = self.workbench.get(NEARNESS).at([branch.passage for branch in kept])
        made = next_queries(asked, embeddings, self.beta)
        ids = self.workbench.index.ids
        return [
            _Query(f"{_QUERY}{ids[branch.passage]}", vector, branch.passage)
            for branch, vector in zip(kept, made, strict=True)
        ]

    def _hop_step(self, hop: int, layer: Sequence[_Query]) -> Began:
        """Return the step that begins a hop, with its queries and lines from their passages."""
        passages = self.workbench.index.passages
        made = [(one, passages[one.passage]) for one in layer if one.passage is not None]
        things = tuple(Thing(one.id, "query", f"query after {p.title or p.id}") for one, p in made)
        ties = tuple(Tie(f"{p.id}>{one.id}", p.id, one.id, "next query") for one, p in made)
        return Began("hop", hop, tuple(one.id for one, _ in made), things, ties)

    def _search_layer(self, layer: Sequence[_Query]) -> list[_Branch]:
        """Return the passages most similar to each query of a layer."""
        vectors = np.stack([one.vector for one in layer])
        near = self.workbench.get(NEARNESS).each(vectors, self.each)
        return [
            _Branch(one, number, cosine)
            for one, (numbers, cosines) in zip(layer, near, strict=True)
            for number, cosine in zip(numbers.tolist(), cosines.tolist(), strict=True)
        ]

    def _prune(self, branches: Sequence[_Branch], tree: _Tree) -> list[_Branch]:
        """Mark branches that are pruned: seen before, or not among the best of the layer."""
        order = sorted(
            range(len(branches)), key=lambda n: (-branches[n].score, branches[n].passage)
        )
        pruned = list(branches)
        fresh: set[int] = set()
        for n in order:
            passage = branches[n].passage
            if hop := tree.hops.get(passage, 0):
                pruned[n] = replace(pruned[n], cut=f"already retrieved in hop {hop}", seen=hop)
            elif passage in fresh:
                pruned[n] = replace(pruned[n], cut="another query in this hop is closer to it")
            else:
                fresh.add(passage)
                if len(fresh) > self.each:
                    why = f"rank {len(fresh)} in this hop, which keeps {self.each}"
                    pruned[n] = replace(pruned[n], cut=why)
        return pruned

    def _search_step(self, query: _Query, branches: Sequence[_Branch]) -> Offered:
        """Return the step with the passages that a query found; those cut off are not selected."""
        ids = self.workbench.index.ids
        offers = tuple(
            Offer(
                ids[one.passage],
                one.score,
                (Part(SIMILARITY, one.score),),
                taken=not one.cut,
                notes=(("cut:", one.cut),) if one.cut else (),
                why=one.cut,
            )
            for one in branches
        )
        none = bool(branches) and not any(offer.taken for offer in offers)
        told = Told(reason=self._no_passage_reason(branches) if none else "")
        return Offered(query.id, "passages", offers, considered=len(ids), told=told)

    def _no_passage_reason(self, branches: Sequence[_Branch]) -> str:
        """Explain in a sentence why no passage of a query is kept."""
        seen = sum(bool(one.seen) for one in branches)
        if seen == len(branches):
            return f"All {seen} closest passages were already retrieved." if seen > 1 else _SEEN
        closer = f"Other queries in this hop found closer passages ({self.each} are kept per hop)."
        if not seen:
            return closer
        were = "was" if seen == 1 else "were"
        return f"{seen} of {len(branches)} closest passages {were} already retrieved. {closer}"

    def _hits(self, tree: _Tree) -> tuple[Hit, ...]:
        """Rank all kept passages by the cosine of the query that found them, ties by number."""
        order = sorted(tree.scores, key=lambda number: (-tree.scores[number], number))
        return tuple(
            Hit(
                self.workbench.index.ids[number],
                tree.scores[number],
                (Part(SIMILARITY, tree.scores[number]),),
            )
            for number in order
        )

    def _ending(self, hop: int, went_on: bool) -> str:
        if went_on:
            return f"The search ends after hop {hop}, the limit."
        return f"The search ends after hop {hop}, which found nothing new."


def next_queries(queries: Vectors, passages: Vectors, beta: float) -> Vectors:
    """Return the next query q' = q - (q . c) c + beta c, unit-norm, for each q and passage c.

    Parameters
    ----------
    queries, passages : queries and passages, (n, d) unit-norm.
    """
    along = np.sum(queries * passages, axis=1, keepdims=True)
    return unit_norm(queries - along * passages + np.float32(beta) * passages)
