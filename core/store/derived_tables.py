"""Tables that a large index derives from others, so that only the rows needed are read.

| table | a row is |
| --- | --- |
| adjacency | an edge by numbers: its ends, the row of `carried` with its in-coming question, |
|  | the row of `pseudo_queries` that is its out-coming one; and three orders of all edges |
| carried | an in-coming question that edges carry, with its vector |
| passage_keywords, edge_keywords | a keyword, the numbers of those that have it, and how many |
|  | keywords each of those has |
| vocabulary | a word, how many passages contain it, and how often it occurs in all of them; |
|  | the empty word stands for passages without words |
| called | a name in its normal form, and the passages that are called so |
| missed | a table whose vectors are searched by an index, and the share of the 20 nearest that |
|  | this was measured to miss |

All are made from the tables of passages, pseudo-queries and edges, which are read a column or some
rows at a time.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping

import lancedb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from lancedb.index import FTS, BTree, IvfFlat
from lancedb.table import Table
from numpy.typing import NDArray

from core.store.adjacency import ORDERS
from core.store.database import Rows
from core.store.locking.table_writes import replace_table
from core.store.vector_search import EXACT_UP_TO, missed_share
from core.text.entities.mentions import entity_key
from core.text.entities.passage_names import name_words
from core.text.scripts import is_unspaced

ADJACENCY, CARRIED = "adjacency", "carried"
PASSAGE_KEYWORDS, EDGE_KEYWORDS = "passage_keywords", "edge_keywords"
VOCABULARY, CALLED, MISSED = "vocabulary", "called", "missed"
OCCURRENCES = "occurrences"
WORDLESS = ""
"""Placeholder word for passages without words in the vocabulary."""
WORDS_COLUMN = "words"
_LOOKED_UP = {
    "documents": ("id",),
    "passages": ("number", "document_id", "digest"),
    "pseudo_queries": ("id", "passage_id"),
    "edges": ("id",),
    PASSAGE_KEYWORDS: ("key",),
    EDGE_KEYWORDS: ("key",),
    VOCABULARY: ("word",),
    CALLED: ("key", "start"),
}
"""The columns by whose values rows are looked up."""
_WORDS_OF = {"passages": WORDS_COLUMN, CALLED: "words"}
"""The columns whose words are searched for."""
_ROWS = 10_000  # at a time
OWN_WORDS = FTS(
    base_tokenizer="whitespace",
    max_token_length=None,
    lower_case=False,
    stem=False,
    remove_stop_words=False,
    ascii_folding=False,
)
"""A full-text index over words of `core.text.tokens` as they are, so that the same words are found
in an index of any size."""

Ints = NDArray[np.int32]


def write_derived(database: lancedb.DBConnection, written: Mapping[str, Table]) -> dict[str, Table]:
    """Make tables and indices for the tables that were just written.

    Parameters
    ----------
    written : the tables, with the columns of `core.store.writer.searchable`, each opened at exactly
        the version that was written. Creating an index on a table adds a version.

    Returns
    -------
    All tables: those of `written` and the derived ones.
    """
    tables = dict(written)

    def write(name: str, rows: Rows) -> None:
        tables[name] = replace_table(database, name, rows)

    passages = written["passages"]
    adjacency, carried = _adjacency_tables(written)
    write(ADJACENCY, adjacency)
    write(CARRIED, _vectors_of(written["pseudo_queries"], carried))
    for name, source in ((PASSAGE_KEYWORDS, passages), (EDGE_KEYWORDS, written["edges"])):
        write(name, _postings(_column(source, "keywords")))
    write(VOCABULARY, _vocabulary(passages))
    write(CALLED, _names_table(_column(passages, "name").to_pylist()))
    for name, columns in _LOOKED_UP.items():
        for column in columns:
            tables[name].create_index(column, config=BTree())
    for name, column in _WORDS_OF.items():
        tables[name].create_index(column, config=OWN_WORDS)
    write(MISSED, _index_vectors(tables))
    return tables


def _index_vectors(tables: Mapping[str, Table]) -> pa.Table:
    """Build vector indices for large tables, and measure the share of neighbours they miss."""
    shares = {}
    for name in ("passages", CARRIED):
        table = tables[name]
        if table.count_rows() > EXACT_UP_TO:
            table.create_index("vector", config=IvfFlat(distance_type="dot"))
            shares[name] = missed_share(table, tables[CARRIED])
    return pa.table(
        {
            "name": pa.array(list(shares), pa.string()),
            "share": pa.array(list(shares.values()), pa.float64()),
        }
    )


def _adjacency_tables(written: Mapping[str, Table]) -> tuple[pa.Table, Ints]:
    """Return the tables of edges by vertex number and of the in-questions that edges carry."""
    edges = written["edges"]
    passages = _column(written["passages"], "id")
    source, target = (_numbers(_column(edges, name), passages) for name in ("source", "target"))
    queries = _column(written["pseudo_queries"], "id")
    raised = _numbers(_column(edges, "out_query_id"), queries)
    carried, row = np.unique(_numbers(_column(edges, "in_query_id"), queries), return_inverse=True)
    columns: dict[str, Ints] = {
        "source": source,
        "target": target,
        "carried": row.astype(np.int32),
        "raised": raised,
    }
    for order, ends in ORDERS.items():
        columns[order] = np.argsort(columns[ends], kind="stable").astype(np.int32)
    return pa.table(columns), carried


def _column(table: lancedb.table.Table, name: str) -> pa.Array:
    column = table.search().select([name]).to_arrow()[name].combine_chunks()
    return pa.concat_arrays(column.chunks) if isinstance(column, pa.ChunkedArray) else column


def _numbers(wanted: pa.Array, ids: pa.Array) -> Ints:
    return np.asarray(pc.index_in(wanted, ids).to_numpy(zero_copy_only=False), np.int32)


def _vectors_of(table: lancedb.table.Table, rows: Ints) -> pa.RecordBatchReader:
    """Return the vectors of ascending `rows` of a table."""
    width = table.schema.field("vector").type
    shape = pa.schema([("number", pa.int32()), ("vector", width)])

    def batches() -> Iterator[pa.RecordBatch]:
        """Yield rows of `number` and `vector`, `_ROWS` at a time."""
        for start in range(0, len(rows), _ROWS):
            some = rows[start : start + _ROWS].tolist()
            selected = table.take_offsets(some).select(["vector"]).to_arrow().combine_chunks()
            numbers = pa.array(range(start, start + len(some)), pa.int32())
            made = pa.table([numbers, selected["vector"]], schema=shape)
            yield from made.combine_chunks().to_batches()

    return pa.RecordBatchReader.from_batches(shape, batches())


def _postings(keywords: pa.ListArray) -> pa.Table:
    """Return an inverted index: each keyword with the ascending numbers of rows that have it."""
    encoded = pc.list_flatten(keywords).dictionary_encode()
    codes = encoded.indices.to_numpy()
    order = np.argsort(codes, kind="stable")
    rows = pc.list_parent_indices(keywords).to_numpy()[order].astype(np.int32)
    sizes = pc.list_value_length(keywords).to_numpy()[rows].astype(np.int32)
    starts = np.concatenate(([0], np.cumsum(np.bincount(codes, minlength=len(encoded.dictionary)))))
    starts = pa.array(starts, pa.int32())
    return pa.table(
        {
            "key": encoded.dictionary,
            "numbers": pa.ListArray.from_arrays(starts, pa.array(rows)),
            "sizes": pa.ListArray.from_arrays(starts, pa.array(sizes)),
        }
    )


def _vocabulary(passages: lancedb.table.Table) -> pa.Table:
    """Count, for each word, the passages that contain it and its occurrences.

    Passages without a word count under `WORDLESS`.
    """
    passages_with: Counter[str] = Counter()
    occurrences: Counter[str] = Counter()
    for batch in passages.search().select([WORDS_COLUMN]).to_batches(_ROWS):
        for text in batch[WORDS_COLUMN].to_pylist():
            tokens = text.split()
            passages_with.update(set(tokens) or {WORDLESS})
            occurrences.update(tokens)
    words = sorted(passages_with)
    return pa.table(
        {
            "word": pa.array(words, pa.string()),
            "passages": pa.array([passages_with[word] for word in words], pa.int32()),
            OCCURRENCES: pa.array([occurrences[word] for word in words], pa.int64()),
        }
    )


def _names_table(names: Iterable[str]) -> pa.Table:
    """Return the table of passage names, for lookup by their first word.

    `start` is the first word of a name, or its first two characters in scripts without spaces.
    `length` is its number of words, or of characters in such scripts.
    """
    numbers: defaultdict[str, list[int]] = defaultdict(list)
    for number, name in enumerate(names):
        numbers[entity_key(name)].append(number)
    numbers.pop("", None)
    keys = sorted(numbers)
    whole = [is_unspaced(key) for key in keys]
    ways = list(zip(keys, whole, strict=True))
    return pa.table(
        {
            "key": pa.array(keys, pa.string()),
            "start": pa.array([k[:2] if w else k.split()[0] for k, w in ways], pa.string()),
            "length": pa.array([len(k) if w else k.count(" ") + 1 for k, w in ways], pa.int32()),
            "words": pa.array([" ".join(name_words(key)) for key in keys], pa.string()),
            "numbers": pa.array([numbers[key] for key in keys], pa.list_(pa.int32())),
        }
    )
