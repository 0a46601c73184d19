"""What the pseudo-queries of an index give away, and how long they are.

    python tests/benchmarks/retrieval/pseudo_queries.py INDEX [INDEX ...]

A question leaks a sentence if it contains at least 60% of the sentence's content words. 'Edges'
compares the question shown on an edge with the target's sentence, 'without names' leaves the words
of the target's title out of both. A question is cut if it contains an ellipsis. The paper's graphs
have about 5.87 edges a passage. Recall of two indexes is measured with `recall.py --index`.
"""

import argparse
import sys
from collections.abc import Collection, Iterable
from pathlib import Path
from statistics import fmean

sys.path.insert(0, str(Path(__file__).parents[3]))

from core.store.index import Index
from core.text.stop_words import STOP_WORDS
from core.text.tokens import words
from core.types import PseudoQuery
from tests.benchmarks.printing import grid, show

LEAK = 0.6
COLUMNS = ("index", "questions", "n", "leak", "leak without names", "words", "cut")


def content(text: str, but: Collection[str] = ()) -> set[str]:
    """Return the content words of `text` that are not in `but`."""
    return set(words(text)) - STOP_WORDS - set(but)


def leaks(question: str, sentence: str, but: Collection[str] = ()) -> bool:
    """Return whether `question` contains at least `LEAK` of the content words of `sentence`."""
    told = content(sentence, but)
    return bool(told) and len(content(question) & told) >= LEAK * len(told)


def row(name: str, kind: str, asked: Iterable[tuple[str, str, str]]) -> tuple[str, ...]:
    """Return a row of figures for (question, sentence, title) triples."""
    found = list(asked)
    if not found:
        return name, kind, "0", "-", "-", "-", "-"
    leak = fmean(leaks(text, sentence) for text, sentence, _ in found)
    unnamed = fmean(leaks(text, sentence, words(title)) for text, sentence, title in found)
    length = fmean(len(text.split()) for text, _, _ in found)
    cut = fmean("…" in text for text, _, _ in found)
    shares = (f"{100 * share:.1f}%" for share in (leak, unnamed))
    return name, kind, f"{len(found):,}", *shares, f"{length:.1f}", f"{100 * cut:.1f}%"


def measured(folder: Path) -> tuple[str, list[tuple[str, ...]]]:
    """Return a sentence about the graph in `folder`, and the rows of its questions."""
    index = Index.open(folder)
    titles = dict(zip(index.ids, index.names, strict=True))
    queries: dict[str, PseudoQuery] = {query.id: query for query in index.graph.all_pseudo_queries}
    edges = index.graph.edges(range(index.meta.counts.edges))
    on_edges = (
        (edge.question, queries[edge.in_query_id].evidence, titles[edge.target]) for edge in edges
    )
    rows = [row(folder.name, "shown on edges", on_edges)]
    for direction in ("in", "out"):
        some = [query for query in queries.values() if query.direction == direction]
        own = ((index.graph.spoken(q), q.evidence, titles[q.passage_id]) for q in some)
        rows.append(row(folder.name, f"{direction}-questions, own sentence", own))
    degree = len(edges) / len(index.ids)
    return f"{folder.name}: {len(index.ids):,} passages, {degree:.2f} edges a passage", rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("index", type=Path, nargs="+")
    found = [measured(folder) for folder in parser.parse_args().index]
    about = "; ".join(told for told, _ in found)
    rows = [each for _, some in found for each in some]
    show(about, [grid("Pseudo-queries", COLUMNS, rows)], markdown=False)


if __name__ == "__main__":
    main()
