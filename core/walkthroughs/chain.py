"""The evidence chain: from the query over each piece of evidence to the answer, or to the gap."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.playback import Frame
from core.steps import ROOT, Offered, own_answer
from core.types import Hit
from core.walkthroughs.contract import CardData, ChainData, LinkData, StopData
from core.walkthroughs.gold import GoldTexts, Piece
from core.walkthroughs.stops import Stops, gold_told
from core.walkthroughs.wording import quoted

FIRST = 2
"""Passages of the result that the chain shows where no gold is known."""


@dataclass(frozen=True)
class Chain:
    """Makes the evidence chain of a walkthrough.

    Parameters
    ----------
    answers : answers of the question set, any of which is right.
    """

    stops: Stops
    gold: Sequence[Piece]
    texts: GoldTexts
    answers: Sequence[str]

    def data(self, now: Frame) -> ChainData:
        """Return the chain at the end of a retrieval.

        Where no gold is known, nothing is missed: it counts as complete.
        """
        cards, links = [self._card(ROOT, now)], list[LinkData]()
        shown = [ROOT]
        absent: list[str] = []
        for node, piece in self._wanted(now):
            kept = piece is None or piece.retrieved
            if node in shown:
                continue
            if kept:
                self._reach(node, now, cards, links, shown)
            elif piece and node in self.stops.nodes.plot.cast.passages:
                self._break(node, piece, now, cards, links, shown)
            elif piece:
                absent.append(f"{quoted(self.texts.title(piece))}: {piece.stage}.")
        complete = all(piece.retrieved for piece in self.gold)
        found, told = self._answer(cards)
        text = " ".join(filter(None, (*dict.fromkeys(absent), told)))
        links.append(LinkData(kind="found" if found else "gap", edge="", text=text, source=""))
        answer = self.answers[0] if self.answers else own_answer(self.stops.steps) or ""
        return ChainData(cards=cards, links=links, answer=answer, complete=complete)

    def _wanted(self, now: Frame) -> list[tuple[str, Piece | None]]:
        """Return the passages of the chain in order, each with the gold that it is for."""
        if not self.gold:
            return [(hit.passage_id, None) for hit in now.hits[:FIRST]]
        found: list[tuple[str, Piece | None]] = []
        ranks = {hit.passage_id: rank for rank, hit in enumerate(now.hits, start=1)}
        for piece in self.gold:
            for part in piece.parts:
                kept = sorted((one for one in part if one in ranks), key=ranks.__getitem__)
                node = kept[0] if kept else self.texts.shown(piece)
                found.append((node if node in part or not part else part[0], piece))
        return found

    def _reach(
        self, node: str, now: Frame, cards: list[CardData], links: list[LinkData], shown: list[str]
    ) -> None:
        """Add the path to a passage that was retrieved."""
        nodes = self.stops.nodes
        way = nodes.path(node)
        if len(way) == 2 and (edge := self._joining(node, shown, now)):
            source = self.stops.edges.other_end(edge, node)
            self._add(node, edge, source, now, cards, links, shown)
            return
        for one in way[1:]:
            if one in shown or (nodes.kind(one) == "query" and one != node):
                continue
            origin = nodes.origins.get(one)
            edge = origin.line if origin and not origin.is_seed else ""
            source = origin.source if origin else ROOT
            self._add(one, edge, source, now, cards, links, shown)

    def _joining(self, node: str, shown: Sequence[str], now: Frame) -> str:
        """Return an edge that was followed to a seed from a card of the chain, the last one."""
        edges = self.stops.nodes.plot.cast.edges
        found = [
            (shown.index(source), name)
            for name in now.walked
            if (edge := edges.get(name))
            and node in (edge.source, edge.target)
            and (source := self.stops.edges.other_end(name, node)) in shown
        ]
        return max(found)[1] if found else ""

    def _add(
        self,
        node: str,
        edge: str,
        source: str,
        now: Frame,
        cards: list[CardData],
        links: list[LinkData],
        shown: list[str],
    ) -> None:
        edges, nodes = self.stops.edges, self.stops.nodes
        known = edge if edges.known([edge]) and edges.is_pseudo_query(edge) else ""
        if known:
            self._also(cards, source, edges.sentence(known, source))
        cards.append(self._card(node, now, edges.sentence(known, node) if known else None))
        beside = source in (shown[-1], ROOT) or nodes.kind(source) == "query"
        links.append(
            LinkData(
                kind="edge" if known else "found",
                edge=known,
                text="" if known else self._found(node, source, now),
                source="" if beside else nodes.title(source),
            )
        )
        shown.append(node)

    @staticmethod
    def _also(cards: list[CardData], node: str, sentence: int | None) -> None:
        """Have a sentence that raises an edge's question matter on its card."""
        for card in cards:
            if card["node"] == node and sentence is not None:
                card["matters"] = sorted({*card["matters"], sentence})

    def _break(
        self,
        node: str,
        piece: Piece,
        now: Frame,
        cards: list[CardData],
        links: list[LinkData],
        shown: list[str],
    ) -> None:
        """Append a gap and, after it, the card of the lost evidence."""
        lost = self.texts.lost_edge(piece)
        edge = lost if self.stops.edges.known([lost]) else ""
        source = self.stops.edges.other_end(edge, node) if edge else ""
        links.append(
            LinkData(
                kind="gap",
                edge=edge,
                text=self.texts.data(piece)["explanation"],
                source=self.stops.nodes.title(source) if source and source != shown[-1] else "",
            )
        )
        cards.append(self._card(node, now))
        shown.append(node)

    def _card(self, node: str, now: Frame, answers: int | None = None) -> CardData:
        evidence = self.stops.nodes.evidence_sentences(node)
        return self.stops.cards.card(node, now, evidence or (answers,))

    def _found(self, node: str, source: str, now: Frame) -> str:
        """Return how a passage was found that no edge of the hop graph led to."""
        nodes, row = self.stops.nodes, self.stops.cards.row(node, now)
        if not nodes.is_passage(node):  # what leads on has no rank
            return ""
        if source != ROOT and nodes.kind(source) == "query":
            asked = self.stops.nodes.plot.cast.questions.get(source)
            same = asked == self.stops.nodes.plot.cast.query
            by = (
                "question itself" if same else f"{nodes.noun(source)} {quoted(nodes.title(source))}"
            )
            return f"Found by the {by}{f' (rank {row.rank})' if row else ''}."
        for step in self.stops.steps:
            if isinstance(step, Offered) and step.entry:
                for place, offer in enumerate(step.taken, start=1):
                    if offer.target == node:
                        by = self.stops.candidates.led(Hit(node, offer.score, offer.parts))
                        return f"Seed {place} of {len(step.taken)}{_by(by)}."
        by = self.stops.candidates.led(row.hit) if row else ""
        return f"Rank {row.rank}{_by(by)}." if row else "Not ranked."

    def _answer(self, cards: Sequence[CardData]) -> tuple[bool, str]:
        """Return whether the chain leads to the answer, and in which passage that is, if known."""
        nodes = self.stops.nodes
        for card in cards:
            node = card["node"]
            if nodes.is_passage(node) and nodes.answering(node, self.answers):
                lost = card["state"] == "missed"
                where = f"The answer is in {quoted(nodes.title(node))}"
                return not lost, f"{where}, which was missed." if lost else f"{where}."
        return all(piece.retrieved for piece in self.gold), ""

    def headline(self) -> str:
        """Return whether the chain is complete, and where it breaks."""
        if not self.gold:
            return "No gold is known for this query. The chain shows the top passages."
        lost = [piece for piece in self.gold if not piece.retrieved]
        if not lost:
            told = gold_told(len(self.gold), len(self.gold), *self.stops.nouns)
            return f"The chain is complete: {told[:1].lower()}{told[1:]}"
        piece = lost[0]
        title = quoted(self.texts.title(piece))
        others = len(lost) - 1
        more = f"; {others} more missed" if others else ""
        position = f" ({piece.position.partition(' (')[0]})"
        return f"The chain breaks at {title}{position}: {piece.stage}{more}."

    def stop(self, last: StopData, now: Frame) -> StopData:
        """Return the last stop of a walkthrough; `last` is that of the result."""
        made = self.data(now)
        notes = [made["links"][-1]["text"]]
        covered = self.stops.nodes.covered_by(card["node"] for card in made["cards"])
        return {
            **last,
            "kind": "chain",
            "label": "Evidence chain" if self.gold else "Chain",
            "round": "",
            "headline": self.headline(),
            "notes": [one for one in notes if one],
            "came_from": None,
            "arrived_by": "",
            "here": made["cards"][0],
            "candidates": [],
            "candidates_label": "",
            "more_candidates": 0,
            "scored": 0,
            "covered": self.stops.nodes.words.numbers(covered),
            "covered_here": [],
            "chain": made,
            "helpfulness": None,
            "exchanges": [],
        }


def _by(parts: str) -> str:
    """Return what a score mainly comes from, as the end of a sentence."""
    return f", scored mainly by {parts}" if parts else ""
