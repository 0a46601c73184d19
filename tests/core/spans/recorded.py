"""Spans that real instrumentations wrote (`tests/data/spans/record.py`), and their logs."""

import gzip
import json
from pathlib import Path
from typing import Any

SPANS = Path(__file__).parents[2] / "data" / "spans"
PIPELINES = ("llamaindex", "llamaindex-vectors", "langchain", "langchain-agent")


def recorded(name: str, kind: str) -> bytes:
    """Return a file: the `spans` or the `log` of a pipeline."""
    return gzip.decompress((SPANS / f"{name}.{kind}.jsonl.gz").read_bytes())


def lines(name: str, kind: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in recorded(name, kind).splitlines()]
