"""A corpus and questions that never change: what tests assert of ranks, walks and losses is theirs.

It is what the product's sample was once. Tests of that sample itself are in `test_sample.py`.
"""

import json
from pathlib import Path

NAME = "sample"
"""Name of its index in tests."""
FOLDER = Path(__file__).parent / "data" / "estmark"
CORPUS = FOLDER / "corpus.jsonl"
QUESTIONS = FOLDER / "questions.jsonl"


def suggested() -> tuple[str, ...]:
    """Return the questions whose walks show most, the first one first."""
    rows = [json.loads(line) for line in QUESTIONS.read_text(encoding="utf-8").splitlines()]
    return tuple(row["question"] for row in rows if row.get("suggested"))
