"""How long the funnel of every question takes, and the rescue of each loss.

    python tests/benchmarks/retrieval/funnel.py INDEX QUESTIONS.jsonl [--retrievers SPEC,SPEC,...]
        [--first N]

Prints for each retriever the stages of all gold, the kinds of rescues, and the seconds of both on
top of asking; the time limit for 200 questions by five retrievers on two cores is 180 s.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3]))

from core.artefacts.workbench import Workbench
from core.evaluation import read_questions
from core.funnel.attempts import rescues
from core.funnel.fates import fates
from core.funnel.stages import STAGES
from core.models.embedder import load_embedder
from core.retrievers import Spec, make
from core.retrievers.spec_syntax import split
from core.settings import BUNDLED_EMBEDDER
from core.store.index import Index
from core.types import Query
from tests.benchmarks.printing import machine

KEYS = "bm25,dense,hybrid,hoprag-similarity,hoprag-coverage"


def measure(spec: Spec, workbench: Workbench, questions: Sequence[Query]) -> float:
    """Print one retriever's funnel; the seconds that it took besides asking."""
    retriever = make(spec, workbench)
    workbench.warm(spec.needs)
    traces = [tuple(retriever.retrieve(question.text)) for question in questions]
    stages: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    seconds = {"fates": 0.0, "rescues": 0.0}
    for question, steps in zip(questions, traces, strict=True):
        began = time.perf_counter()
        found = fates(steps, question.gold, workbench.index)
        between = time.perf_counter()
        kept = rescues(question.text, spec, workbench, steps, found)
        seconds["fates"] += between - began
        seconds["rescues"] += time.perf_counter() - between
        stages.update(fate.stage for fate in found)
        kinds.update(rescue.kind if rescue else "none" for rescue in kept.values())
    told = ", ".join(f"{said} {stages[name]}" for name, said in STAGES.items() if stages[name])
    print(f"{spec}: {told}")
    print(f"    rescues: {', '.join(f'{kind} {n}' for kind, n in kinds.most_common())}")
    print(f"    funnel {seconds['fates']:.1f} s, rescues {seconds['rescues']:.1f} s")
    return sum(seconds.values())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("index", type=Path)
    parser.add_argument("questions", type=Path)
    parser.add_argument("--retrievers", default=KEYS)
    parser.add_argument("--first", type=int)
    given = parser.parse_args()
    embedder = load_embedder(BUNDLED_EMBEDDER)
    questions = read_questions(given.questions)[: given.first]
    workbench = Workbench(Index.open(given.index, embedder.info), embedder)
    workbench = workbench.with_embedded([question.text for question in questions])
    specs = [Spec.parse(text) for text in split(given.retrievers)]
    total = sum(measure(spec, workbench, questions) for spec in specs)
    asked = f"{len(questions)} questions by {len(specs)} retrievers"
    print(f"{asked}: {total:.1f} s, {machine(embedder.info.precision)}")


if __name__ == "__main__":
    main()
