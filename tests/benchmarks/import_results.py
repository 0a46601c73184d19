"""Seconds to import the results of another pipeline: 5,000 questions with 20 contexts each.

    python -m tests.benchmarks.import_results

Half of the contexts are passages as they are, a quarter are parts of one, an eighth are two
passages in one, and the rest are in no passage.
"""

import json
import random
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from core.corpus.types import Corpus
from core.indexing.updates import build
from core.pipelines import begin_imported_run, import_results, read_results
from core.runs import Runs
from core.store.index import Index
from core.types import Document, Evidence, Query
from tests.core.fakes import WordEmbedder
from tests.core.five import silent

QUESTIONS, CONTEXTS, PASSAGES, WORDS = 5_000, 20, 10_000, 80


def main() -> None:
    draw = random.Random(1)
    words = [f"{a}{b}{c}" for a in "bdfgk" for b in "aeiou" for c in ("lm", "nt", "rs", "st", "x")]
    texts = [" ".join(draw.choices(words, k=WORDS)) for _ in range(PASSAGES)]
    documents = tuple(Document(f"d{n}", f"D{n}", text, "a") for n, text in enumerate(texts))
    evidence = [" ".join(text.split()[20:32]) for text in texts]
    needed = [Evidence(text, document=f"d{n}") for n, text in enumerate(evidence)]
    queries = tuple(
        Query(f"q{n}", f"Question {n}?", gold=(f"d{n}",), evidence=(needed[n],))
        for n in range(QUESTIONS)
    )

    def context() -> str:
        kind, text = draw.random(), draw.choice(texts)
        if kind < 0.5:
            return text
        if kind < 0.75:
            return " ".join(text.split()[10:50])
        if kind < 0.875:
            return f"{text} {draw.choice(texts)}"
        return " ".join(draw.choices(words, k=WORDS))

    with TemporaryDirectory() as folder:
        place = Path(folder)
        embedder = WordEmbedder()
        build(place / "index", Corpus(documents, queries), embedder, silent)
        index = Index.open(place / "index", embedder.info)
        path = place / "mine.json"
        rows = [
            {"question": query.text, "contexts": [context() for _ in range(CONTEXTS)]}
            for query in queries
        ]
        path.write_text(json.dumps(rows))
        began = time.perf_counter()
        found = read_results(path, queries, index)
        read = time.perf_counter()
        run = begin_imported_run(index, queries, "mine")
        import_results(Runs(index.path), run, found, index)
        end = time.perf_counter()
        sys.stdout.write(f"{found}\nread {read - began:.1f} s, import {end - read:.1f} s\n")


if __name__ == "__main__":
    main()
