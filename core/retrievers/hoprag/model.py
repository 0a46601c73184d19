"""Which edge to follow: the one that a language model names (HopRAG, Algorithm 1, lines 7 to 9)."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import Literal

from pydantic import BaseModel, ConfigDict, StrictInt

from core import prompts
from core.errors import LlmError, ReplyUnreadable
from core.models.oracle import Guess, Oracle
from core.models.prompt import Prompt
from core.retrievers.hoprag.similarity import SimilarityPolicy
from core.retrievers.hoprag.traverse import Policy, Verdict
from core.steps import Arrival, Exchange, Offer

GIVE_UP = 3  # calls in a row that fail
LONGEST_REASON = 300  # characters of a model's reason that a step repeats


class Choice(BaseModel):
    """What a model says at one vertex: the number of the question to follow, from 1, or none."""

    model_config = ConfigDict(json_schema_extra={"additionalProperties": False})

    reason: str
    verdict: Literal["relevant and necessary", "indirectly relevant", "irrelevant"]
    follow: StrictInt | None


_GUESS = Guess(
    surely=Choice(reason="", verdict="irrelevant", follow=None),
    likely=Choice(reason="", verdict="indirectly relevant", follow=1),  # the most similar edge
)
Said = tuple[Choice | None, Exchange]
Ask = Callable[[Prompt, int], Said]
"""Has a model choose among so many questions; None with the trouble if it cannot."""


class LlmPolicy(Policy):
    """Asks about all vertices of a round at the same time; falls back to the most similar edge.

    The paper shows the model the query and the questions on the out edges of a vertex, which it
    judges as relevant and necessary, indirectly relevant or irrelevant. It may also name none,
    which is ours.

    Parameters
    ----------
    ask : see `asking` for the one that has a real model.
    similar : scores the edges, and is what is fallen back to.
    offered : questions shown at a vertex at most, the most similar ones first.
    at_once : vertices that are asked about at the same time.
    """

    def __init__(
        self, ask: Ask, similar: SimilarityPolicy, query: str, *, offered: int, at_once: int
    ) -> None:
        self._ask = ask
        self._similar = similar
        self._query = query
        self._offered = offered
        self._at_once = at_once
        self._verdicts: dict[str, Verdict] = {}
        self._said: dict[str, Said] = {}

    def begin(self, queue: Sequence[str]) -> None:
        self._verdicts = {vertex: self._edges_at(vertex) for vertex in queue}
        asked = {vertex: one for vertex, one in self._verdicts.items() if one.offers}
        if not asked:
            return
        with ThreadPoolExecutor(min(self._at_once, len(asked))) as pool:
            said = pool.map(self._ask_at, asked, asked.values())
            self._said = dict(zip(asked, said, strict=True))

    def judge(self, vertex: str) -> Verdict:
        similar = self._verdicts[vertex]
        if not similar.offers:
            return similar
        choice, exchange = self._said[vertex]
        if choice is None:
            fallback = f"{exchange.trouble} So the most similar edge is taken."
            return replace(similar, fallback=fallback, exchange=exchange)
        return replace(
            similar,
            chosen=(similar.offers[choice.follow - 1],) if choice.follow else (),
            reason=_cropped(choice.reason),
            judgement=choice.verdict,
            exchange=exchange,
        )

    def arrive(self, vertex: str, offer: Offer) -> Arrival:
        return self._similar.arrive(vertex, offer)

    def _edges_at(self, vertex: str) -> Verdict:
        """The choice by similarity, with no more edges on offer than the model is shown."""
        similar = self._similar.judge(vertex)
        return replace(similar, offers=similar.offers[: self._offered])

    def _ask_at(self, vertex: str, similar: Verdict) -> Said:
        asked = question(self._query, vertex, similar.offers, similar.considered)
        return self._ask(asked, len(similar.offers))


def question(query: str, vertex: str, offers: Sequence[Offer], considered: int) -> Prompt:
    """What the model is asked at `vertex`, which has `considered` edges.

    The same words are the same judgement, so the place belongs to them; how many passages are
    kept and how far the walk goes do not.
    """
    return prompts.prompt(
        "choose",
        Choice,
        query=query,
        passage=vertex,
        questions=[{"number": i, "question": o.label} for i, o in enumerate(offers, start=1)],
        left_out=considered - len(offers),
    )


def read_choice(listed: int, text: str) -> Choice:
    """The choice in a reply, among questions numbered from 1 to `listed`.

    Raises
    ------
    ReplyUnreadable : it holds none, or names a number that is not listed.
    """
    choice = prompts.read(text, Choice)
    if choice.follow and not 1 <= choice.follow <= listed:
        raise ReplyUnreadable(
            f"The reply names question {_cropped(str(choice.follow), 20)} of {listed}."
        )
    return choice


def asking(oracle: Oracle) -> Ask:
    """Asks `oracle`, for one question of a user.

    When it could not be asked `GIVE_UP` times in a row, only what it said before is used, so that
    nobody waits in every round for a server that is down.
    """
    troubles: list[str] = []

    def ask(prompt: Prompt, listed: int) -> Said:
        read = partial(read_choice, listed)
        if len(troubles) >= GIVE_UP:
            return oracle.recall(prompt, read) or _unanswered(oracle, prompt, troubles[-1])
        try:
            said = oracle.ask(prompt, read, _GUESS)
        except LlmError as error:
            troubles.append(str(error))
            return _unanswered(oracle, prompt, str(error))
        troubles.clear()
        return said

    return ask


def _unanswered(oracle: Oracle, prompt: Prompt, trouble: str) -> Said:
    return None, Exchange(oracle.llm.model, prompt.system, prompt.user, trouble=trouble)


def _cropped(text: str, length: int = LONGEST_REASON) -> str:
    return text if len(text) <= length else f"{text[: length - 1]}…"
