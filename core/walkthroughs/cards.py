"""Cards of nodes at a step, and the legend of their states."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import get_args

from core.glossary import GLOSSARY
from core.playback import Frame, RankingRow
from core.steps import ROOT
from core.walkthroughs.contract import (
    CardData,
    GlossaryTerm,
    ScoreData,
    State,
    StatesData,
    StopData,
    TermData,
)
from core.walkthroughs.nodes import Nodes
from core.walkthroughs.score import rounded

SEED = "seed"
REACHED: tuple[State, ...] = ("queued", "current", "visited", "retrieved", "cut_off", "missed")
"""States in which the card of a gold passage shows its evidence."""


@dataclass(frozen=True)
class Cards:
    """Makes the cards of a walkthrough.

    Parameters
    ----------
    missed : passages with gold that the result does not have.
    """

    nodes: Nodes
    missed: Collection[str]
    _rows: dict[int, dict[str, RankingRow]] = field(default_factory=dict)

    def row(self, node: str, now: Frame) -> RankingRow | None:
        """Return the row of the ranking that a node has at a step; None if it has none."""
        if now.t not in self._rows:
            self._rows[now.t] = {row.hit.passage_id: row for row in now.ranking_rows}
        return self._rows[now.t].get(node)

    def card(
        self, node: str, now: Frame, matters: Sequence[int | None] = (), note: str = ""
    ) -> CardData:
        """Return a node at a step.

        Parameters
        ----------
        matters : numbers of the sentences that explain the step, the most telling one first; the
            sentence that adds most of the query to the path if there are none. Those that hold
            evidence come before them once the node was reached.
        """
        row, state = self.row(node, now), self.state(node, now)
        evidence = self.nodes.evidence_sentences(node) if state in REACHED else []
        sentences = list(dict.fromkeys(one for one in (*evidence, *matters) if one is not None))
        best = sentences[0] if sentences else self.nodes.best_sentence(node)
        share = now.mass.get(node)
        return CardData(
            node=node,
            state=state,
            visits=now.counter.get(node, 0),
            rank=row.rank if row else 0,
            kept=bool(row and row.kept),
            matters=sorted(sentences) if sentences else [] if best is None else [best],
            best=best,
            share=rounded(share.score) if share else None,
            note=note or (SEED if node in now.entries else ""),
        )

    def state(self, node: str, now: Frame) -> State:
        """Return the state of a node at a step, such as queued or visited."""
        role = now.roles.get(node)
        ended = now.ended and now.depth == 1
        if ended and node in self.missed:
            return "missed"
        if role == "current":
            return "current"
        if role in ("retrieved", "pruned"):
            return "retrieved" if role == "retrieved" else "cut_off"
        if node in now.queue:
            return "queued"
        if node in now.questions or role in ("seed", "visited"):
            return "visited"
        if role == "offered":
            return "candidate" if _needs_model_call(node, now) else "not_followed"
        return "visited" if node == ROOT else "unseen"

    def states(self, now: Frame) -> dict[str, State]:
        """Return the states of all nodes that were seen by a step."""
        seen = dict.fromkeys((*now.questions, *now.roles, *now.queue))
        if now.ended and now.depth == 1:
            seen |= dict.fromkeys(self.missed)
        return {node: self.state(node, now) for node in seen}


def cards_of(stop: StopData) -> Iterator[CardData]:
    """Yield the cards of a stop."""
    yield stop["here"]
    if stop["came_from"]:
        yield stop["came_from"]
    for one in stop["candidates"]:
        yield one["card"]
    if stop["chain"]:
        yield from stop["chain"]["cards"]


def _needs_model_call(node: str, now: Frame) -> bool:
    """Return whether a model would have to choose among the candidates but was not called."""
    exchange = now.step.told.exchange if now.step else None
    waits = exchange is not None and not exchange.replies and not exchange.trouble
    return waits and any(offer.target == node for offer in now.offers)


def legend(
    seen: Iterable[StatesData], score: ScoreData, *, gold: bool, visits: bool, unjudged: bool
) -> list[TermData]:
    """Return the legend: the terms that a walkthrough uses, `gold` if any is known."""
    met = {state for one in seen for state in one["nodes"].values()}
    keys = [
        *(["gold"] if gold else []),
        *(state for state in get_args(State) if state in met and state in GLOSSARY),
        *(["visits"] if visits else []),
        *(["helpfulness"] if score["formula"] else []),
        "cut_off_line",
        *(["unjudged"] if unjudged else []),
    ]
    return [_term(key, score) for key in keys]


def _term(key: str, score: ScoreData) -> TermData:
    """Return the glossary's term; the score is the one of the retriever."""
    if key == "helpfulness":
        explanation = f"{score['formula']}. {score['note']}"
        return TermData(key=key, label=score["name"], meaning=explanation)
    term = GLOSSARY[key]
    return TermData(key=key, label=term.name[:1].upper() + term.name[1:], meaning=term.meaning)


def glossary() -> dict[GlossaryTerm, str]:
    """Return the meanings of all terms in headings and labels."""
    return {key: GLOSSARY[key].told for key in get_args(GlossaryTerm)}
