"""Evidence mapped to passages beside comparing every item with every passage.

    python tests/benchmarks/retrieval/evidence.py CORPUS.jsonl[.gz] QUESTIONS.jsonl

A line of the corpus has `id`, `title` and `text`, a line of the questions `id`, `question` and
`gold` (ids of the corpus). A sentence of each gold passage is evidence. Seconds are of the process.
"""

import argparse
import gzip
import json
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[3]))

from core.evidence import with_passages
from core.evidence.matching import Candidate, matched
from core.text.sentences import sentences
from core.types import Evidence, Passage, Query
from tests.benchmarks.printing import grid, show

COLUMNS = ("document", "items", "found", "right", "seconds", "every pair", "ratio")
LEAST_LETTERS = 40
Mapper = Callable[[Sequence[Query], Sequence[Passage]], list[Query]]


def rows(path: Path) -> Iterator[dict[str, Any]]:
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def world(corpus: Path, questions: Path) -> tuple[list[Passage], list[Query]]:
    passages = [Passage(row["id"], row["id"], 0, row["title"], row["text"]) for row in rows(corpus)]
    texts = {each.id: each.text for each in passages}
    rng = random.Random(0)
    asked = [
        Query(
            row["id"],
            row["question"],
            evidence=tuple(
                Evidence(_sentence(texts[one], rng), document=one) for one in row["gold"]
            ),
        )
        for row in rows(questions)
    ]
    return passages, asked


def _sentence(text: str, rng: random.Random) -> str:
    found = sentences(text)
    return rng.choice([each for each in found if len(each) >= LEAST_LETTERS] or found)


def without_documents(asked: Sequence[Query]) -> list[Query]:
    return [
        replace(query, evidence=tuple(replace(each, document="") for each in query.evidence))
        for query in asked
    ]


def every_pair(asked: Sequence[Query], passages: Sequence[Passage]) -> list[Query]:
    """The simple way: every passage is a candidate of all evidence."""
    candidates = [Candidate(each) for each in passages]
    return [
        replace(query, evidence=tuple(matched(each, candidates) for each in query.evidence))
        for query in asked
    ]


def timed(mapper: Mapper, asked: Sequence[Query], passages: Sequence[Passage]) -> float:
    started = time.process_time()
    mapper(asked, passages)
    return time.process_time() - started


def row(
    name: str, asked: Sequence[Query], passages: Sequence[Passage], gold: Sequence[str]
) -> tuple[str, ...]:
    items = [each for query in with_passages(asked, passages) for each in query.evidence]
    right = sum(
        any(one in part for part in each.parts) for one, each in zip(gold, items, strict=True)
    )
    quick = min(timed(with_passages, asked, passages) for _ in range(3))
    slow = timed(every_pair, asked, passages)
    found = sum(bool(each.parts) for each in items)
    figures = (f"{len(items)}", f"{found}", f"{right}", f"{quick:.2f}", f"{slow:.2f}")
    return name, *figures, f"{slow / quick:.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus", type=Path)
    parser.add_argument("questions", type=Path)
    given = parser.parse_args()
    for path in (given.corpus, given.questions):
        if not path.exists():
            sys.exit(f"There is no file {path}.")
    passages, asked = world(given.corpus, given.questions)
    gold = [each.document for query in asked for each in query.evidence]
    about = f"{len(passages):,} passages, {len(asked):,} questions"
    found = [
        row("known", asked, passages, gold),
        row("unknown", without_documents(asked), passages, gold),
    ]
    show(about, [grid("evidence to passages", COLUMNS, found)], markdown=False)


if __name__ == "__main__":
    main()
