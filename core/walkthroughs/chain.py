"""The evidence chain: from the query over each piece of evidence to the answer, or to the gap."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from core.playback import Frame
from core.steps import ROOT, Offered, own_answer
from core.types import Hit
from core.walkthroughs.contract import CardData, ChainData, LinkData, StopData
from core.walkthroughs.gold import GoldTexts, Piece
from core.walkthroughs.stops import Stops, gold_told, without_candidates
from core.walkthroughs.wording import quoted, series

FIRST = 2
"""Passages of the result that the chain shows where no gold is known."""


@dataclass
class Chain:
    """Makes the evidence chain of a walkthrough, at the end of its retrieval.

    Parameters
    ----------
    answers : answers of the question set, any of which is right.
    """

    stops: Stops
    gold: Sequence[Piece]
    texts: GoldTexts
    answers: Sequence[str]
    _cards: list[CardData] = field(default_factory=list)
    _links: list[LinkData] = field(default_factory=list)

    def data(self) -> ChainData:
        """Return the chain.

        Where no gold is known, nothing is missed: it counts as complete.
        """
        self._cards, self._links = [self._card(ROOT)], []
        absent: list[str] = []
        for node, piece in self._chain_passages():
            if node in self._shown:
                continue
            if piece is None or piece.retrieved:
                self._reach(node)
            elif node in self.stops.nodes.plot.cast.passages:
                self._break(node, piece)
            else:
                absent.append(f"{quoted(self.texts.title(piece))}: {piece.stage}.")
        complete = all(piece.retrieved for piece in self.gold)
        is_answered, sentence = self._answer()
        text = " ".join(filter(None, (*dict.fromkeys(absent), sentence)))
        self._links.append(_link("found" if is_answered else "gap", "", text))
        return ChainData(
            cards=self._cards,
            links=self._links,
            answer=self.answers[0] if self.answers else own_answer(self.stops.steps) or "",
            gold_answer=bool(self.answers),
            complete=complete,
        )

    @property
    def _last_frame(self) -> Frame:
        return self.stops.played.last

    @property
    def _shown(self) -> list[str]:
        return [card["node"] for card in self._cards]

    def _chain_passages(self) -> list[tuple[str, Piece | None]]:
        """Return the passages of the chain in order, each with its gold."""
        hits = self._last_frame.hits
        if not self.gold:
            return [(hit.passage_id, None) for hit in hits[:FIRST]]
        wanted: list[tuple[str, Piece | None]] = []
        ranks = {hit.passage_id: rank for rank, hit in enumerate(hits, start=1)}
        for piece in self.gold:
            for part in piece.parts:
                kept = sorted((one for one in part if one in ranks), key=ranks.__getitem__)
                node = kept[0] if kept else self.texts.shown(piece)
                wanted.append((node if node in part or not part else part[0], piece))
        return wanted

    def _reach(self, node: str) -> None:
        """Add the path to a passage that was retrieved."""
        nodes = self.stops.nodes
        way = nodes.path(node)
        if len(way) == 2 and (edge := self._joining(node)):
            self._add_card(node, edge, self.stops.edges.other_end(edge, node))
            return
        for one in way[1:]:
            if one in self._shown or (nodes.kind(one) == "query" and one != node):
                continue
            origin = nodes.origins.get(one)
            edge = origin.line if origin and not origin.is_seed else ""
            self._add_card(one, edge, origin.source if origin else ROOT)

    def _joining(self, node: str) -> str:
        """Return an edge that was followed to a seed from a card of the chain, the last one."""
        edges, shown = self.stops.nodes.plot.cast.edges, self._shown
        joining = [
            (shown.index(source), name)
            for name in self._last_frame.walked
            if (edge := edges.get(name))
            and node in (edge.source, edge.target)
            and (source := self.stops.edges.other_end(name, node)) in shown
        ]
        return max(joining)[1] if joining else ""

    def _add_card(self, node: str, edge: str, source: str) -> None:
        """Append the card of `node`, with a link that names the edge or search by which it was
        reached.

        `source` is the node from which it was reached, `edge` the edge, or "" if none was followed.
        """
        edges, nodes = self.stops.edges, self.stops.nodes
        is_adjacent = source in (self._shown[-1], ROOT) or nodes.kind(source) == "query"
        title = "" if is_adjacent else nodes.title(source)
        if edges.known([edge]) and edges.is_pseudo_query(edge):
            self._highlight(source, edges.sentence(edge, source))
            self._links.append(_link("edge", edge, "", title))
            self._cards.append(self._card(node, edges.sentence(edge, node)))
        else:
            self._links.append(_link("found", "", self._found(node, source), title))
            self._cards.append(self._card(node))

    def _highlight(self, node: str, sentence: int | None) -> None:
        """Highlight on its card a sentence that raises an edge's question."""
        for card in self._cards:
            if card["node"] == node and sentence is not None:
                card["matters"] = sorted({*card["matters"], sentence})

    def _break(self, node: str, piece: Piece) -> None:
        """Append a gap and, after it, the card of the lost evidence.

        The path to the passage before the gap is shown where the retrieval reached that passage.
        """
        edge = self._lost_edge(node, piece)
        source = self.stops.edges.other_end(edge, node) if edge else ""
        if source in self.stops.nodes.origins and source not in self._shown:
            self._reach(source)
        title = self.stops.nodes.title(source) if source not in ("", self._shown[-1]) else ""
        self._links.append(_link("gap", edge, self.texts.data(piece)["explanation"], title))
        self._cards.append(self._card(node))

    def _lost_edge(self, node: str, piece: Piece) -> str:
        """Return the edge that led to lost evidence, or would have; empty if none is known."""
        origin = self.stops.nodes.origins.get(node)
        led = origin.line if origin and not origin.is_seed else ""
        known = self.stops.edges.known([self.texts.lost_edge(piece), led])
        return known[0] if known else ""

    def _card(self, node: str, answers: int | None = None) -> CardData:
        evidence = self.stops.nodes.evidence_sentences(node)
        return self.stops.cards.card(node, self._last_frame, evidence or (answers,))

    def _found(self, node: str, source: str) -> str:
        """Describe how a passage was found without an edge of the hop graph."""
        nodes, row = self.stops.nodes, self.stops.cards.row(node, self._last_frame)
        if not nodes.is_passage(node):  # what leads on has no rank
            return ""
        if source != ROOT and nodes.kind(source) == "query":
            cast, by = nodes.plot.cast, f"{nodes.noun(source)} {quoted(nodes.title(source))}"
            if cast.questions.get(source) == cast.query:
                by = "original question"
            return f"Found with the {by}{f' (rank {row.rank})' if row else ''}."
        for step in self.stops.steps:
            if isinstance(step, Offered) and step.entry:
                for place, offer in enumerate(step.taken, start=1):
                    if offer.target == node:
                        parts = self.stops.candidates.led(Hit(node, offer.score, offer.parts))
                        return f"Seed {place} of {len(step.taken)}{_by(parts)}."
        parts = self.stops.candidates.led(row.hit) if row else []
        return f"Rank {row.rank}{_by(parts)}." if row else "Not ranked."

    def _answer(self) -> tuple[bool, str]:
        """Return whether the chain leads to the answer, and in which passage that is, if known."""
        nodes = self.stops.nodes
        held = {node for piece in self.gold for part in piece.parts for node in part}
        for card in self._cards:
            node = card["node"]
            if held and node not in held:
                continue
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
            gold_sentence = gold_told(len(self.gold), len(self.gold), *self.stops.nouns)
            return f"The chain is complete: {gold_sentence[:1].lower()}{gold_sentence[1:]}"
        piece = lost[0]
        title = quoted(self.texts.title(piece))
        others = len(lost) - 1
        more = f"; {others} more missed" if others else ""
        position = f" ({piece.position.partition(' (')[0]})"
        return f"The chain breaks at {title}{position}: {piece.stage}{more}."

    def stop(self, last: StopData) -> StopData:
        """Return the last stop of a walkthrough; `last` is that of the result."""
        made = self.data()
        sentence = made["links"][-1]["text"]
        covered = self.stops.nodes.covered_by(card["node"] for card in made["cards"])
        return {
            **without_candidates(last),
            "kind": "chain",
            "label": "Evidence chain" if self.gold else "Chain",
            "round": "",
            "headline": self.headline(),
            "notes": [sentence] if sentence else [],
            "here": made["cards"][0],
            "covered": self.stops.nodes.words.numbers(covered),
            "chain": made,
        }


def _link(
    kind: Literal["edge", "found", "gap"], edge: str, text: str, source: str = ""
) -> LinkData:
    return LinkData(kind=kind, edge=edge, text=text, source=source)


def _by(parts: Sequence[str]) -> str:
    """Name the main components of a score, in a sentence of its own.

    >>> _by(["dense", "lexical"]), _by(["'save'"]), _by([])
    ('. Main score components: dense and lexical', ". Highest-scoring term: 'save'", '')
    """
    if not parts:
        return ""
    what = "Highest-scoring term" if parts[0].startswith("'") else "Main score component"
    return f". {what}{'' if len(parts) == 1 else 's'}: {series(parts)}"
