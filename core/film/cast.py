"""Who plays in a film: nodes and lines by number, what they are called, and which are gold."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from core.film.data import LineData, Marked, NodeData
from core.film.facts import readable
from core.film.words import HINT, LABEL, QUESTION, SNIPPET, TEXT, cropped
from core.playback import DrawnLine
from core.playback.layers import WORDS
from core.steps import ROOT, Kind, Thing
from core.text.entities import entity_label
from core.text.shown import shown_names
from core.types import Edge, Evidence, Passage

ALIKE = 24
"""Characters that are read of a name however little room there is."""
_NUMBER = re.compile(r" · \d+$")


@dataclass(frozen=True)
class Cast:
    """Everything that a film names.

    `names` are the ids of nodes in order of their numbers, `lines` are drawn between them. `gold`
    says of each gold node who marked it; `seen` are those whose text may be read at length.
    `called` has the names that the index shows passages by, where it is open; `nouns` say what each
    question is. `evidence` is what gold passages hold of it.
    """

    query: str
    names: tuple[str, ...]
    lines: tuple[DrawnLine, ...]
    passages: Mapping[str, Passage]
    edges: Mapping[str, Edge]
    things: Mapping[str, Thing]
    questions: Mapping[str, str]
    gold: Mapping[str, Marked]
    seen: frozenset[str]
    called: Mapping[str, str] = field(default_factory=dict)
    nouns: Mapping[str, str] = field(default_factory=dict)
    evidence: Mapping[str, Sequence[Evidence]] = field(default_factory=dict)

    @cached_property
    def number(self) -> dict[str, int]:
        """The number of each node by its id."""
        return {name: number for number, name in enumerate(self.names)}

    @cached_property
    def key(self) -> dict[str, str]:
        """The same as a key of JSON."""
        return {name: str(number) for name, number in self.number.items()}

    @cached_property
    def shown(self) -> dict[str, str]:
        """The name of each passage. No two of one document have the same (`core.text.shown`)."""
        return {**shown_names(self.passages.values()), **self.called}

    @cached_property
    def apart(self) -> dict[str, str]:
        """What is put behind a name that stands for two nodes: of passages of several documents
        their number, in the order of their ids, and of summaries that begin alike theirs; of what
        is called as a passage is, its kind, as of summaries, which begin with a passage.
        """
        met: dict[str, list[str]] = {}
        for one in sorted(self.passages.values(), key=lambda one: (one.document_id, one.position)):
            met.setdefault(self.shown[one.id], []).append(one.id)
        names = {name.casefold() for name in met}
        kinds = {
            one.id: f" ({WORDS.get(one.kind, one.kind)})"
            for one in self.things.values()
            if one.kind != "query" and (one.label.casefold() in names or one.kind == "cluster")
        }
        alike: dict[str, list[str]] = {}
        for thing in self.things.values():
            if thing.kind == "cluster":
                alike.setdefault(thing.label[:ALIKE], []).append(thing.id)
        return kinds | {
            name: f" · {number}"
            for same in (*met.values(), *alike.values())
            if len(same) > 1
            for number, name in enumerate(same, start=1)
        }

    def title(self, node: str) -> str:
        """What a passage is shown by; the text of anything else; cropped.

        No two passages are called the same.
        """
        name = self.shown.get(node) or self.whole(node)
        behind = self.apart.get(node, "") or "".join(_NUMBER.findall(name))
        most = QUESTION if node in self.questions else LABEL
        return cropped(name.removesuffix(behind), most - len(behind)) + behind

    def bare(self, node: str) -> str:
        """The same without the kind that tells it apart from a passage."""
        behind = self.apart.get(node, "")
        return self.title(node).removesuffix(behind if behind.endswith(")") else "")

    def whole(self, node: str) -> str:
        """A passage's title, or its id where it has none; the text of anything else."""
        if passage := self.passages.get(node):
            return passage.title or passage.id
        if asked := self.questions.get(node):
            whole = "The question" if node == ROOT else "The question itself"
            return whole if asked == self.query else asked
        if thing := self.things.get(node):
            return entity_label(thing.label) if thing.kind == "entity" else self._stated(thing)
        return self.query if node == ROOT else node

    def _stated(self, thing: Thing) -> str:
        """A fact without the title that all facts of its passage begin with."""
        title, _, text = thing.label.partition(". ")
        return text if thing.kind == "fact" and text and title in self._titles else thing.label

    @cached_property
    def _titles(self) -> frozenset[str]:
        return frozenset(passage.title for passage in self.passages.values())

    def kind(self, node: str) -> Kind:
        if thing := self.things.get(node):
            return thing.kind
        return "query" if node in self.questions else "passage"

    def noun(self, node: str) -> str:
        """What it is, in a word for people."""
        return self.nouns.get(node, self.kind(node))

    def numbers(self, nodes: Iterable[str]) -> list[int]:
        """Numbers of those of `nodes` that play."""
        return [self.number[node] for node in nodes if node in self.number]

    def node_data(self, drawn: Collection[str]) -> list[NodeData]:
        """All nodes; of what is not `drawn` in any view hardly more than the title."""
        return [self._node(name, SNIPPET if name in drawn else HINT) for name in self.names]

    def line_data(self) -> list[LineData]:
        return [self._line(line) for line in self.lines]

    def _node(self, name: str, length: int) -> NodeData:
        passage, thing = self.passages.get(name), self.things.get(name)
        text = passage.text if passage else thing.detail if thing else ""
        room = TEXT if name in self.seen else length
        text, facts = readable(text, self.evidence.get(name, ()), room)
        node: NodeData = {
            "id": name,
            "kind": self.kind(name),
            "label": self.title(name),
            "text": text,
            "gold": self.gold.get(name, ""),
        }
        if name == ROOT:
            node["short"] = "Question"
        # Its sign says of what kind it is; of which number does not.
        if self.bare(name) != node["label"]:
            node["bare"] = self.bare(name)
        if facts:
            node["facts"] = facts
        if name in self.nouns:
            node["noun"] = self.nouns[name]
        if thing and thing.label != self.questions.get(name, thing.label):
            node["planned"] = cropped(thing.label, LABEL)
        return node

    def _line(self, line: DrawnLine) -> LineData:
        edge = self.edges.get(line.id)
        detail = (
            f"SIM {edge.similarity:.3f} · Jaccard {edge.jaccard:.3f} · cosine {edge.cosine:.3f}"
            if edge
            else ""
        )
        found: LineData = {
            "id": line.id,
            "source": self.number[line.source],
            "target": self.number[line.target],
            "label": cropped(line.label, LABEL),
            "detail": detail,
            "directed": line.of_graph or line.taken is not None,
        }
        return {**found, "back": True} if line.backwards else found
