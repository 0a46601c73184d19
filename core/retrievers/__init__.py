"""Every retriever behind one interface, in the order in which they are shown."""

from collections.abc import Iterable

from core.artefacts.workbench import Workbench
from core.errors import InputError
from core.retrievers.base import Card, Retriever
from core.retrievers.bm25 import Bm25
from core.retrievers.dense import Dense
from core.retrievers.hoprag.llm import HopRagLlm
from core.retrievers.hoprag.walks import HopRagCoverage, HopRagSimilarity
from core.retrievers.hybrid import Hybrid
from core.retrievers.hybrid_rrf import HybridRrf

__all__ = ["ALL", "CARDS", "MODEL_FREE", "Card", "Retriever", "check_keys", "make"]

ALL = (Bm25, Dense, Hybrid, HybridRrf, HopRagSimilarity, HopRagCoverage, HopRagLlm)
CARDS: dict[str, Card] = {made.card.key: made.card for made in ALL}
MODEL_FREE = tuple(key for key, card in CARDS.items() if not card.asks_model)
"""Keys of those that need no language model and cost nothing."""


def make(key: str, workbench: Workbench, **settings: object) -> Retriever:
    """The retriever called `key`; `settings` are fields of its dataclass, such as `top_k`.

    Raises
    ------
    InputError : there is no retriever of that name, or it needs a model and there is none.
    """
    check_keys([key])
    made = next(made for made in ALL if made.card.key == key)
    return made(workbench, **settings)  # type: ignore[arg-type]


def check_keys(keys: Iterable[str]) -> None:
    """Raise InputError if there is no retriever of one of these names."""
    for key in keys:
        if key not in CARDS:
            raise InputError(f"There is no retriever {key!r}; choose among {', '.join(CARDS)}.")
