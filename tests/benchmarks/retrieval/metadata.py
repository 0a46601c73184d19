"""What a filter by source and date finds on MultiHop-RAG, measured as its authors do.

    python tests/benchmarks/retrieval/metadata.py CORPUS.json QUESTIONS.json [--chunk tokens:256:32]
        [--retrievers SPEC,SPEC,...] [--index DIR] [--markdown]

A chunk is right if it holds a gold fact, white space aside. Hits@k is the share of questions with
at least one such chunk among the first k; MAP and MRR are of the first 10. Questions without
evidence are left out. An index that is there is opened, one that is not is built.
"""

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import ir_measures
from ir_measures import AP, RR, Qrel, ScoredDoc, Success

sys.path.insert(0, str(Path(__file__).parents[3]))

from core.artefacts.workbench import Workbench
from core.cli.common import quiet
from core.corpus.chunking.chunker import Chunking
from core.corpus.files import read_files
from core.errors import HopRagError
from core.indexing.updates import build
from core.models.embedder import load_embedder
from core.playback.account import account
from core.retrievers import Spec, make
from core.retrievers.spec_syntax import split
from core.settings import BUNDLED_EMBEDDER
from core.steps import Asked
from core.store.index import Index
from core.store.tables import last_meta
from tests.benchmarks.printing import grid, machine, show

SPECS = (
    "dense",
    "multi-meta-rag",
    "rerank(over=dense,depth=20)",
    "rerank(over=multi-meta-rag,depth=20)",
)
MEASURES = (Success @ 4, Success @ 10, AP @ 10, RR @ 10)
COLUMNS = ("retriever", "Hits@4", "Hits@10", "MAP@10", "MRR@10", "passages left", "median")


def squeezed(text: str) -> str:
    return "".join(text.split())


def facts_of(path: Path) -> dict[str, list[str]]:
    """The gold facts of each question that has evidence, by its text."""
    rows = json.loads(path.read_text(encoding="utf-8"))
    found = {row["query"]: [squeezed(e["fact"]) for e in row["evidence_list"]] for row in rows}
    return {query: facts for query, facts in found.items() if facts}


def right(index: Index, facts: dict[str, list[str]]) -> list[Qrel]:
    """Which chunks hold a fact of which question."""
    texts = {passage.id: squeezed(passage.text) for passage in index.passages}
    return [
        Qrel(query, id_, 1)
        for query, wanted in facts.items()
        for id_, text in texts.items()
        if any(fact in text for fact in wanted)
    ]


def row(spec: Spec, bench: Workbench, gold: list[Qrel], queries: list[str]) -> tuple[str, ...]:
    """A retriever's measures, and what its filters left where there were any."""
    retriever = make(spec, bench, top_k=10)
    run, left, seconds = [], [], []
    for query in queries:
        started = time.perf_counter()
        steps = tuple(retriever.retrieve(query))
        seconds.append(time.perf_counter() - started - account(steps).embed_seconds)
        run += [ScoredDoc(query, hit.passage_id, hit.score) for hit in steps[-1].hits]
        left += [s.narrowed[1] for s in steps if isinstance(s, Asked) and s.narrowed]
    found = ir_measures.calc_aggregate(MEASURES, gold, run)
    percents = (f"{100 * found[measure]:.1f}" for measure in MEASURES)
    kept = f"{median(left):,.0f} of {len(bench.index.passages):,}" if left else ""
    return str(spec), *percents, kept, f"{1000 * median(seconds):.0f} ms"


def run(given: argparse.Namespace, scratch: Path) -> None:
    quiet()
    embedder = load_embedder(BUNDLED_EMBEDDER)
    folder = given.index or scratch / "index"
    if last_meta(folder) is None:
        chunking = Chunking.parse(given.chunk)
        build(folder, read_files([given.corpus]), embedder, lambda _: None, chunking=chunking)
    bench = Workbench(Index.open(folder, embedder.info), embedder)
    facts = facts_of(given.questions)
    gold = right(bench.index, facts)
    specs = [Spec.parse(text) for text in split(given.retrievers) or SPECS]
    rows = [row(spec, bench, gold, list(facts)) for spec in specs]
    about = (
        f"{len(facts):,} questions, {len(bench.index.documents):,} articles in "
        f"{len(bench.index.passages):,} chunks ({given.chunk}), no language model, "
        f"{embedder.info.name}; {machine(embedder.info.precision)}."
    )
    show(about, [grid("MultiHop-RAG, in percent", COLUMNS, rows)], markdown=given.markdown)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus", type=Path)
    parser.add_argument("questions", type=Path)
    parser.add_argument("--index", type=Path, help="index of the corpus; a fresh one if not given")
    parser.add_argument("--chunk", default="tokens:256:32", help="how articles are cut")
    parser.add_argument("--retrievers", default="", help="which ones; else dense with and without")
    parser.add_argument("--markdown", action="store_true", help="print a table for a README")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        try:
            run(given, Path(scratch))
        except HopRagError as error:
            parser.error(str(error))


if __name__ == "__main__":
    main()
