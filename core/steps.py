"""The immutable steps of a retrieval, the one language of every retriever and every screen.

A retriever is a generator of these. Each run is `Asked`, then for a graph walk `Seeded` and any
number of `HopBegan` and `Judged`, and last exactly one `Ranked`. Whatever the screen shows at
step t is a pure fold over the first t steps (`core.playback.frame`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from core.types import Hit, Part


@dataclass(frozen=True, slots=True)
class Cost:
    """What a step took: wall-clock seconds, model calls and tokens, calls answered by a cache."""

    seconds: float = 0.0
    calls: int = 0
    tokens: int = 0
    cached: int = 0


@dataclass(frozen=True, slots=True)
class Exchange:
    """What a model was asked for one thing, and what it answered, word for word.

    `replies` are its raw replies in order: a second one only where the first could not be read.
    `trouble` says why none could be used, empty if one was. `cached` when nothing was asked anew.
    """

    model: str
    system: str
    user: str
    replies: tuple[str, ...] = ()
    tokens_in: int = 0
    tokens_out: int = 0
    seconds: float = 0.0
    cached: bool = False
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """The question as the retriever understood it; its cost is the query's embedding.

    `importance_weight` is w in score(v) = sum(parts of v) + w * IMP(v), IMP(v) being the visits
    of v over all visits (Eq. 3). Helpfulness (Eq. 2) has w = 1/2; a one-shot method has 0.
    """

    retriever: str
    query: str
    top_k: int
    keywords: tuple[str, ...] = ()
    settings: Mapping[str, str | int | float | bool] = field(default_factory=dict)
    importance_weight: float = 0.0
    cost: Cost = Cost()


@dataclass(frozen=True, slots=True)
class Arrival:
    """A visit of a vertex: its count goes up by one; the first visit puts it into the queue.

    `parts` are its score's addends without importance, as known from now on (they may have grown
    since the last visit). `edge_id` is the edge it was reached by; an entry has the edge whose
    end it is, or None when it was found as a passage.
    """

    passage_id: str
    parts: tuple[Part, ...]
    edge_id: str | None = None


@dataclass(frozen=True, slots=True)
class Offer:
    """An edge that was on offer at a vertex, with its score for this query as addends.

    `target` is where following it leads: the edge's end, or its start when walked backwards.
    Where the chooser names them, `covers` are the words of the query that the target brings, and
    `mentions` those that stand in the out-coming question that the edge was made from.
    """

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
    """The queue at the start (Algorithm 1, line 3). `entry` is edge, node or hybrid.

    `seeds` are in order of `offers`, which for an edge entry are the edges they came from
    (`Offer.target` is the seed) and else carry an empty `edge_id`. `considered` counts what was
    scored to find them.
    """

    entry: str
    seeds: tuple[Arrival, ...]
    offers: tuple[Offer, ...] = ()
    considered: int = 0
    cost: Cost = Cost()


@dataclass(frozen=True, slots=True)
class HopBegan:
    """A round starts (line 5): every vertex now in `queue` is taken once. `hop` counts from 1."""

    hop: int
    queue: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Judged:
    """One vertex was taken from the queue and its edges were looked at (lines 7 to 14).

    `offers` are in the order in which the policy would follow them; `chosen` are the ids of those
    followed, and each has one of the `arrivals`, in the same order. A vertex without an edge has
    no offers, which is not a judgement. `reason` says in a sentence why; `fallback` what was done
    instead of what was asked for, if anything. `considered` counts the edges that were scored; a
    hub may have more than are listed. Where a model chose, `exchange` is what was said and
    `verdict` what it thought of the edge; the seconds of its cost are then those of its reply,
    though all vertices of a round are asked at the same time.
    """

    hop: int
    vertex: str
    offers: tuple[Offer, ...]
    chosen: tuple[str, ...]
    arrivals: tuple[Arrival, ...]
    reason: str
    fallback: str = ""
    cost: Cost = Cost()
    considered: int = 0
    verdict: str = ""
    exchange: Exchange | None = None


@dataclass(frozen=True, slots=True)
class Ranked:
    """The end: at most `top_k` hits, best first, and what was seen but cut (line 17)."""

    hits: tuple[Hit, ...]
    pruned: tuple[Hit, ...] = ()
    engine: str = ""
    fallback: str = ""
    cost: Cost = Cost()


Step = Asked | Seeded | HopBegan | Judged | Ranked
