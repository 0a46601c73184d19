"""Recall by the position of evidence in the reasoning chain of its question."""

from collections import defaultdict
from dataclasses import dataclass

from core.funnel.evidence_chain import positions
from core.measures import CUTOFFS
from core.runs.analysis.leaderboard import Interval, interval
from core.runs.analysis.recall import recalled
from core.runs.run import Run
from core.runs.store import Runs

CHAIN = "chain position"
"""The name of these slices among the fields that questions can be sliced by."""
DEEPEST = max(CUTOFFS)


@dataclass(frozen=True, slots=True)
class Slice:
    """The questions with one value of a field, and a measure of them by retriever.

    Of a chain position the measure is that of the evidence there alone.
    """

    value: str
    questions: int
    by: dict[str, Interval]


def has_chain(runs: Runs, run: Run) -> bool:
    """Check whether the run knows evidence for two hops or more."""
    return len({hop for by_hop in evidence_by_hop(runs, run).values() for hop in by_hop}) > 1


def evidence_by_hop(runs: Runs, run: Run) -> dict[str, dict[int, tuple[str, ...]]]:
    """Return, for each question by its id, the gold ids of its evidence by hop, where known."""
    evidence: dict[str, dict[int, tuple[str, ...]]] = {}
    for query in runs.questions(run.id):
        for name, position in positions(query).items():
            by_hop = evidence.setdefault(query.id, {})
            hop = position.evidence.hop
            by_hop[hop] = (*by_hop.get(hop, ()), name)
    return evidence


def cutoff_of(measure: str) -> int:
    """Return the k of recall by chain position: that of `measure` where it is R@k or all@k."""
    name, _, k = measure.partition("@")
    return int(k) if name in ("R", "all") and k.isdecimal() else DEEPEST


def chain_slices(runs: Runs, run: Run, k: int = DEEPEST) -> list[Slice]:
    """Compute Recall@k of the evidence at each hop of the reasoning chain.

    Each question with evidence for a hop counts the same, however much it has there.
    """
    chains = evidence_by_hop(runs, run)
    shares: dict[int, dict[str, list[float | None]]] = defaultdict(lambda: defaultdict(list))
    for retriever in run.retrievers:
        for question, ranks in _ranks(runs, run, retriever).items():
            for hop, names in chains.get(question, {}).items():
                recall = recalled({name: ranks.get(name) for name in names}, k)
                shares[hop][retriever].append(recall)
    return [
        Slice(
            str(hop),
            sum(hop in by_hop for by_hop in chains.values()),
            {retriever: interval(some) for retriever, some in shares[hop].items()},
        )
        for hop in sorted(shares)
    ]


def _ranks(runs: Runs, run: Run, retriever: str) -> dict[str, dict[str, int | None]]:
    """Return the ranks of gold ids, by question."""
    ranks: dict[str, dict[str, int | None]] = {}
    for question, gold, rank in runs.read(
        "SELECT question, gold, rank FROM golds WHERE run = ? AND retriever = ?",
        *(run.id, retriever),
    ):
        ranks.setdefault(question, {})[gold] = rank
    return ranks
