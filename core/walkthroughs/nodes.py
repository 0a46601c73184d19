"""The nodes of a walkthrough: their names and sentences, and how each was first reached."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from core.evidence import evidence_spans
from core.evidence.answer_search import holder_of
from core.marks import Gold
from core.playback import DrawnLine
from core.playback.decided import unjudged
from core.steps import ROOT, Asked, Kind, Offered, Pooled, Ranked, Step, things_of, ties_of
from core.text.sentences import sentences
from core.trace_analysis.node_columns import Plot
from core.walkthroughs.contract import NodeData, SentenceData
from core.walkthroughs.query_words import QueryWords, Words

WHOLE_TEXTS: tuple[Kind, ...] = ("query", "fact", "sentence", "relation")
"""Kinds of nodes whose title is their only sentence."""


@dataclass(frozen=True, slots=True)
class Origin:
    """The first arrival at a node: at step `t`, from `source`, along `line`.

    `line` is empty if none was drawn. `is_seed` says that a walk started at the node.
    """

    source: str
    line: str
    t: int
    is_seed: bool = False


@dataclass(frozen=True)
class Nodes:
    """The nodes of a retrieval, with their titles, sentences and the query words they cover.

    Parameters
    ----------
    origins : how each node was first reached.
    answers : of the question set, any of which is right.
    """

    plot: Plot
    words: QueryWords
    gold: Gold
    origins: Mapping[str, Origin]
    answers: Sequence[str] = ()
    _sentences: dict[str, list[str]] = field(default_factory=dict)
    _covered: dict[str, list[Words]] = field(default_factory=dict)

    def title(self, node: str) -> str:
        """Return the display title of a node."""
        if node == ROOT:
            return "Question"
        if self.is_passage(node):
            return self.plot.cast.title(node)
        return self.plot.cast.whole(node)

    def kind(self, node: str) -> Kind:
        """Return the kind of a node."""
        return "query" if node == ROOT else self.plot.cast.kind(node)

    def is_passage(self, node: str) -> bool:
        """Return whether a node is a passage."""
        return node in self.plot.cast.passages

    def sentences(self, node: str) -> list[str]:
        """Return the sentences of a node; those of a query or a fact are its title."""
        if node not in self._sentences:
            self._sentences[node] = self._split_text(node)
        return self._sentences[node]

    def _split_text(self, node: str) -> list[str]:
        """Return the sentences of a node: of a passage, or of the detail of another node.

        A query or fact is one sentence by itself, before its detail.
        """
        cast = self.plot.cast
        if node == ROOT:
            return [cast.query]
        if passage := cast.passages.get(node):
            return sentences(passage.text)
        thing = cast.things.get(node)
        if self.kind(node) in WHOLE_TEXTS:
            detail = sentences(thing.detail) if thing and thing.detail else []
            return [cast.whole(node), *detail]
        return sentences(thing.detail) if thing else []

    def covered_by_sentence(self, node: str) -> list[Words]:
        """Return the query's words in each sentence of a node."""
        if node not in self._covered:
            self._covered[node] = [self.words.covered(one) for one in self.sentences(node)]
        return self._covered[node]

    def covered(self, node: str) -> Words:
        """Return the query's words in the title and the text of a node; none for the root."""
        if node == ROOT:
            return frozenset()
        in_title = self.words.covered(self.title(node)) if self.is_passage(node) else frozenset()
        return in_title.union(*self.covered_by_sentence(node))

    def path(self, node: str) -> list[str]:
        """Return the nodes from the root to `node`, by which it was first reached.

        If it was not reached, it alone follows the root.
        """
        way = [node]
        while way[0] in self.origins and self.origins[way[0]].source not in way:
            way.insert(0, self.origins[way[0]].source)
        return way if way[0] == ROOT else [ROOT, *way]

    def covered_before(self, node: str) -> Words:
        """Return the query's words in what was reached before `node` on its path."""
        return self.covered_by(self.path(node)[:-1])

    def covered_by(self, nodes: Iterable[str]) -> Words:
        """Return the query's words that occur in any of `nodes`."""
        return frozenset[str]().union(
            *(self.covered(node) for node in nodes if self.kind(node) != "query")
        )

    def added(self, node: str, way: Iterable[str]) -> list[str]:
        """Return the query's words that `node` adds to the nodes of `way`, as written."""
        return self.words.written(self.covered(node) - self.covered_by(way))

    def best_sentence(self, node: str) -> int | None:
        """Return the number of the sentence that adds most of the query to the path."""
        held = self.covered_by_sentence(node)
        before = self.covered_before(node)
        order = [(len(words - before), len(words), -number) for number, words in enumerate(held)]
        return -max(order)[2] if order else None

    def place(self, node: str, text: str) -> int | None:
        """Return the number of the sentence of `node` that a text is, or is part of."""
        wanted = " ".join(text.split())
        if not wanted:
            return None
        whole = [" ".join(one.split()) for one in self.sentences(node)]
        if wanted in whole:
            return whole.index(wanted)
        parts = (n for n, one in enumerate(whole) if wanted in one or (one and one in wanted))
        return next(parts, None)

    @cached_property
    def evidence_places(self) -> dict[str, dict[int, list[int]]]:
        """The numbers of the evidence in each sentence, by passage and sentence number."""
        places: dict[str, dict[int, list[int]]] = {}
        for number, name in enumerate(self.gold.ids):
            evidence = self.gold.evidence.get(name) or self.gold.marked.get(name)
            for node in self.gold.passages.get(name, ()) if evidence else ():
                passage = self.plot.cast.passages.get(node)
                if passage is None or evidence is None:
                    continue
                at = 0
                spans = evidence_spans(passage.text, [evidence])
                for place, one in enumerate(self.sentences(node)):
                    start = passage.text.find(one, at)
                    if start < 0:  # white space was cleaned
                        if self.place(node, evidence.text) == place:
                            places.setdefault(node, {}).setdefault(place, []).append(number)
                        continue
                    at = start + len(one)
                    if any(first < at and start < last for first, last in spans):
                        places.setdefault(node, {}).setdefault(place, []).append(number)
        return places

    def evidence_sentences(self, node: str) -> list[int]:
        """Return the numbers of the sentences of a node that contain evidence.

        Those with an answer come first. Of a passage that is gold as a whole, they are those that
        hold the answer.
        """
        answers = [*self.answers]
        for number in self.gold_numbers.get(node, ()):
            evidence = self.gold.evidence.get(self.gold.ids[number])
            answers += [evidence.answer] if evidence and evidence.answer else []
        answering = self.answering(node, answers)
        places = self.evidence_places.get(node, {})
        if not places:
            return answering if node in self.gold_numbers else []
        return sorted(places, key=lambda number: (number not in answering, number))

    def answering(self, node: str, answers: Iterable[str]) -> list[int]:
        """Return the numbers of the sentences of a node that have any of some answers."""
        holders = [holder_of(one) for one in answers]
        texts = enumerate(self.sentences(node))
        return [n for n, text in texts if any(holds(text) for holds in holders)]

    @cached_property
    def gold_numbers(self) -> dict[str, list[int]]:
        """The numbers of the gold that each passage contains or is."""
        numbers: dict[str, list[int]] = {}
        for number, name in enumerate(self.gold.ids):
            for node in self.gold.passages.get(name, ()):
                numbers.setdefault(node, []).append(number)
        return numbers

    @cached_property
    def _unjudged(self) -> frozenset[str]:
        steps = (self.plot.steps[number - 1] for number in unjudged(self.plot.steps))
        return frozenset(step.at for step in steps if isinstance(step, Offered))

    def data(self, node: str, column: int, *, whole: bool) -> NodeData:
        """Return a node for the browser; if not `whole`, with its best sentence alone."""
        before = self.words.all if node == ROOT else self.covered_before(node)
        texts = list(enumerate(self.sentences(node)))
        if not whole and texts:
            texts = [texts[self.best_sentence(node) or 0]]
        held = self.evidence_places.get(node, {})
        made, passage = self.gold.made.get(node), self.plot.cast.passages.get(node)
        return NodeData(
            kind=self.kind(node),
            kind_label=self.noun(node),
            title=self.title(node),
            source=passage.document_id if passage else "",
            sentences=[
                SentenceData(pieces=self.words.marked(one, before), evidence=held.get(number, []))
                for number, one in texts
            ],
            column=column,
            gold=self.gold_numbers.get(node, []),
            gold_note=str(made) if made else "",
            unjudged=node in self._unjudged,
        )

    def noun(self, node: str) -> str:
        """Return the noun for this kind of node."""
        if node == ROOT:
            return "question"
        noun = self.plot.cast.noun(node)
        return "sub-question" if noun == "question" else noun


