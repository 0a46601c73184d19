"""The nodes and lines that a trace names: their numbers, names and gold."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from core.marks.gold_signs import Marked
from core.playback import DrawnLine
from core.playback.layers import WORDS
from core.steps import ROOT, Kind, Thing
from core.text.display.cropping import LABEL, QUESTION, cropped
from core.text.display.passage_labels import shown_names
from core.text.entities.mentions import entity_label
from core.types import Edge, Passage

ALIKE = 24
"""Characters that are read of a name however little room there is."""
_NUMBER = re.compile(r" · \d+$")


@dataclass(frozen=True)
class Cast:
    """Everything that a trace names.

    `names` are the ids of nodes in order of their numbers, `lines` are drawn between them. `gold`
    says of each gold node who marked it. `called` has the names that the index shows passages by,
    where it is open; `nouns` say what each question is.
    """

    query: str
    names: tuple[str, ...]
    lines: tuple[DrawnLine, ...]
    passages: Mapping[str, Passage]
    edges: Mapping[str, Edge]
    things: Mapping[str, Thing]
    questions: Mapping[str, str]
    gold: Mapping[str, Marked]
    called: Mapping[str, str] = field(default_factory=dict)
    nouns: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def number(self) -> dict[str, int]:
        """The number of each node by its id."""
        return {name: number for number, name in enumerate(self.names)}

    @cached_property
    def shown(self) -> dict[str, str]:
        """The name of each passage. No two of one document have the same
        (`core.text.display.passage_labels`).
        """
        return {**shown_names(self.passages.values()), **self.called}

    @cached_property
    def apart(self) -> dict[str, str]:
        """The suffix of each name that several nodes have.

        Passages of several documents are numbered in the order of their ids, and so are summaries
        that begin alike. A node with the name of a passage has its kind as the suffix.
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
        """Return the unique name of a passage, or the text of any other node, cropped."""
        name = self.shown.get(node) or self.whole(node)
        behind = self.apart.get(node, "") or "".join(_NUMBER.findall(name))
        most = QUESTION if node in self.questions else LABEL
        return cropped(name.removesuffix(behind), most - len(behind)) + behind

    def bare(self, node: str) -> str:
        """Return the title without the kind that tells it apart from a passage."""
        behind = self.apart.get(node, "")
        return self.title(node).removesuffix(behind if behind.endswith(")") else "")

    def text(self, node: str) -> str:
        """Return the text of a passage, or the detail of anything else."""
        passage, thing = self.passages.get(node), self.things.get(node)
        return passage.text if passage else thing.detail if thing else ""

    def whole(self, node: str) -> str:
        """Return the title or the id of a passage, or the text of any other node."""
        if passage := self.passages.get(node):
            return passage.title or passage.id
        if asked := self.questions.get(node):
            whole = "The question" if node == ROOT else "The question itself"
            return whole if asked == self.query else asked
        if thing := self.things.get(node):
            return entity_label(thing.label) if thing.kind == "entity" else self._stated(thing)
        return self.query if node == ROOT else node

    def _stated(self, thing: Thing) -> str:
        """Return a fact without the title with which all facts of its passage begin."""
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
        """Return the noun for this kind of node."""
        return self.nouns.get(node, self.kind(node))

    def numbers(self, nodes: Iterable[str]) -> list[int]:
        """Return the numbers of those of `nodes` that the trace names."""
        return [self.number[node] for node in nodes if node in self.number]
