"""Files of records: CSV, TSV, JSON, JSON Lines and Parquet."""

from core.corpus.contents import Contents, Limits
from core.corpus.records import csv_records, json_records
from core.corpus.tables import contents_of


def read_csv(data: bytes, name: str, limits: Limits) -> Contents:
    """Read a CSV file by its header."""
    return contents_of(csv_records(data, name, limits), name, "CSV", limits)


def read_tsv(data: bytes, name: str, limits: Limits) -> Contents:
    """Read a TSV file by its header."""
    return contents_of(csv_records(data, name, limits), name, "TSV", limits)


def read_json(data: bytes, name: str, limits: Limits) -> Contents:
    """Read a JSON file: a list of objects, or an object that holds one."""
    return contents_of(json_records(data, name), name, "JSON", limits)


def read_jsonl(data: bytes, name: str, limits: Limits) -> Contents:
    """Read a file of one JSON object a line."""
    return contents_of(json_records(data, name), name, "JSONL", limits)


def read_parquet(data: bytes, name: str, limits: Limits) -> Contents:
    """Read a Parquet file."""
    from core.corpus.parquet import parquet_records  # its library takes a second to load

    return contents_of(parquet_records(data, name, limits), name, "Parquet", limits)
