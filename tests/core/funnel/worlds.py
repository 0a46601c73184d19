"""Random small worlds: people, towns and clubs that name one another."""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
from hypothesis import strategies as st

from core.artefacts.workbench import Workbench
from core.indexing.updates import build
from core.store.index import Index
from core.types import Document, Edge, Passage
from tests.core.fakes import WordEmbedder
from tests.core.five import corpus, silent

NAMES = (
    *("Harbour Rovers", "Mara Quist", "Ilo Venn", "Lantern Ground", "Port Selby", "River Ash"),
    *("Tessa Brandt", "Oriel Works", "Cold Fen", "Brackwater"),
)
SAID = ("{} was bought by {}.", "{} was born in {}.", "{} stands beside {}.", "{} married {}.")


@st.composite
def documents(draw: st.DrawFn) -> tuple[Document, ...]:
    """One to ten documents of a few sentences, each about one name and naming others."""
    names = draw(st.lists(st.sampled_from(NAMES), min_size=1, unique=True))
    sentence = st.tuples(st.sampled_from(SAID), st.sampled_from(NAMES))
    return tuple(
        Document(
            name.lower().replace(" ", "-"),
            name,
            " ".join(said.format(name, other) for said, other in told) or f"{name} is there.",
            "drawn.txt",
        )
        for name in names
        for told in [draw(st.lists(sentence, max_size=4))]
    )


def opened(folder: Path, given: tuple[Document, ...]) -> Workbench:
    """The index of `given` in `folder`, with what retrievers stand on."""
    embedder = WordEmbedder()
    build(folder, corpus(*given), embedder, silent)
    return Workbench(Index.open(folder, embedder.info), embedder, making=silent)


def index_of(vertices: list[str], edges: dict[str, Edge]) -> SimpleNamespace:
    """The vertices and edges of a random walk, behind the reading side of an index.

    Every document is of two passages, so that gold may be one of them or both.
    """
    passages = tuple(
        Passage(name, f"d{place // 2}", place % 2, name, name)
        for place, name in enumerate(vertices)
    )
    number = {name: place for place, name in enumerate(vertices)}
    whole: dict[str, tuple[str, ...]] = {}
    for passage in passages:
        whole[passage.document_id] = (*whole.get(passage.document_id, ()), passage.id)
    columns = SimpleNamespace(
        source=np.array([number[edge.source] for edge in edges.values()], np.int32),
        target=np.array([number[edge.target] for edge in edges.values()], np.int32),
    )
    graph = SimpleNamespace(adjacency=columns)
    return SimpleNamespace(passages=passages, number=number, document_passages=whole, graph=graph)
