"""Recall of retrievers over entities, with the rules' entities and with published triples.

    python tests/benchmarks/retrieval/openie.py CORPUS.jsonl[.gz] QUESTIONS.jsonl OPENIE.json[.gz]
        [--all]

Keeps the passages that the triples cover, and the questions whose gold is all among them (--all:
every passage, and the questions with gold). Both indexes have one edge, which these retrievers do
not use: nobody waits for pseudo-queries. Prints recall in percent of gold passages.
"""

import argparse
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[3]))

from core.artefacts.workbench import Workbench
from core.corpus.chunking.chunker import Chunking, chunk
from core.corpus.extraction_files import NO_EXTRACTION, read_extraction
from core.corpus.files import read_files
from core.corpus.types import Corpus
from core.hop_graph.given_graph import GivenGraph
from core.hop_graph.graph_files import GraphFile, Link
from core.indexing.updates import build
from core.models.embedder import load_embedder
from core.progress import Progress
from core.retrievers import make
from core.settings import BUNDLED_EMBEDDER
from core.store.extraction_table import matched
from core.store.index import Index
from core.types import Query

KEYS = ("dense", "hipporag", "hipporag2", "proprag")
CUTS = (2, 5, 20)
WHOLE = Chunking("as-is")


def main() -> None:
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("corpus", type=Path)
    given.add_argument("questions", type=Path)
    given.add_argument("openie", type=Path)
    given.add_argument("--all", action="store_true")
    told = given.parse_args()
    for path in (told.corpus, told.questions, told.openie):
        if not path.exists():
            sys.exit(f"{path} does not exist.")
    extraction = read_extraction(told.openie)
    corpus = read_files([told.corpus, told.questions])
    passages = chunk(corpus.documents, WHOLE)
    covered = matched(extraction, passages)
    print(*covered.told(extraction, len(passages)), sep="\n")
    if not told.all:
        kept = tuple(made for made in corpus.documents if made.id in covered.found)
        corpus = replace(corpus, documents=kept, brought=())
    ids = {made.id for made in corpus.documents}
    asked = [query for query in corpus.queries if query.gold and ids.issuperset(query.gold)]
    print(f"{len(ids):,} passages, {len(asked):,} questions")
    with tempfile.TemporaryDirectory() as folder:
        for name, openie in (("rules", NO_EXTRACTION), ("triples", extraction)):
            bench = built(Path(folder) / name, corpus, openie)
            for key in KEYS:
                row(name, key, bench, asked)


def built(place: Path, corpus: Corpus, extraction) -> Workbench:
    """The index of `corpus` with one edge."""
    first, second = (made.id for made in corpus.documents[:2])
    graph = GivenGraph("graph:none", GraphFile((Link(first, second),)))
    embedder = load_embedder(BUNDLED_EMBEDDER)
    started = time.perf_counter()
    build(place, corpus, embedder, quiet, chunking=WHOLE, maker=graph, extraction=extraction)
    print(f"built in {time.perf_counter() - started:.0f} s")
    return Workbench(Index.open(place, embedder.info), embedder, making=quiet)


def quiet(_: Progress) -> None:
    """Nobody waits."""


def row(name: str, key: str, bench: Workbench, asked: list[Query]) -> None:
    """Print the mean recall of a retriever at each cut."""
    retriever = make(key, bench)
    started = time.perf_counter()
    shares = []
    for query in asked:
        *_, last = retriever.retrieve(query.text)
        found = [hit.passage_id for hit in last.hits]
        shares.append([len({*found[:cut]} & {*query.gold}) / len(query.gold) for cut in CUTS])
    means = 100 * np.mean(shares, axis=0)
    told = "  ".join(f"R@{cut} {mean:5.1f}" for cut, mean in zip(CUTS, means, strict=True))
    print(f"{name:8} {key:10} {told}  ({time.perf_counter() - started:.0f} s)", flush=True)


if __name__ == "__main__":
    main()