def origins(
    steps: Sequence[Step], lines: Sequence[DrawnLine], questions: Collection[str]
) -> dict[str, Origin]:
    """Return the origin of each node but the root, in the order in which they were reached.

    Parameters
    ----------
    questions : ids of the questions that are nodes. What others find comes from the root.
    """
    known = {line.id for line in lines}
    brought = {tie.id: tie for step in steps for tie in ties_of(step)}
    by_node: dict[str, Origin] = {}
    for t, node, source, line, is_seed in _arrivals(steps, questions):
        if tie := brought.get(line):
            source = tie.source if tie.target == node else tie.target
        if node in (source, ROOT) or node in by_node or source not in (ROOT, *by_node):
            continue
        drawn = next((id_ for id_ in (line, f"{source}>{node}") if id_ in known), "")
        by_node[node] = Origin(source, drawn, t, is_seed)
    return by_node


def _arrivals(
    steps: Sequence[Step], questions: Collection[str]
) -> Iterator[tuple[int, str, str, str, bool]]:
    """Yield step, node, source, line, and whether a walk started there."""
    open_: list[str] = []
    for t, step in enumerate(steps, start=1):
        if isinstance(step, Asked):
            node = step.id if step.id in questions else ROOT
            for parent in (*step.parents, *open_[-1:]):
                yield t, node, parent, f"{parent}>{node}", False
            open_.append(node)
        here = open_[-1]
        if isinstance(step, Offered):
            for offer in step.taken:
                yield t, offer.target, here if step.entry else step.at, offer.tie, step.entry
                yield t, offer.target, here, "", step.entry
        for thing in things_of(step):
            joined = (tie for tie in ties_of(step) if thing.id in (tie.source, tie.target))
            for tie in joined:
                yield t, thing.id, tie.source, tie.id, False
        if isinstance(step, Pooled | Ranked):
            for hit in step.hits:
                yield t, hit.passage_id, here, "", False
        if isinstance(step, Ranked):
            open_.pop()
