"""Build a tree over any leaves: clusters, their summaries, clusters of these, and so on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from core.artefacts.base import Bench, ExpectedPrompts, Tables
from core.artefacts.making import embed_texts
from core.artefacts.tree.clustering import Numbers, soft_clusters
from core.artefacts.tree.summaries import Sentences, nearest, prompt_of, write_summaries
from core.models.prompt import Prompt
from core.models.token_counts import tokens_of
from core.progress import Report
from core.store import schema
from core.vectors import Vectors, unit_norm

LAYERS = 5
"""Of clusters, at most (the paper's code)."""
ROOM = 3_500
"""Tokens of the texts of one cluster (the paper's code)."""
_MEMBERS = 4  # of a cluster, in a forecast of what a model will be asked
_UNCERTAIN = 4  # times the number of prompts that was estimated, at most


@dataclass(frozen=True, slots=True, eq=False)
class Leaves:
    """The leaves of a tree: a text and a vector each, (leaves, d) unit-norm, and all sentences.

    `told` lists, for each leaf, the numbers of its sentences in `sentences`.
    """

    texts: Sequence[str]
    vectors: Vectors
    told: Sequence[Sequence[int]]
    sentences: Sentences


@dataclass(slots=True)
class _Growing:
    """Leaves, followed by the clusters so far, with all data that further clustering needs."""

    texts: list[str]
    told: list[Sequence[int]]
    vectors: Vectors
    layer: list[int] = field(default_factory=list)
    maker: list[str] = field(default_factory=list)
    members: list[Numbers] = field(default_factory=list)


def grow(bench: Bench, leaves: Leaves, report: Report, name: str) -> Tables:
    """Return the clusters of `leaves`, of these, and so on, as the tables that `opened` reads.

    It ends with one cluster, when clustering leaves no fewer nodes than there were, or after
    `LAYERS`. Summaries are a model's where there is one, and else the sentences nearest to the
    centre of a cluster; which one `maker` says of each, empty for the latter.

    Parameters
    ----------
    name : of the artefact.

    Raises
    ------
    LlmError : a model is asked, and fails too often in a row.
    """
    tree = _Growing(list(leaves.texts), list(leaves.told), leaves.vectors)
    current = np.arange(len(leaves.texts))
    for layer in range(1, LAYERS + 1):
        if len(current) < 2:
            break
        sizes = [tokens_of(tree.texts[node]) for node in current]
        parts = soft_clusters(tree.vectors[current], sizes, ROOM)
        if len(parts) >= len(current):
            break
        first = len(tree.texts)
        _add(bench, tree, [current[part] for part in parts], leaves.sentences, layer, report, name)
        current = np.arange(first, len(tree.texts))
    first = len(leaves.texts)
    table = schema.vectors_table(tree.texts[first:], tree.vectors[first:])
    for column, values in (
        ("layer", pa.array(tree.layer, pa.int32())),
        ("maker", pa.array(tree.maker, pa.string())),
        ("members", pa.array([part.tolist() for part in tree.members], pa.list_(pa.int64()))),
    ):
        table = table.append_column(column, values)
    return {"clusters": table}


def _add(
    bench: Bench,
    tree: _Growing,
    parts: Sequence[Numbers],
    sentences: Sentences,
    layer: int,
    report: Report,
    name: str,
) -> None:
    """Append a layer of clusters to `tree`, each with its summary."""
    chosen = [_central(tree, part, sentences) for part in parts]
    instead = [
        " ".join(sentences.texts[row] for row in rows) or _first_words(tree.texts[int(part[0])])
        for rows, part in zip(chosen, parts, strict=True)
    ]
    asked = [[tree.texts[node] for node in part] for part in parts]
    texts, makers = write_summaries(bench, asked, instead, report, name)
    vectors = embed_texts(bench, texts, report, name)
    tree.texts += texts
    tree.told += chosen
    tree.vectors = np.concatenate((tree.vectors, vectors))
    tree.layer += [layer] * len(parts)
    tree.maker += makers
    tree.members += parts


def _central(tree: _Growing, part: Numbers, sentences: Sentences) -> tuple[int, ...]:
    centre = unit_norm(tree.vectors[part].mean(axis=0, keepdims=True))[0]
    return nearest([row for node in part for row in tree.told[node]], sentences, centre)


def _first_words(text: str) -> str:
    return " ".join(text.split()[:75])


def expected_prompts(texts: Sequence[str], vectors: Vectors) -> ExpectedPrompts:
    """Return the prompts that `grow` asks: those of the first layer, and an estimate of the others.

    The vector of a summary that is not written yet is estimated as the mean of its cluster.
    The upper layers have hardly more clusters than the first one: each halves the one below.
    """
    prompts: list[Prompt] = []
    first = 0
    for _ in range(LAYERS):
        if len(texts) < 2:
            break
        parts = soft_clusters(vectors, [tokens_of(text) for text in texts], ROOM)
        if len(parts) >= len(texts):
            break
        members = [[texts[node] for node in part] for part in parts]
        prompts += map(prompt_of, members)
        first = first or len(parts)
        vectors = unit_norm(np.stack([vectors[part].mean(axis=0) for part in parts]))
        texts = [_first_words(" ".join(part)) for part in members]
    return ExpectedPrompts(prompts, 2 * first if first > 1 else first)


def estimated_prompts(texts: Sequence[str]) -> ExpectedPrompts:
    """Return an estimate of the prompts that `grow` asks, without clustering."""
    prompts: list[Prompt] = []
    while len(texts) > 1:
        parts = [texts[at : at + _MEMBERS] for at in range(0, len(texts), _MEMBERS)]
        prompts += map(prompt_of, parts)
        texts = [_first_words(" ".join(part)) for part in parts]
    return ExpectedPrompts(prompts, _UNCERTAIN * len(prompts))


@dataclass(frozen=True, slots=True)
class Cluster:
    """A cluster of a tree: its summary, whose it is, and its members.

    A member below `Tree.leaves` is a leaf, another one the cluster of that number minus `leaves`.
    """

    layer: int
    text: str
    maker: str
    members: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Tree:
    """The clusters over `leaves` leaves; `vectors` is (clusters, d), unit-norm."""

    leaves: int
    clusters: tuple[Cluster, ...]
    vectors: Vectors

    @property
    def roots(self) -> tuple[int, ...]:
        """The clusters of the last layer, by number."""
        last = max((cluster.layer for cluster in self.clusters), default=0)
        return tuple(n for n, cluster in enumerate(self.clusters) if cluster.layer == last)

    def under(self, cluster: int) -> Mapping[int, int]:
        """Return all nodes below a cluster, with their depth below it."""
        depths: dict[int, int] = {}
        level, depth = [cluster], 1
        while level:
            members = [member for one in level for member in self.clusters[one].members]
            for member in members:
                depths.setdefault(member, depth)
            level = sorted({member - self.leaves for member in members if member >= self.leaves})
            depth += 1
        return depths

    def below(self, cluster: int) -> Mapping[int, int]:
        """Return the leaves below a cluster, with their smallest depth below it."""
        return {n: depth for n, depth in self.under(cluster).items() if n < self.leaves}


def opened(leaves: int, tables: Tables) -> Tree:
    """Build the tree that `grow` stored, over so many leaves."""
    table = tables["clusters"]
    columns = (table[name].to_pylist() for name in ("layer", "text", "maker", "members"))
    summaries = tuple(
        Cluster(layer, text, maker, tuple(members))
        for layer, text, maker, members in zip(*columns, strict=True)
    )
    return Tree(leaves, summaries, schema.vector_matrix(table["vector"]))
