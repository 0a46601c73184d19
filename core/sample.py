"""The corpus that comes with the program: fictional worlds, with questions about them."""

import json
from functools import cache

from core.jobs import Job
from core.places import Place
from core.settings import ASSETS

NAME = "sample"
CORPUS = ASSETS / "sample" / "corpus.jsonl"
QUESTIONS = ASSETS / "sample" / "questions.jsonl"
PSEUDO_QUERIES = ASSETS / "sample" / "pseudo_queries.jsonl"
"""Written by hand for the sample's passages; see its README."""


def build_job(indexes: Place, embedder: str) -> Job:
    """The job that makes the index of the sample under `indexes`."""
    return Job(
        "build",
        indexes / NAME,
        files=(CORPUS, QUESTIONS),
        embedder=embedder,
        restart=True,
        maker=f"file:{PSEUDO_QUERIES}",
    )


@cache
def suggested() -> tuple[str, ...]:
    """The questions of the sample that show best what a hop finds, the first one first."""
    with QUESTIONS.open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines if line.strip()]
    return tuple(row["question"] for row in rows if row.get("suggested"))
