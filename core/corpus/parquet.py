"""Parquet to records; apart from the other kinds, since its library takes a second to load."""

from io import BytesIO

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from core.corpus.contents import Limits, Row, check_rows
from core.errors import FileRejected

_BATCH = 256


def parquet_records(data: bytes, name: str, limits: Limits) -> list[Row]:
    """The rows of a Parquet file."""
    rows: list[Row] = []
    size = 0
    try:
        texts = [f.name for f in pq.read_schema(BytesIO(data)) if _is_text(f.type)]
        # Repeated values are stored once, so a small file can hold a huge table: they stay like
        # that until it is known how much they are.
        file = pq.ParquetFile(BytesIO(data), read_dictionary=texts)
        for batch in file.iter_batches(batch_size=_BATCH, use_threads=False):
            check_rows(len(rows) + len(batch), len(rows) * batch.num_columns, name, limits)
            size += sum(map(_bytes, batch.columns))
            if size > limits.archive_bytes:
                raise FileRejected(name, "its table is too large; split it into smaller files")
            rows.extend(_spelled_out(batch).to_pylist())
    except OverflowError as error:
        raise FileRejected(
            name, "it contains a date or number that is out of range; fix or remove that column"
        ) from error
    except (pa.ArrowException, OSError, ValueError, LookupError, TypeError) as error:
        raise FileRejected(name, "it is not a readable Parquet file; export it again") from error
    if not rows:
        raise FileRejected(name, "it has no rows; it needs a column named text")
    return rows


def _is_text(type_: pa.DataType) -> bool:
    return bool(pa.types.is_string(type_) or pa.types.is_large_string(type_))


def _spelled_out(batch: pa.RecordBatch) -> pa.RecordBatch:
    """The batch with every value for itself, which becomes Python values four times as fast."""
    columns = [
        each.dictionary_decode() if pa.types.is_dictionary(each.type) else each
        for each in batch.columns
    ]
    return pa.RecordBatch.from_arrays(columns, names=batch.schema.names)


def _bytes(column: pa.Array) -> int:
    """The size of a column with every value spelled out."""
    if not pa.types.is_dictionary(column.type):
        return int(column.nbytes)
    lengths = pc.take(pc.binary_length(column.dictionary), column.indices)
    return int(pc.sum(lengths).as_py() or 0)
