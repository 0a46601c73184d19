"""Run the stages of a build on Ray, from documents to edges, for `write_index`.

The driver process holds documents, ids and names. Passages, questions and vectors are in Ray's
object store, which spills to disk. A stage starts when the one before is finished, because most
stages need data about the whole corpus.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice

import numpy as np
import pyarrow as pa
import ray
from numpy.typing import NDArray

from core.cluster import batches as stages
from core.cluster import meeting
from core.cluster.embedding import Embedding
from core.cluster.engine import Blocks, Engine, stream, tables
from core.cluster.waiting import task, with_timeout
from core.corpus.chunking.summary import chunking_summary
from core.corpus.ids.passage_ids import separators
from core.errors import InputError
from core.hop_graph.pseudo_queries import NO_HUBS, Counted, Maker, Rules, limits_of
from core.indexing.builder import NO_PASSAGE, Made, Work
from core.indexing.stages import Merging, Tally, graph_version
from core.models.embedding import counted
from core.progress import Progress
from core.store import schema
from core.store.build_checkpoints import Unfinished
from core.store.embeddings.vector_positions import Known, digests_of
from core.text.entities.keywords import Keywords
from core.types import Passage

LEAST = 256  # minimum of documents per batch
MOST = 4096
BATCHES = 200  # target per corpus: each batch adds a version to the table of stored vectors


class Building:
    """One build on Ray. The methods are its stages, in order."""

    def __init__(self, work: Work) -> None:
        self._work = work = replace(work, report=with_timeout(work.report))
        self._engine = Engine(lambda: work.report(Progress("chunk", 0, len(work.documents))))
        self._put, self._get = ray.put, ray.get
        self._hubs = NO_HUBS

    def run(self) -> Made:
        """Run all stages and return the tables of the index."""
        work = self._work
        passages, ids, names = self._chunk()
        rows, asked = self._ask(passages, names)
        tallies = self._tallies(asked)
        vertices, questions, known = self._embed(rows, asked, tallies)
        blocks, dropped, certified = self._merge(questions, asked, tallies)
        work.report(Progress("write", 0, 1))
        edges = pa.concat_tables([schema.edges_table([]), *tables(blocks)])
        edges = edges.sort_by([("source", "ascending"), ("target", "ascending")])
        texts = (text for rows in tables(vertices) for text in rows["text"].to_pylist())
        return Made(
            {
                "passages": pa.concat_tables(tables(vertices)),
                "pseudo_queries": stream(questions),
                "edges": edges,
            },
            sum(tallies, Tally.of(texts)),
            Merging(len(edges), dropped, certified),
            graph_version(ids, edges["id"].to_pylist()),
            lambda: known.delete_stored(_digests([*vertices, *asked])),
            self._hubs,
        )

    def _chunk(self) -> tuple[Blocks, list[str], list[str]]:
        """Split the documents; return blocks of passages, and all ids and names."""
        work = self._work
        size = _batch_size(len(work.documents))
        starts = range(0, len(work.documents), size)
        batches = [work.documents[start : start + size] for start in starts]
        rows = [self._put(stages.documents_batch(batch)) for batch in batches]
        tell = counted("chunk", 0, len(work.documents), work.report)
        tell(0)
        apart = separators(document.id for document in work.documents)
        chunked = partial(stages.chunk_batch, chunking=work.chunking, apart=apart)
        blocks = self._engine.map(rows, chunked, list(map(len, batches)), tell)
        ids: list[str] = []
        names: list[str] = []

        def passages_in_order() -> Iterator[Passage]:
            """Yield the passages of all blocks, and record their ids and names."""
            for rows in tables(blocks):
                for passage in stages.passages_of(rows):
                    ids.append(passage.id)
                    names.append(passage.name)
                    yield passage

        cut = chunking_summary(work.documents, passages_in_order(), work.chunking)
        if not ids:
            raise InputError(NO_PASSAGE)
        work.cut(cut)
        return blocks, ids, names

    def _ask(self, passages: Blocks, names: Sequence[str]) -> tuple[Blocks, Blocks]:
        """Return blocks of passages with keywords, and blocks of their questions."""
        work, maker = self._work, self._work.maker
        tell = counted("questions", 0, len(names), work.report)
        tell(0)
        by_rules = isinstance(maker, Rules)
        keywords = self._put(Keywords(names))
        sizes = [len(rows) for rows in tables(passages)]
        read = partial(stages.read_keywords, keywords=keywords)
        read_blocks = self._engine.map(passages, read, sizes, tell if by_rules else _no_progress)
        if isinstance(maker, Rules):
            parts = self._get([task(stages.count_named).remote(block) for block in read_blocks])
            counts = sum(parts, Counter[str]())
            self._hubs = maker.hubs(counts, len(names))
            common = self._put(maker.common(counts, len(names)))
            ask = partial(stages.ask_by_rules, rules=maker, common=common)
            asked = self._engine.map(read_blocks, ask, sizes, lambda _: tell(0))
        else:
            asked = self._by_model(passages, sizes, maker, tell)
        return [task(stages.without_reading).remote(block) for block in read_blocks], asked

    def _by_model(
        self, passages: Blocks, sizes: Sequence[int], maker: Maker, tell: Counted
    ) -> Blocks:
        """Generate the questions with a language model.

        The driver calls the model, because it holds the budget and stores the replies.
        """
        queries = maker([p for rows in tables(passages) for p in stages.passages_of(rows)], tell)
        lists = ([query for each in islice(queries, size) for query in each] for size in sizes)
        blocks = [(len(some), self._put(schema.pseudo_queries_table(some))) for some in lists]
        return [block for count, block in blocks if count]

    def _tallies(self, asked: Blocks) -> list[Tally]:
        """Return the counts of each block of questions."""
        tallied, maker = task(stages.tally_block), self._work.maker
        limits = limits_of(maker)
        tallies: list[Tally] = self._get([tallied.remote(b, maker.name, limits) for b in asked])
        return tallies

    def _embed(
        self, rows: Blocks, asked: Blocks, tallies: Sequence[Tally]
    ) -> tuple[Blocks, Blocks, Known]:
        """Return passages and questions with vectors, and the store of known vectors."""
        work = self._work
        known = Known.read(work.folder, work.embedder.info)
        sizes = [len(each) for each in tables(rows)]
        sizes += [each.in_coming + each.out_coming for each in tallies]
        tell = counted("embed", 0, sum(sizes), work.report)
        tell(0)
        made = (self._put(known), work.embedder)
        embedded = self._engine.map([*rows, *asked], Embedding, sizes, tell, made)
        return embedded[: len(rows)], embedded[len(rows) :], known

    def _merge(
        self, questions: Blocks, asked: Blocks, tallies: Sequence[Tally]
    ) -> tuple[Blocks, int, float]:
        """Return blocks of edges, the number dropped by the cap, and the certified share."""
        work = self._work
        raised = [each.out_coming for each in tallies]
        answered = [each.in_coming for each in tallies]
        tell = counted("merge", 0, sum(raised), work.report)
        tell(0)
        if not sum(raised) or not sum(answered):
            return [], 0, 1.0
        processors = self._engine.processors
        kept = Unfinished(work.folder)
        pairs, certified = meeting.match_all(questions, raised, answered, processors, kept, tell)
        passages = sum(each.asked for each in tallies)
        last, dropped = meeting.last_kept_edge(pairs, passages, limits_of(work.maker).edge_cap)
        made = [task(meeting.edge_rows).remote(each, last, asked) for each in pairs]
        meeting.wait_for(made, lambda _: tell(0))
        return made, dropped, certified / sum(raised)


def _batch_size(documents: int) -> int:
    """Return the number of documents per batch."""
    return max(LEAST, min(MOST, documents // BATCHES))


def _no_progress(count: int) -> None:
    """Ignore progress."""


def _digests(blocks: Blocks) -> NDArray[np.uint64]:
    return np.concatenate([digests_of(schema.texts_in(rows)) for rows in tables(blocks)])
