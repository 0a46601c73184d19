"""How far a build is: what it tells whoever waits for it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, get_args

Stage = Literal["read", "chunk", "questions", "embed", "merge", "write"]
STAGES: tuple[Stage, ...] = get_args(Stage)


@dataclass(frozen=True, slots=True)
class Progress:
    """`done` of `total` units of a stage: documents, passages, texts, questions, tables."""

    stage: Stage
    done: int
    total: int


Report = Callable[[Progress], None]
"""Is told how far a build is; it may raise `Cancelled`, and what is embedded by then is kept."""
