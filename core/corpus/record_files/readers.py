"""Files of records: CSV, TSV, JSON, JSON Lines, Parquet, LanceDB, and judgements in a text file."""

from pathlib import Path

from core.corpus.documents import prose
from core.corpus.file_contents import Contents, Limits
from core.corpus.record_files.delimited import csv_records
from core.corpus.record_files.json_records import json_records
from core.corpus.record_files.trec import judgements
from core.corpus.record_formats.interpretation import interpret
from core.errors import FileRejected


def read_text(data: bytes, name: str, limits: Limits) -> Contents:
    """Read a text file: one document, or a list of judgements as TREC writes them."""
    if rows := judgements(data, name):
        return interpret(rows, name, "Text", limits)
    return prose.read_text(data, name, limits)


def read_qrels(data: bytes, name: str, limits: Limits) -> Contents:
    """Read a file of judgements as TREC writes them.

    Raises
    ------
    FileRejected : it is anything else, such as a run or documents in SGML.
    """
    rows = judgements(data, name)
    if not rows:
        raise FileRejected(
            name,
            "not TREC qrels, whose lines are QUESTION 0 DOCUMENT GRADE; save documents as "
            ".jsonl with id and text",
        )
    return interpret(rows, name, "TREC", limits)


def read_csv(data: bytes, name: str, limits: Limits) -> Contents:
    """Read a CSV file by its header."""
    rows, notes = csv_records(data, name, limits)
    return interpret(rows, name, "CSV", limits, notes)


def read_tsv(data: bytes, name: str, limits: Limits) -> Contents:
    """Read a TSV file by its header."""
    rows, notes = csv_records(data, name, limits)
    return interpret(rows, name, "TSV", limits, notes)


def read_json(data: bytes, name: str, limits: Limits) -> Contents:
    """Read a JSON file: a list of objects, or an object that contains one."""
    return interpret(json_records(data, name), name, "JSON", limits)


def read_jsonl(data: bytes, name: str, limits: Limits) -> Contents:
    """Read a file of one JSON object a line."""
    return interpret(json_records(data, name), name, "JSONL", limits)


def read_parquet(data: bytes, name: str, limits: Limits) -> Contents:
    """Read a Parquet file."""
    from core.corpus.record_files.parquet import (
        parquet_records,  # its library takes a second to load
    )

    return interpret(parquet_records(data, name, limits), name, "Parquet", limits)


def read_lance(folder: Path, name: str, limits: Limits) -> Contents:
    """Read the folder of a LanceDB table.

    Raises
    ------
    FileRejected : it is no such folder, or too large.
    """
    from core.corpus.record_files.parquet import lance_records

    size = sum(each.stat().st_size for each in folder.rglob("*") if each.is_file())
    if size > limits.archive_bytes:
        raise FileRejected(
            name, f"the table is larger than {limits.archive_bytes / 2**20:,.0f} MB; split it"
        )
    return interpret(lance_records(folder, name, limits), name, "LanceDB", limits)
