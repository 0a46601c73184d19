"""Read Parquet files and LanceDB tables as records.

The other formats are read elsewhere, since these libraries take a second to load.
"""

from array import array
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from core.corpus.file_contents import Limits, Row, check_rows
from core.corpus.record_formats.field_names import VECTORS, folded_name
from core.errors import FileRejected

_BATCH = 256


def parquet_records(data: bytes, name: str, limits: Limits) -> list[Row]:
    """Return the rows of a Parquet file."""
    with _as_rejection(name, "Parquet file"):
        texts = [f.name for f in pq.read_schema(BytesIO(data)) if _is_text(f.type)]
        # Repeated values are stored once, so a small file can hold a huge table: they stay like
        # that until it is known how much they are.
        file = pq.ParquetFile(BytesIO(data), read_dictionary=texts)
        return _records(file.iter_batches(batch_size=_BATCH, use_threads=False), name, limits)


def lance_records(folder: Path, name: str, limits: Limits) -> list[Row]:
    """Return the rows of the LanceDB table in `folder`, whose name ends in `.lance`."""
    import lancedb

    with _as_rejection(name, "LanceDB table"):
        table = lancedb.connect(folder.parent).open_table(folder.stem)
        return _records(table.search().to_batches(_BATCH), name, limits)


@contextmanager
def _as_rejection(name: str, kind: str) -> Iterator[None]:
    """Raise errors of the Parquet reader as FileRejected that says how to fix them."""
    try:
        yield
    except OverflowError as error:
        raise FileRejected(
            name, "it contains a date or number that is out of range; fix or remove that column"
        ) from error
    except (pa.ArrowException, OSError, ValueError, LookupError, TypeError, RuntimeError) as error:
        raise FileRejected(name, f"it is not a readable {kind}; export it again") from error


def _records(batches: Iterable[pa.RecordBatch], name: str, limits: Limits) -> list[Row]:
    """Collect the rows of all batches; raise FileRejected if they are too many or too large."""
    rows: list[Row] = []
    size = 0
    for batch in batches:
        check_rows(len(rows) + len(batch), len(rows) * batch.num_columns, name, limits)
        size += sum(map(_decoded_size, batch.columns))
        if size > limits.archive_bytes:
            raise FileRejected(name, "its table is too large; split it into smaller files")
        rows.extend(_rows(_without_dictionaries(batch)))
    if not rows:
        raise FileRejected(name, "it has no rows; it needs a column named text")
    return rows


def _rows(batch: pa.RecordBatch) -> list[Row]:
    """Return the rows of a batch, with vectors as arrays.

    As lists of Python floats, vectors would take ten times as much memory.
    """
    vectors = {
        field.name: [_vector_array(each) for each in batch.column(field.name)]
        for field in batch.schema
        if folded_name(field.name) in VECTORS and _is_vector(field.type)
    }
    plain = [name for name in batch.schema.names if name not in vectors]
    rows: list[Row] = batch.select(plain).to_pylist()
    if not vectors:
        return rows
    columns = zip(*vectors.values(), strict=True)
    return [
        {**row, **dict(zip(vectors, values, strict=True))}
        for row, values in zip(rows, columns, strict=True)
    ]


def _is_vector(kind: pa.DataType) -> bool:
    lists = pa.types.is_list(kind) or pa.types.is_large_list(kind)
    fixed = pa.types.is_fixed_size_list(kind)
    return bool((lists or fixed) and pa.types.is_floating(kind.value_type))


def _vector_array(value: pa.Scalar) -> "array[float] | None":
    if not value.is_valid:
        return None
    return array("d", value.values.to_numpy(zero_copy_only=False).astype("<f8").tobytes())


def _is_text(type_: pa.DataType) -> bool:
    return bool(pa.types.is_string(type_) or pa.types.is_large_string(type_))


def _without_dictionaries(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Return the batch without dictionary encoding: it converts to Python four times as fast."""
    columns = [
        each.dictionary_decode() if pa.types.is_dictionary(each.type) else each
        for each in batch.columns
    ]
    return pa.RecordBatch.from_arrays(columns, names=batch.schema.names)


def _decoded_size(column: pa.Array) -> int:
    """Return the size of a column in bytes without dictionary encoding."""
    if not pa.types.is_dictionary(column.type):
        return int(column.nbytes)
    lengths = pc.take(pc.binary_length(column.dictionary), column.indices)
    return int(pc.sum(lengths).as_py() or 0)
