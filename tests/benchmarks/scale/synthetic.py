"""An index of as many passages as are wished, straight into its tables, nothing of it embedded.

A passage has 3.6 in-coming questions, 7.9 out-coming ones and 5.9 edges on average, as 10,001 of
MuSiQue have by the rules, and some 90 words whose frequency falls with their rank. Vectors lie
round centres, a hundred passages each; half of the edges stay there.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import numpy as np
import pyarrow as pa

from core.store import schema
from core.store.database import connect
from core.store.derived_tables import write_derived
from core.store.locking.table_writes import replace_table
from core.store.metadata import Counts, Meta
from core.store.passages.passages import is_large
from core.store.source_documents import TABLE, brought_table
from core.store.writer import publish, searchable
from core.types import EmbedderInfo
from core.vectors import Vectors, unit_norm

WIDTH = 384
INFO = EmbedderInfo("synthetic", "synthetic", WIDTH, "float32")
_BLOCK = 10_000  # passages made at a time
_ROUND = 100  # passages round a centre
_SPREAD = 0.8
_SYLLABLES = [a + b for a in "bdfgklmnprstvz" for b in ("a", "e", "i", "o", "u")]
_VOCABULARY = 60_000
_SENTENCES = 6
_WORDS = 12  # of a sentence, beside names


@dataclass(frozen=True, slots=True)
class World:
    """Of `passages` passages; everything in it depends on their number alone."""

    passages: int

    def name(self, number: int) -> str:
        """Two words, unique."""
        first, second = number % 4_900, number // 4_900
        return f"{_word(first).capitalize()} {_word(second + 1_000).capitalize()}"

    def key(self, number: int) -> str:
        """Its normal form."""
        return self.name(number).lower()

    def vectors(self, block: int) -> Vectors:
        """Of the passages of a block."""
        numbers = self.block(block)
        return _near(self.centres()[self.centre(numbers)], self._random("vector", block))

    def questions(self, count: int) -> list[tuple[str, Vectors]]:
        """Questions with their vectors, each over a passage and one that it has an edge to."""
        found = []
        for number in np.linspace(0, self.passages - 1, count, dtype=np.int64).tolist():
            block, row = divmod(number, _BLOCK)
            other = int(self.targets(block)[row, 0])
            text = f"What did {self.name(number)} {_word(40)} of {self.name(other)} {_word(900)}?"
            found.append(
                (text, _near(self.vectors(block)[row : row + 1], self._random(text, 0))[0])
            )
        return found

    def block(self, block: int) -> np.ndarray:
        return np.arange(block * _BLOCK, min((block + 1) * _BLOCK, self.passages))

    def blocks(self) -> range:
        return range(-(-self.passages // _BLOCK))

    def centre(self, numbers: np.ndarray) -> np.ndarray:
        """A prime spreads what is round one centre over all blocks."""
        return (numbers * 7_919) % self.passages // _ROUND

    def centres(self) -> Vectors:
        count = self.passages // _ROUND + 1
        return unit_norm(np.random.default_rng(0).standard_normal((count, WIDTH), np.float32))

    def targets(self, block: int) -> np.ndarray:
        """(passages, 6): where their edges end; -1 for no edge."""
        numbers, random = self.block(block), self._random("target", block)
        anywhere = random.integers(0, self.passages, (len(numbers), 6))
        back = pow(7_919, -1, self.passages)
        beside = (self.centre(numbers) * _ROUND)[:, None] + random.integers(
            0, _ROUND, (len(numbers), 6)
        )
        near = beside % self.passages * back % self.passages
        found = np.where(random.random(near.shape) < 0.5, near, anywhere)
        found[(found == numbers[:, None]) | (random.random(near.shape) > 0.985)] = -1
        return found

    def counts(self, block: int) -> tuple[np.ndarray, np.ndarray]:
        """In-coming and out-coming questions of the passages of a block."""
        random, passages = self._random("count", block), len(self.block(block))
        return 3 + (random.random(passages) < 0.6), 7 + (random.random(passages) < 0.9)

    def _random(self, what: str, block: int) -> np.random.Generator:
        return np.random.default_rng([self.passages, block, *what.encode()])

    def passage_rows(self, block: int) -> pa.Table:
        numbers, targets = self.block(block).tolist(), self.targets(block)
        random = self._random("text", block)
        drawn = (random.random((len(numbers), _SENTENCES, _WORDS)) ** 4 * _VOCABULARY).astype(int)
        texts = [
            " ".join(
                f"{self.name(one)} {' '.join(map(_word, line))} {self.name(max(to, 0))}."
                for line, to in zip(lines, ends, strict=True)
            )
            for one, lines, ends in zip(numbers, drawn.tolist(), targets.tolist(), strict=True)
        ]
        names = list(map(self.name, numbers))
        keys = [
            sorted({name.lower(), *(self.key(to) for to in ends if to >= 0)})
            for name, ends in zip(names, targets.tolist(), strict=True)
        ]
        return pa.table(
            {
                "id": list(map(_passage, numbers)),
                "document_id": [f"d{number}" for number in numbers],
                "position": pa.array([0] * len(numbers), pa.int32()),
                "title": names,
                "name": names,
                "text": texts,
                "keywords": pa.array(keys, pa.list_(pa.string())),
                "vector": schema.vector_column(self.vectors(block)),
            }
        )

    def query_rows(self, block: int) -> pa.Table:
        numbers, targets = self.block(block), self.targets(block)
        into, out = self.counts(block)
        of = np.repeat(np.arange(len(numbers)), into + out)
        place = np.arange(len(of)) - np.repeat(np.cumsum(into + out) - (into + out), into + out)
        asks = place >= into[of]
        to = targets[of, np.minimum(np.maximum(place - into[of], 0), 5)]
        about = np.where(asks & (to >= 0), to, numbers[of])
        vectors = _near(self.centres()[self.centre(about)], self._random("query", block))
        names = list(map(self.name, about.tolist()))
        ids = [
            _question(number, at, out=way)
            for number, at, way in zip(
                numbers[of].tolist(), place.tolist(), asks.tolist(), strict=True
            )
        ]
        return pa.table(
            {
                "id": ids,
                "passage_id": [_passage(n) for n in numbers[of].tolist()],
                "direction": ["out" if way else "in" for way in asks.tolist()],
                "text": [
                    f"Who or what is {name}, as in “{_word(n % 9_000)} {name}”?"
                    if way
                    else f"What is known about {name}: {_word(n % 9_000)}?"
                    for n, (name, way) in enumerate(zip(names, asks.tolist(), strict=True))
                ],
                "keywords": pa.array([[n.lower()] for n in names], pa.list_(pa.string())),
                "maker": ["rules"] * len(ids),
                "evidence": [f"{name} {_word(n % 9_000)}." for n, name in enumerate(names)],
                "vector": schema.vector_column(vectors),
            }
        )

    def edge_rows(self, block: int) -> pa.Table:
        numbers, targets = self.block(block), self.targets(block)
        row, which = np.nonzero(targets >= 0)
        source, target = numbers[row].tolist(), targets[row, which].tolist()
        into = self.counts(block)[0][row]
        cosine = self._random("edge", block).random(len(row))
        ends = list(zip(source, target, which.tolist(), strict=True))
        return pa.table(
            {
                "id": [_hashed(8 * one + at + 1) for one, _, at in ends],
                "source": list(map(_passage, source)),
                "target": list(map(_passage, target)),
                "out_query_id": [
                    _question(one, first + at, out=True)
                    for (one, _, at), first in zip(ends, into.tolist(), strict=True)
                ],
                "in_query_id": [_question(to, at % 3, out=False) for _, to, at in ends],
                "question": [f"What is known about {self.name(to)}?" for _, to, _ in ends],
                "keywords": pa.array([[self.key(to)] for _, to, _ in ends], pa.list_(pa.string())),
                "jaccard": np.ones(len(ends)),
                "cosine": cosine,
                "similarity": (1 + cosine) / 2,
            }
        )

    def document_rows(self, block: int) -> pa.Table:
        numbers = self.block(block).tolist()
        return schema.documents_table(
            schema.StoredDocument(f"d{n}", self.name(n), "synthetic", {}, "", "") for n in numbers
        )


def write(world: World, folder: Path) -> None:
    """An index of that world in `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    database, large, rows = connect(folder), is_large(world.passages), {}
    made: dict[str, Callable[[int], pa.Table]] = {
        "documents": world.document_rows,
        "passages": world.passage_rows,
        "pseudo_queries": world.query_rows,
        "edges": world.edge_rows,
    }

    def tables(name: str) -> Iterator[pa.Table]:
        rows[name] = 0
        for block in world.blocks():
            table = made[name](block)
            yield searchable(name, table, rows[name]) if large else table
            rows[name] += len(table)

    written = {}
    for name in made:
        shape = next(tables(name)).schema
        batches = (batch for table in tables(name) for batch in table.to_batches())
        every = pa.RecordBatchReader.from_batches(shape, batches)
        written[name] = replace_table(database, name, every)
    written["questions"] = replace_table(database, "questions", schema.questions_table(()))
    written[TABLE] = replace_table(database, TABLE, brought_table(()))
    if large:
        written = write_derived(database, written)
    versions = {name: table.version for name, table in written.items()}
    into = sum(int(world.counts(block)[0].sum()) for block in world.blocks())
    counts = Counts(
        *(world.passages, world.passages, rows["edges"], 0, into, rows["pseudo_queries"] - into),
        *(0, 600.0, 0, 0),
    )
    now = datetime.now(UTC).isoformat(timespec="microseconds")
    publish(
        folder,
        Meta(schema.SCHEMA_VERSION, "synthetic", now, 0.0, "fit", "rules", INFO, counts, versions),
    )


def _near(centres: Vectors, random: np.random.Generator) -> Vectors:
    noise = random.standard_normal(centres.shape, np.float32) * (_SPREAD / WIDTH**0.5)
    return unit_norm(centres + noise)


@cache
def _word(number: int) -> str:
    size = len(_SYLLABLES)
    return (
        _SYLLABLES[number % size]
        + _SYLLABLES[number // size % size]
        + (_SYLLABLES[number // size**2] if number >= size**2 else "")
    )


def _hashed(number: int) -> str:
    return f"{number * 0x9E3779B97F4A7C15F39CC061 % 2**96:024x}"


def _passage(number: int) -> str:
    return f"p{_hashed(number)[:15]}"


def _question(passage: int, place: int, *, out: bool) -> str:
    return _hashed(passage * 64 + place * 2 + out)
