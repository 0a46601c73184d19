"""An index reconstructed from a trace: the passages that its steps name, without edges."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np

from core.funnel import reach
from core.types import Passage


@dataclass(frozen=True)
class Unopened:
    """Stands for an index that is not at hand (`core.funnel.reach.IndexView`)."""

    named: Mapping[str, Passage]

    @property
    def passages(self) -> tuple[Passage, ...]:
        return tuple(self.named.values())

    @property
    def number(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self.named)}

    @property
    def document_passages(self) -> dict[str, tuple[str, ...]]:
        """None: gold is asked for by its passages."""
        return {}

    @property
    def graph(self) -> reach.Graph:
        none = np.empty(0, np.int32)
        graph: reach.Graph = SimpleNamespace(adjacency=SimpleNamespace(source=none, target=none))
        return graph
