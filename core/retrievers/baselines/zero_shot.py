"""Zero-shot: the model answers from its own knowledge, without retrieval."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated

from pydantic import BaseModel, ConfigDict

from core import prompts
from core.artefacts.workbench import Workbench
from core.models.oracle import Guess
from core.retrievers.base import KEPT, TOP_K, Card
from core.retrievers.first_step import first_step
from core.retrievers.model_replies import reply_or_none, speaker
from core.steps import ROOT, Cost, Ranked, Said, Step, Told

LONGEST = 300
"""Tokens of a reply: two sentences and a few words."""


class Known(BaseModel):
    """What a model says: how it comes to the answer, and the answer; empty if it knows none."""

    model_config = ConfigDict(json_schema_extra={"additionalProperties": False})

    reasoning: str
    answer: str


GUESS = Guess(surely=Known(reasoning="", answer=""), likely=None)


@dataclass(frozen=True, slots=True)
class ZeroShot:
    """The model's answer without passages: a baseline for every retriever.

    It ranks nothing, so that it has no recall. Its answer closes the question, and an evaluation
    with answers scores that instead of one read from passages.
    """

    workbench: Workbench
    top_k: Annotated[int, TOP_K] = KEPT

    card = Card(
        key="zero-shot",
        title="Zero-shot",
        badge="ZS",
        family="agent",
        place=9,
        summary="Asks a model to answer from its own knowledge, without retrieval.",
        paper="Brown et al. 2020, arXiv 2005.14165",
        asks_model=True,
        substitute="Without a model, there is no answer.",
        retrieves=False,
    )

    def retrieve(self, query: str) -> Iterator[Step]:
        """Yield the model's answer, and an empty ranking."""
        yield first_step(self, query)
        started = time.perf_counter()
        prompt = prompts.prompt("closed_book", Known, longest=LONGEST, question=query)
        known, told = reply_or_none(
            self.workbench.oracle, prompt, read_known, GUESS, self.card.substitute
        )
        answer = known.answer if known else ""
        by = speaker("model", told)
        closes = (ROOT,) if answer else ()
        text = answer or "No answer."
        if known and known.reasoning:
            told = replace(told, reason=known.reasoning)
        yield Said(by, ROOT, text, closes, ends="this retriever does not search", told=told)
        yield Ranked((), told=Told(Cost(time.perf_counter() - started)))


def read_known(text: str) -> Known:
    """Parse the answer in a reply into one line.

    Raises
    ------
    ReplyUnreadable : it holds none.
    """
    reply = prompts.read(text, Known)
    return Known(reasoning=reply.reasoning.strip(), answer=" ".join(reply.answer.split()))
