"""Gold of a walkthrough, piece by piece: evidence, or passages and documents where that is gold."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from core.evidence import parts_of
from core.funnel.data import Fate
from core.funnel.evidence_chain import Position
from core.funnel.fates import fates
from core.lost_gold.causes import Cause, causes
from core.lost_gold.gold_distance import IndexView
from core.lost_gold.missed_gold import CLOSED
from core.lost_gold.missed_gold import Gold as Miss
from core.lost_gold.trace_index import Unopened
from core.marks import Gold
from core.playback import Frame
from core.playback.wording import ended
from core.text.clean import one_line
from core.trace_analysis.trace_frames import Played
from core.walkthroughs.contract import GoldData
from core.walkthroughs.nodes import Nodes

Level = Literal["evidence", "passage", "document", ""]
NOUNS: Mapping[Level, tuple[str, str]] = {
    "evidence": ("piece of evidence", "pieces of evidence"),
    "passage": ("gold passage", "gold passages"),
    "document": ("gold document", "gold documents"),
    "": ("", ""),
}
"""What a piece of gold is called, and several."""
UNKNOWN = ("absent", "far", "unoffered")
"""Stages of loss of which nothing is known without the index."""
FAR = 10**9
"""Orders what has no rank behind what has one."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of gold and what became of it.

    Parameters
    ----------
    name : its gold id.
    parts : groups of passages. One passage of each is needed.
    position : its place among all gold, in words.
    missed : how far it is from what was reached, if it was missed and that is known.
    """

    name: str
    parts: tuple[tuple[str, ...], ...]
    position: str
    rank: int
    fate: Fate | None = None
    missed: Miss | None = None
    cause: Cause = field(default_factory=Cause)

    @property
    def retrieved(self) -> bool:
        """Whether the result has all of it."""
        return self.rank > 0

    @property
    def lost(self) -> Fate | None:
        """The stage of loss in words, if it was lost and the stage is known."""
        return None if self.retrieved else self.fate

    @property
    def nodes(self) -> tuple[str, ...]:
        """The passages that contain it or a part of it."""
        return tuple(dict.fromkeys(node for part in self.parts for node in part))

    @property
    def stage(self) -> str:
        """The stage at which it was lost, in a few words."""
        if self.retrieved:
            return ""
        return self.fate.words if self.fate else CLOSED

    def status(self, now: Frame) -> str:
        """Describe the state of the gold at a step, in a few words."""
        if now.ended and now.depth == 1:
            return f"retrieved, rank {self.rank}" if self.retrieved else f"lost: {self.stage}"
        ranks = [min(_status(node, now) for node in part) for part in self.parts if part]
        return max(ranks)[1] if ranks else "not in the index"


def _status(node: str, now: Frame) -> tuple[int, str]:
    """Return how far a passage came, as a sort key (smaller is further) and in words."""
    row = next((row for row in now.ranking_rows if row.hit.passage_id == node), None)
    if row:
        k = sum(one.kept for one in now.ranking_rows)
        where = f" in search {now.asked.id}" if now.asked and now.depth > 1 else ""
        below = "" if row.kept else f", below the top {k}"
        return row.rank, f"rank {row.rank}{where}{below}"
    role = now.roles.get(node)
    if role is None:
        return FAR, "not found yet"
    return (FAR - 1, "a candidate, not followed") if role == "offered" else (FAR - 2, "reached")


def level(gold: Gold, nodes: Nodes) -> Level:
    """Return the gold level: evidence, passages or documents."""
    if gold.evidence:
        return "evidence"
    if not gold.ids:
        return ""
    passages = nodes.plot.cast.passages
    return "passage" if all(name in passages for name in gold.ids) else "document"


def pieces(played: Played, gold: Gold, index: IndexView | None, nodes: Nodes) -> list[Piece]:
    """Return every piece of gold with its fate and rank, in the order of the question set.

    The rank of a piece in several passages is that of the last one retrieved, 0 if one is missing.
    Without an index, fates that only an index tells are left out.
    """
    steps, title = played.trace.steps, nodes.title
    held = index or Unopened(nodes.plot.cast.passages)
    ranks = {hit.passage_id: rank for rank, hit in enumerate(played.last.hits, start=1)}
    known = {fate.gold: fate for fate in _fates(played, gold, held)}
    misses = played.missed.gold
    whys = dict(
        zip(
            (one.passage.id if one.passage else one.id for one in misses),
            zip(misses, causes(misses, steps, played.names, title, played.falls), strict=True),
            strict=True,
        )
    )
    gold_pieces = []
    for number, name in enumerate(gold.ids, start=1):
        parts = parts_of(name, gold.passages)
        fate = known.get(name)
        if fate and index is None and fate.stage in UNKNOWN:
            fate = None
        best = [min((ranks[one] for one in part if one in ranks), default=0) for part in parts]
        rank = max(best, default=0) if all(best) else 0
        near = fate.passage if fate and fate.passage else next(iter(parts[0]), name)
        missed, cause = whys.get(near, (None, Cause()))
        position = _position(number, name, gold, level(gold, nodes))
        gold_pieces.append(Piece(name, parts, position, rank, fate, missed, cause))
    return gold_pieces


def _fates(played: Played, gold: Gold, index: IndexView | Unopened) -> tuple[Fate, ...]:
    """Return the fate of each gold id, or of each piece of evidence where the gold is evidence."""
    if not gold.ids:
        return ()
    passages_by_gold = {name: gold.passages.get(name, ()) for name in gold.ids}
    split = gold.passages if gold.evidence else passages_by_gold
    return fates(played.trace.steps, gold.ids, index, passages_by_gold=split, lists=played.lists)


def _position(number: int, name: str, gold: Gold, of: Level) -> str:
    """Return the place of gold among all of it; of evidence, in the chain if that is known."""
    hops = [each.hop for each in gold.evidence.values()]
    evidence = gold.evidence.get(name)
    if evidence and all(hops):
        chain = sorted(gold.evidence, key=lambda one: gold.evidence[one].hop)
        return str(Position(chain.index(name) + 1, len(chain), evidence))
    noun = "evidence" if of == "evidence" else f"gold {of}"
    return f"{noun} {number} of {len(gold.ids)}"


@dataclass(frozen=True)
class GoldTexts:
    """Makes the gold of a walkthrough for the browser."""

    nodes: Nodes
    gold: Gold

    def data(self, piece: Piece) -> GoldData:
        """Return a piece of gold for the browser."""
        explained = " ".join(map(ended, self._explained(piece)))
        return GoldData(
            text=self.text(piece),
            title=self.title(piece),
            position=piece.position,
            nodes=[one for one in piece.nodes if self.nodes.is_passage(one)],
            retrieved=piece.retrieved,
            explanation=explained.strip(),
            details=[ended(near.whole) for near in piece.lost.lists] if piece.lost else [],
        )

    def shown(self, piece: Piece) -> str:
        """Return the passage by which gold is shown: the one of its fate, or the first."""
        if piece.fate and self.nodes.is_passage(piece.fate.passage):
            return piece.fate.passage
        return next((one for one in piece.nodes if self.nodes.is_passage(one)), "")

    def text(self, piece: Piece) -> str:
        """Return the text of evidence, or the title of a gold passage or document."""
        evidence = self.gold.evidence.get(piece.name) or self.gold.marked.get(piece.name)
        return one_line(evidence.text) if evidence else self.title(piece)

    def title(self, piece: Piece) -> str:
        """Return the title of the passage by which gold is shown, or the name of the gold."""
        node = self.shown(piece)
        return self.nodes.title(node) if node else self.gold.titles.get(piece.name, piece.name)

    def _explained(self, piece: Piece) -> Sequence[str]:
        """Return why gold was lost, thought by thought.

        The question of the edge that would have led to it is shown beside it, if it has one.
        """
        if piece.retrieved:
            return ()
        if piece.fate is None:
            return (piece.stage,)
        beside = self.lost_edge(piece) in self.nodes.plot.cast.edges
        fate = replace(piece.fate, asks="") if beside else piece.fate
        far = piece.missed.missing if piece.missed and piece.missed.way else str(fate)
        return (far, piece.cause.told)

    def lost_edge(self, piece: Piece) -> str:
        """Return the edge that would have led to lost gold from what was reached."""
        if edge := piece.cause.line or (piece.lost.tie if piece.lost else ""):
            return edge
        way = piece.missed.way if piece.missed and piece.lost else ()
        edges = self.nodes.plot.cast.edges.values()
        ends = {*way[-2:]}
        joining = (edge.id for edge in edges if {edge.source, edge.target} == ends)
        return next(joining, "") if len(way) > 1 else ""
