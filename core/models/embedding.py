"""Embedding many texts, a batch at a time, so that a process that is killed loses one batch."""

from collections.abc import Callable, Sequence

import numpy as np

from core.errors import HopRagError
from core.models.embedder import Embedder
from core.progress import Progress, Report, Stage
from core.store.embeddings.vector_cache import VectorCache

BATCH = 512  # texts between two saves


def embed(
    cache: VectorCache,
    texts: Sequence[str],
    embedder: Embedder,
    report: Report,
    stage: Stage = "embed",
) -> None:
    """Have `cache` hold every one of `texts`; those that it holds are not embedded again."""
    missing = cache.missing(texts)
    report(Progress(stage, 0, len(missing)))
    for start in range(0, len(missing), BATCH):
        batch = missing[start : start + BATCH]
        try:
            vectors = embedder.encode(batch, counted(stage, start, len(missing), report))
        except HopRagError:  # what was paid for is kept
            done = dict(embedder.embedded_before(batch))
            if done:
                cache.add(list(done), np.stack(list(done.values())))
            raise
        cache.add(batch, vectors)


def counted(stage: Stage, done: int, total: int, report: Report) -> Callable[[int], None]:
    """Reports a stage that tells only how many more units are done."""

    def more(count: int) -> None:
        nonlocal done
        done += count
        report(Progress(stage, done, total))

    return more
