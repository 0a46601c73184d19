"""Reciprocal rank fusion of two other retrievers (Cormack et al., 2009), with evidence on top."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from core.artefacts.lexical.postings import LEXICON, Bools
from core.artefacts.workbench import Workbench
from core.ranking import Scores, best
from core.retrievers.base import KEPT, TOP_K, Card
from core.retrievers.first_step import first_step
from core.retrievers.hoprag.reasons import BRINGS
from core.retrievers.list_merging import SUMMED, by_reciprocal_ranks
from core.retrievers.nesting import run_nested
from core.retrievers.settings import Setting
from core.retrievers.spec import Spec, make
from core.steps import ROOT, Cost, Offer, Offered, Pooled, Ranked, Step, Told
from core.store.index import Index
from core.text.entities.mentions import entity_key
from core.types import Hit, Part

FIRST, SECOND = "first", "second"
NEW_TERMS, MENTIONED = "new terms", "mentioned"
NAMING = 5
"""Number of top passages whose mentions count."""
EVIDENCE = (
    "The top {:,} passages also score for query terms that the first passage lacks, and for being "
    "named in the first passages."
)


@dataclass(frozen=True, slots=True)
class Fusion:
    """Passages by 1/(k0 + rank in one retriever) + 1/(k0 + rank in another), plus evidence.

    Two retrievers that miss different passages complement each other; a passage that both rank
    high comes first. Only ranks count, so their scores need no common scale. The first passages
    are then reordered: one also scores for query terms that the first passage lacks, and for
    being named in the first passages.

    Parameters
    ----------
    new_terms, mentions : weights of that evidence; with both at 0, plain reciprocal rank fusion.
    rescored : passages that it may reorder; all others stay below them.
    """

    workbench: Workbench
    top_k: Annotated[int, TOP_K] = KEPT
    of: Annotated[Spec, Setting("the first retriever")] = Spec("hoprag-coverage")
    other: Annotated[Spec, Setting("the second retriever")] = Spec("hipporag2")
    k0: Annotated[
        int, Setting("rank constant; higher values reduce the advantage of top ranks", least=0)
    ] = 5
    depth: Annotated[int, Setting("passages used from each", least=1, most=100)] = 100
    new_terms: Annotated[
        float,
        Setting(
            "weight of query terms that the first passage lacks", least=0, title="new-term weight"
        ),
    ] = 0.2
    mentions: Annotated[
        float,
        Setting("weight of being named in the first passages", least=0, title="mention weight"),
    ] = 0.05
    rescored: Annotated[
        int, Setting("passages reordered by new terms and mentions", least=0, most=100)
    ] = 20

    card = Card(
        key="fusion",
        title="Fusion",
        badge="FU",
        family="rerank",
        place=2,
        summary="Adds the reciprocal ranks of two other retrievers, and evidence from their top "
        "passages.",
        paper="Cormack et al. 2009; the evidence is ours",
        needs=(LEXICON,),
        parts={
            FIRST: ("a", "1/(k0 + rank) in the first retriever"),
            SECOND: ("b", "1/(k0 + rank) in the second retriever"),
            NEW_TERMS: ("c", "query terms that the first passage lacks"),
            MENTIONED: ("d", "named in the first passages"),
        },
    )

    def retrieve(self, query: str) -> Iterator[Step]:
        """Yield both inner retrievals, their fusion, the evidence, and last the ranking."""
        yield first_step(self, query)
        started = time.perf_counter()
        bench = self.workbench.with_embedded([query])  # once for both
        lists: dict[str, tuple[Hit, ...]] = {}
        findings: list[str] = []
        for number, (name, spec) in enumerate(((FIRST, self.of), (SECOND, self.other)), start=1):
            inner = make(spec, bench, top_k=max(self.depth, self.top_k))
            ranked = yield from run_nested(inner, query, number)
            lists[name] = ranked.hits
            findings += ranked.findings
        began = time.perf_counter()
        ids = {name: [hit.passage_id for hit in hits] for name, hits in lists.items()}
        hits = by_reciprocal_ranks(ids, self.k0)
        took = Told(Cost(time.perf_counter() - began), reason=SUMMED.format(self.k0))
        yield Pooled((self.of.card.title, self.other.card.title), hits, told=took)
        if hits and self.rescored and (self.new_terms or self.mentions):
            step = self._rescored_step(query, hits)
            yield step
            hits = (*_as_hits(step.offers), *hits[self.rescored :])
        told = Told(Cost(time.perf_counter() - started))
        yield Ranked(hits[: self.top_k], hits[self.top_k :], told=told, findings=tuple(findings))

    def _rescored_step(self, query: str, hits: tuple[Hit, ...]) -> Offered:
        """Return the first passages with the evidence for each, best first."""
        began = time.perf_counter()
        offers = _by_evidence(self, query, hits[: self.rescored])
        reason = EVIDENCE.format(len(offers))
        told = Told(Cost(time.perf_counter() - began), reason=reason)
        return Offered(ROOT, "candidates", offers, told=told)


def _as_hits(offers: tuple[Offer, ...]) -> tuple[Hit, ...]:
    return tuple(Hit(offer.target, offer.score, offer.parts) for offer in offers)


def _by_evidence(fusion: Fusion, query: str, hits: Sequence[Hit]) -> tuple[Offer, ...]:
    """Return `hits` as offers, best first, each with its evidence as parts of the score."""
    bench = fusion.workbench
    numbers = [bench.index.number[hit.passage_id] for hit in hits]
    weights = bench.get(LEXICON).weights(query)
    terms = np.array(list(weights), object)
    new = new_to_first(bench.get(LEXICON).word_lookup(weights).of(np.array(numbers, np.int64)))
    added = fusion.new_terms * (new @ np.array(list(weights.values())))
    named = fusion.mentions * mention_scores(bench.index, numbers)
    scores = np.array([hit.score for hit in hits]) + added + named
    order = best(scores, len(hits)).tolist()
    return tuple(
        Offer(
            hits[i].passage_id,
            float(scores[i]),
            _parts(hits[i], added[i], named[i]),
            taken=place <= fusion.top_k,
            notes=_notes(i + 1, place, terms[new[i]].tolist()),
        )
        for place, i in enumerate(order, start=1)
    )


def new_to_first(held: Bools) -> Bools:
    """Return which terms each passage contains and the first other passage does not.

    Parameters
    ----------
    held : (passages, terms), whether each passage contains each term; the best passage first.

    >>> new_to_first(np.array([[True, False], [True, True], [False, False]])).tolist()
    [[False, False], [False, True], [False, False]]
    """
    other = [min(1, len(held) - 1), *[0] * (len(held) - 1)]
    return held & ~held[other]


def mention_scores(index: Index, numbers: Sequence[int]) -> Scores:
    """Return the sum of 1/rank over the `NAMING` passages that name each passage.

    A passage is named where its name is a keyword of another one, in title or text. Passages of
    the same name, such as two parts of one document, do not name each other.

    Parameters
    ----------
    numbers : passages, best first.
    """
    names = [entity_key(index.names[number]) for number in numbers]
    held = [frozenset(index.passage_keywords[number]) for number in numbers[:NAMING]]
    scores = [
        sum(
            1 / rank
            for rank, (by, keys) in enumerate(zip(names, held, strict=False), start=1)
            if name != by and name in keys
        )
        for name in names
    ]
    return np.array(scores, np.float64)


def _parts(hit: Hit, added: float, named: float) -> tuple[Part, ...]:
    evidence = ((NEW_TERMS, float(added)), (MENTIONED, float(named)))
    return (*hit.parts, *(Part(*one) for one in evidence if one[1]))


def _notes(before: int, place: int, terms: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Return the rank without the evidence, where it differs, and the new query terms."""
    was = () if before == place else (("was", f"{before}."),)
    return (*was, (BRINGS, ", ".join(terms))) if terms else was
