"""An embedder whose cosines no processor rounds, and the two indexes that it makes."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from core.corpus.files import read_files
from core.indexing.updates import build
from core.vectors import Vectors
from tests.core.fakes import WordEmbedder
from tests.core.five import QUESTION, corpus, silent
from tests.estmark import CORPUS, QUESTIONS

STEPS = 2.0**7
"""Numbers of a vector are multiples of 1 / STEPS, so that sums of products fit into a float32."""


class ExactEmbedder(WordEmbedder):
    """As `WordEmbedder`, but every product and sum of two of its vectors is exact: rankings are
    the same to the last bit on every machine. Lengths are 1 to within a hundredth."""

    def encode(
        self, texts: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> Vectors:
        rounded: Vectors = np.round(super().encode(texts, progress) * STEPS) / STEPS
        return rounded


def build_five(folder: Path) -> tuple[str, ...]:
    """The index of the five passages; returns what is asked of it."""
    build(folder, corpus(), ExactEmbedder(), silent)
    return (QUESTION.text,)


def build_sample(folder: Path) -> tuple[str, ...]:
    """The index of the sample; returns what is asked of it."""
    build(folder, read_files((CORPUS, QUESTIONS)), ExactEmbedder(), silent)
    rows = [json.loads(line) for line in QUESTIONS.read_text(encoding="utf-8").splitlines()]
    return tuple(row["question"] for row in rows if row.get("suggested"))[:2]


WORLDS: dict[str, Callable[[Path], tuple[str, ...]]] = {"five": build_five, "sample": build_sample}
