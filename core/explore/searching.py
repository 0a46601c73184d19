"""Passages that have the words which are searched for, in any order and some of them missing."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.artefacts.workbench import Workbench
from core.retrievers.baselines.bm25 import Bm25
from core.steps import Ranked
from core.store.schema import passage_text
from core.text.stop_words import STOP_WORDS
from core.text.tokens import words
from core.types import Passage

LOOKED_AT = 100
"""The best by BM25, of which those with most of the words come first."""


@dataclass(frozen=True, slots=True)
class WordMatch:
    """A passage and how many of the words it has."""

    passage: Passage
    words: int


@dataclass(frozen=True, slots=True)
class Found:
    """The normalised words that were looked for, and who has some: most of them first, then by
    BM25. Where some have all, only those."""

    wanted: tuple[str, ...]
    held: tuple[WordMatch, ...]

    @property
    def whole(self) -> bool:
        """Whether every passage found contains all words."""
        return bool(self.held) and self.held[0].words == len(self.wanted)


def by_words(workbench: Workbench, text: str, limit: int) -> Found:
    """At most `limit` passages with words of `text`, function words aside."""
    wanted = tuple(word for word in dict.fromkeys(words(text)) if word not in STOP_WORDS)
    if not wanted:
        return Found((), ())
    counted = [
        WordMatch(passage, len(set(words(passage_text(passage.title, passage.text))) & set(wanted)))
        for passage in _ranked(workbench, wanted)
    ]
    counted.sort(key=lambda each: -each.words)
    most = counted[0].words if counted else 0
    least = most if most == len(wanted) else 1
    return Found(wanted, tuple(each for each in counted if each.words >= least)[:limit])


def _ranked(workbench: Workbench, wanted: Sequence[str]) -> list[Passage]:
    steps = Bm25(workbench, top_k=LOOKED_AT).retrieve(" ".join(wanted))
    hits = [hit for step in steps if isinstance(step, Ranked) for hit in step.hits]
    return [workbench.index.titled(hit.passage_id) for hit in hits]
