"""Embed many texts in batches and store each batch, so that a crash loses at most one."""

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
    """Embed the texts whose vectors `cache` lacks, and store the vectors in it.

    Parameters
    ----------
    stage : the stage under which progress is reported.
    """
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
    """Return a callback that adds up increments and reports the total progress of a stage."""

    def more(count: int) -> None:
        nonlocal done
        done += count
        report(Progress(stage, done, total))

    return more
