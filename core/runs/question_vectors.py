"""Vectors of the questions of a run, handed to the process that measures it.

The process that starts a run has the embedder in memory. The one that measures it would load it
for these vectors alone, which takes longer than evaluating a small run.
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
"""Most questions that are embedded before a run starts, which takes a few seconds."""


def write_vectors(
    folder: Place, run: Run, questions: Sequence[Query], workbench: Workbench
) -> None:
    """Write the vectors of the questions of `run` into `folder`, replacing those of another run.

    Nothing is written for more than `MOST` questions, in object storage, or if a server embeds.
    The process that measures the run then embeds them.
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
    """Return the vectors written for `run`, by text; empty if `embedder` is not the one used."""
    if not isinstance(folder, Path):
        return {}
    try:
        with np.load(folder / FILE, allow_pickle=False) as arrays:
            about, vectors = json.loads(str(arrays["about"])), arrays["vectors"]
    except (OSError, ValueError, KeyError, zipfile.BadZipFile):
        return {}  # they are made anew
    if (about["run"], about["embedder"]) != (run.id, asdict(embedder)):
        return {}
    return dict(zip(about["texts"], vectors, strict=True))
