"""The stages of a build as Ray Data calls them: a table of a batch in, a table out.

Each is a few lines round functions that a build in one process calls too. What is known of the
whole corpus comes along as an object that Ray keeps on each machine once.
"""

import pickle
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import pyarrow as pa
import ray

from core.corpus.chunking.chunker import Chunking, chunk
from core.hop_graph.pseudo_queries import Reading, Rules, named_in, reading
from core.indexing.stages import Tally, passage_rows, tally
from core.store import schema
from core.text.entities.keywords import Keywords
from core.text.entities.passage_names import names
from core.types import Document, Passage

_READ = ("named", "reading")  # columns that the questions are made from


@lru_cache(maxsize=2)
def fetch_shared(reference: "ray.ObjectRef[Any]") -> Any:
    """What `reference` stands for, unpacked once in each process."""
    return ray.get(reference)


def documents_batch(documents: Sequence[Document]) -> pa.Table:
    """Some documents as one row."""
    return pa.table({"documents": pa.array([pickle.dumps(list(documents))], pa.large_binary())})


def chunk_batch(rows: pa.Table, chunking: Chunking, apart: Mapping[str, str]) -> pa.Table:
    """Return passages and names of documents; `apart` are the `separators` of all documents."""
    documents = [d for row in rows["documents"].to_pylist() for d in pickle.loads(row)]  # noqa: S301
    passages = chunk(documents, chunking, apart)
    return schema.passages_table(passages, names(passages), [()] * len(passages))


def passages_of(rows: pa.Table) -> list[Passage]:
    names = ("id", "document_id", "position", "title", "text", "name")
    return list(map(Passage, *(rows[name].to_pylist() for name in names)))


def read_keywords(rows: pa.Table, keywords: "ray.ObjectRef[Keywords]") -> pa.Table:
    """Passages with their keywords, and with what rules make questions of."""
    found: Keywords = fetch_shared(keywords)
    passages = passages_of(rows)
    called = [passage.name for passage in passages]
    read = [reading(*each, found) for each in zip(passages, called, strict=True)]
    each_names = [list(named_in([each])) for each in read]
    packed = pa.array(map(pickle.dumps, read), pa.large_binary())
    table = passage_rows(passages, called, found)
    lists = pa.array(each_names, pa.list_(pa.string()))
    return table.append_column("named", lists).append_column("reading", packed)


def without_reading(rows: pa.Table) -> pa.Table:
    """Passages as an index keeps them, but for their vectors."""
    return rows.drop_columns(list(_READ))


def count_named(rows: pa.Table) -> Counter[str]:
    """In how many of these passages each entity is named."""
    return Counter(rows["named"].combine_chunks().flatten().to_pylist())


def ask_by_rules(rows: pa.Table, rules: Rules, common: "ray.ObjectRef[frozenset[str]]") -> pa.Table:
    """The questions of passages, by rules."""
    read: list[Reading] = list(map(pickle.loads, rows["reading"].to_pylist()))
    queries = (query for each in read for query in rules.questions(each, fetch_shared(common)))
    return schema.pseudo_queries_table(list(queries))


def tally_block(rows: pa.Table, maker: str) -> Tally:
    """The tally of a block of questions."""
    columns = ("passage_id", "direction", "maker")
    return tally(zip(*(rows[name].to_pylist() for name in columns), strict=True), maker)
