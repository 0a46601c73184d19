"""The steps of trace files up to version 2, which knew one-shot methods and HopRAG's walk only."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from core import steps as now
from core.steps import Cost, Exchange, Told
from core.types import Hit, Part

LAST = 2
_NO_COST = Cost()
_ENTRIES = {
    "edge": "The seeds are the targets of the edges most similar to the query.",
    "node": "The seeds are the passages most similar to the query.",
    "hybrid": "The seeds score highest on BM25 and embedding similarity combined.",
}


@dataclass(frozen=True, slots=True)
class Asked:
    """As `core.steps.Asked`; `importance_weight` is its `weight_of_visits`."""

    retriever: str
    query: str
    top_k: int
    keywords: tuple[str, ...] = ()
    settings: Mapping[str, str | int | float | bool] = field(default_factory=dict)
    importance_weight: float = 0.0
    cost: Cost = _NO_COST


@dataclass(frozen=True, slots=True)
class Arrival:
    """A visit; `edge_id` is None for a seed that was found as a passage."""

    passage_id: str
    parts: tuple[Part, ...]
    edge_id: str | None = None


@dataclass(frozen=True, slots=True)
class Offer:
    """An edge on offer, or with an empty `edge_id` a passage."""

    edge_id: str
    target: str
    question: str
    score: float
    parts: tuple[Part, ...]
    backwards: bool = False
    covers: tuple[str, ...] = ()
    mentions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Seeded:
    """The queue at the start; `entry` is edge, node or hybrid."""

    entry: str
    seeds: tuple[Arrival, ...]
    offers: tuple[Offer, ...] = ()
    considered: int = 0
    cost: Cost = _NO_COST


@dataclass(frozen=True, slots=True)
class HopBegan:
    """A round starts."""

    hop: int
    queue: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Judged:
    """One vertex was taken and its edges were looked at; `chosen` are ids of edges."""

    hop: int
    vertex: str
    offers: tuple[Offer, ...]
    chosen: tuple[str, ...]
    arrivals: tuple[Arrival, ...]
    reason: str
    fallback: str = ""
    cost: Cost = _NO_COST
    considered: int = 0
    verdict: str = ""
    exchange: Exchange | None = None


@dataclass(frozen=True, slots=True)
class Ranked:
    """The end."""

    hits: tuple[Hit, ...]
    pruned: tuple[Hit, ...] = ()
    engine: str = ""
    fallback: str = ""
    cost: Cost = _NO_COST


Step = Asked | Seeded | HopBegan | Judged | Ranked


def lifted(step: Step | now.Step) -> now.Step:
    """Convert `step` to the current format; unchanged if it already has it."""
    match step:
        case Asked():
            return now.Asked(
                step.retriever,
                step.query,
                step.top_k,
                step.keywords,
                step.settings,
                weight_of_visits=step.importance_weight,
                told=Told(step.cost),
            )
        case Seeded():
            return _convert_seeds(step)
        case HopBegan():
            return now.Began("hop", step.hop, step.queue)
        case Judged():
            return _convert_choice(step)
        case Ranked():
            told = Told(step.cost, fallback=step.fallback)
            return now.Ranked(_hits(step.hits), _hits(step.pruned), step.engine, told)
        case _:
            return step


def _convert_seeds(step: Seeded) -> now.Offered:
    """Convert the start of a walk to a candidate list with all seeds selected."""
    offers = tuple(_convert_offer(offer, taken=True) for offer in step.offers)
    return now.Offered(
        at=now.ROOT,
        of="edges" if step.entry == "edge" else "passages",
        offers=offers or tuple(_seed_offer(seed) for seed in step.seeds),
        arrivals=_arrivals(step.seeds),
        considered=step.considered,
        entry=True,
        told=Told(step.cost, reason=_ENTRIES.get(step.entry, "")),
    )


def _convert_choice(step: Judged) -> now.Offered:
    """Convert a choice of version 2 to today's step."""
    chosen = set(step.chosen)
    return now.Offered(
        at=step.vertex,
        of="edges",
        offers=tuple(_convert_offer(offer, taken=offer.edge_id in chosen) for offer in step.offers),
        arrivals=_arrivals(step.arrivals),
        considered=step.considered,
        told=Told(step.cost, step.reason, step.verdict, step.fallback, step.exchange),
    )


def _convert_offer(offer: Offer, *, taken: bool) -> now.Offer:
    """Convert a candidate edge; its query terms become notes."""
    term_notes = (
        ("new query terms:", offer.covers),
        ("query terms in the edge question:", offer.mentions),
    )
    return now.Offer(
        target=offer.target,
        score=offer.score,
        parts=_renamed_parts(offer.parts),
        taken=taken,
        tie=offer.edge_id,
        label=offer.question,
        notes=tuple((what, ", ".join(words)) for what, words in term_notes if words),
        backwards=offer.backwards,
    )


def _seed_offer(seed: Arrival) -> now.Offer:
    """Convert a seed to a selected candidate; its score is the sum of its parts."""
    score = sum(part.value for part in seed.parts)
    return now.Offer(
        seed.passage_id, score, _renamed_parts(seed.parts), taken=True, tie=seed.edge_id or ""
    )


def _arrivals(arrivals: tuple[Arrival, ...]) -> tuple[now.Arrival, ...]:
    return tuple(
        now.Arrival(a.passage_id, _renamed_parts(a.parts), a.edge_id or "") for a in arrivals
    )


def _hits(hits: tuple[Hit, ...]) -> tuple[Hit, ...]:
    return tuple(replace(hit, parts=_renamed_parts(hit.parts)) for hit in hits)


def _renamed_parts(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """Rename the score part "meaning" of earlier versions to "dense"."""
    return tuple(replace(part, name="dense") if part.name == "meaning" else part for part in parts)
