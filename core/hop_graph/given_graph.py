"""A graph from a file, used in place of the pseudo-query graph.

Each edge keeps its question as an out-question of its source and an in-question of its
target, so that it is embedded, chosen and shown like any other. For an edge without a question,
the target's title is embedded, and the screen says that there is no question. The weight replaces
SIM and both of its parts.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from core.errors import InputError
from core.hop_graph.edges import Merged, make_edge
from core.hop_graph.graph_files import GraphFile, Link
from core.hop_graph.model_questions import best_sentence
from core.hop_graph.pseudo_queries import Counted, pseudo_query
from core.text.clean import one_line
from core.text.display.plurals import number
from core.text.entities.keywords import Keywords
from core.text.entities.passage_names import names
from core.text.import_sources import GRAPH
from core.text.sentences import sentences
from core.types import Direction, Passage, PseudoQuery

_NAMED = 10  # nodes


@dataclass(frozen=True, slots=True)
class Matched:
    """The edges of a file between passages.

    Parameters
    ----------
    links : one edge per pair of passages, with passage ids and weights in [0, 1].
    unmatched : nodes that match no passage by id or title, or several passages by title.
    dropped : edges with such an end.
    loops, repeated : edges from a passage to itself, and weaker ones between the same passages.
    passages : how many passages have an edge.
    """

    links: tuple[Link, ...]
    unmatched: tuple[str, ...] = ()
    dropped: int = 0
    loops: int = 0
    repeated: int = 0
    passages: int = 0

    def told(self, total: int) -> list[str]:
        """Describe in sentences how much of the graph is used, of `total` passages."""
        unasked = sum(not link.question for link in self.links)
        named = ", ".join(f"'{name[:60]}'" for name in self.unmatched[:_NAMED])
        more = ", …" if len(self.unmatched) > _NAMED else ""
        said = [
            f"{number(len(self.links), 'edge')}, from {self.passages:,} of "
            f"{number(total, 'passage')}"
        ]
        if self.unmatched:
            said.append(
                "Nodes that do not match exactly one passage by id or title: "
                f"{len(self.unmatched):,} ({named}{more}), so {self.dropped:,} of the "
                "file's edges are left out"
            )
        for count, what in (
            (self.loops, "Edges from a passage to itself, left out"),
            (self.repeated, "Weaker edges between the same passages, left out"),
            (unasked, "Edges without a question, for which the target's title is embedded"),
        ):
            if count:
                said.append(f"{what}: {count:,}")
        return said


def matched(graph: GraphFile, passages: Sequence[Passage]) -> Matched:
    """Match the nodes of a graph to passages, by id, else by title."""
    known = _Names(passages)
    ends = {end for link in graph.links for end in (link.source, link.target)}
    passage_of = {
        end: known.find(end) or known.find(graph.titles.get(end, ""))
        for end in {*ends, *graph.nodes}
    }
    unmatched = tuple(sorted(end for end, passage in passage_of.items() if not passage))
    best: dict[tuple[str, str], Link] = {}
    dropped = loops = kept = 0
    largest = max((link.weight for link in graph.links), default=1.0)
    scale = largest if largest > 1 else 1.0
    for link in graph.links:
        source, target = passage_of[link.source], passage_of[link.target]
        if not source or not target:
            dropped += 1
        elif source == target:
            loops += 1
        else:
            kept += 1
            made = Link(source, target, link.question, link.weight / scale)
            known_link = best.get((source, target))
            if known_link is None or made.weight > known_link.weight:
                best[source, target] = made
    joined = {end for pair in best for end in pair}
    return Matched(tuple(best.values()), unmatched, dropped, loops, kept - len(best), len(joined))


class _Names:
    """Passages by id, by the id of their document if it is not split, and by title."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        ids: dict[str, set[str]] = defaultdict(set)
        titles: dict[str, set[str]] = defaultdict(set)
        for passage in passages:
            ids[passage.document_id].add(passage.id)
            titles[one_line(passage.title).casefold()].add(passage.id)
        self._ids = {passage.id for passage in passages}
        self._documents, self._titles = ids, titles

    def find(self, name: str) -> str:
        """Return the id of the passage that a node names, or an empty string."""
        if not name or name in self._ids:
            return name
        for names_of, key in ((self._documents, name), (self._titles, one_line(name).casefold())):
            if len(passages := names_of.get(key, ())) == 1:
                return next(iter(passages))
        return ""


def _ignore_notes(_: list[str]) -> None:
    """Ignore the notes: the default callback."""


@dataclass(frozen=True, slots=True)
class GivenGraph:
    """A maker that reads edges from a file.

    Parameters
    ----------
    name : `graph:` and the name of the file.
    told : receives sentences on how much of the graph is used.
    """

    name: str
    graph: GraphFile
    told: Callable[[list[str]], None] = _ignore_notes

    def __call__(
        self, passages: Sequence[Passage], progress: Counted | None = None
    ) -> Iterator[list[PseudoQuery]]:
        """Yield the pseudo-questions of each passage: out-questions first, then in-questions.

        Raises
        ------
        InputError : no edge joins two passages.
        """
        match = matched(self.graph, passages)
        if not match.links:
            some = ", ".join(f"'{name[:60]}'" for name in match.unmatched[:3])
            raise InputError(
                f"No edge of {self.name.removeprefix(GRAPH)} joins two passages: its nodes "
                f"({some}) are not passage ids or titles. Name the nodes by passage id or "
                "title."
            )
        self.told(match.told(len(passages)))
        by_id = {passage.id: passage for passage in passages}
        asked: dict[str, dict[tuple[Direction, str], str]] = {name: {} for name in by_id}
        for link in match.links:
            source, target = by_id[link.source], by_id[link.target]
            text = link.question or _substitute_question(target)
            told = link.question and best_sentence(source, text)
            asked[source.id].setdefault(("out", text), told)
            answer = link.question and best_sentence(target, text)
            asked[target.id].setdefault(("in", text), answer)
        keywords = Keywords(names(passages))
        for passage in passages:
            if progress:
                progress(1)
            yield [
                pseudo_query(passage, kind, number, text, keywords.of(text), self.name, told)
                for number, ((kind, text), told) in enumerate(asked[passage.id].items())
            ]

    def merged(self, queries: Sequence[PseudoQuery], passages: Sequence[Passage]) -> Merged:
        """Build the edges of the graph, in order of source, target and id."""
        match = matched(self.graph, passages)
        by_text = {(one.passage_id, one.direction, one.text): one for one in queries}
        by_id = {passage.id: passage for passage in passages}
        edges = []
        for link in match.links:
            text = link.question or _substitute_question(by_id[link.target])
            out = by_text.get((link.source, "out", text))
            into = by_text.get((link.target, "in", text))
            if out and into:  # an edit may have taken one away
                edges.append(make_edge(out, into, link.weight, link.weight))
        edges.sort(key=lambda edge: (edge.source, edge.target, edge.id))
        return Merged(tuple(edges), 0)


def _substitute_question(target: Passage) -> str:
    """Return the text to embed for an edge without a question: the title of its target."""
    return one_line(target.title) or next(iter(sentences(target.text)), target.id)
