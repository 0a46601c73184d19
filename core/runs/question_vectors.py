"""Vectors of the questions of a run, for the process that measures it.

The process that starts a run has the embedder in memory, and the one that measures it would load it
for these vectors alone, which takes longer than to evaluate a small run.
"""

import json
import zipfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

import numpy as np

from core.artefacts.workbench import WARM_UP, Workbench
from core.places import Place
from core.runs.run import Run
from core.types import EmbedderInfo, Query
from core.vectors import Vectors

FILE = "question_vectors.npz"
MOST = 200
"""Questions up to which they are embedded before the run starts: a few seconds."""


def write_vectors(
    folder: Place, run: Run, questions: Sequence[Query], workbench: Workbench
) -> None:
    """Write the vectors of the questions of `run` into `folder`, over those of another run.

    More than `MOST` questions are left to the process that measures the run, as are all where
    `folder` is on no local disk or a server embeds.
    """
    embedder = workbench.embedder
    texts = list(dict.fromkeys(question.text for question in questions))
    if len(texts) > MOST or embedder.info.version or not isinstance(folder, Path):
        return
    texts.append(WARM_UP)
    about = {"run": run.id, "embedder": asdict(embedder.info), "texts": texts}
    vectors = embedder.encode(texts)
    with suppress(OSError):  # they are made anew
        folder.mkdir(parents=True, exist_ok=True)
        written = folder / f"{run.id}.part.npz"
        np.savez(written, about=np.array(json.dumps(about)), vectors=vectors)
        written.replace(folder / FILE)


def read_vectors(folder: Place, run: Run, embedder: EmbedderInfo) -> dict[str, Vectors]:
    """Return the vectors that were written for `run`, by text; none if `embedder` is another."""
    if not isinstance(folder, Path):
        return {}
    try:
        with np.load(folder / FILE, allow_pickle=False) as found:
            about, vectors = json.loads(str(found["about"])), found["vectors"]
    except (OSError, ValueError, KeyError, zipfile.BadZipFile):
        return {}  # they are made anew
    if (about["run"], about["embedder"]) != (run.id, asdict(embedder)):
        return {}
    return dict(zip(about["texts"], vectors, strict=True))
