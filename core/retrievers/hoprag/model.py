"""Which edge to follow: the one that a language model names (HopRAG, Algorithm 1, lines 7 to 9)."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from core.errors import LlmError
from core.models.oracle import Guess, Oracle, unanswered
from core.models.prompt import Prompt
from core.models.server.window import in_order
from core.retrievers.hoprag.choosing import Choice, cropped, question, read_choice
from core.retrievers.hoprag.similarity import SimilarityPolicy
from core.retrievers.hoprag.traverse import Policy, Verdict
from core.steps import Arrival, Exchange, Offer
from core.types import Passage

LONGEST_REASON = 300  # characters of a model's reason that a step repeats
UNASKED = "The model was not called at this step."

_GUESS = Guess(
    surely=Choice(answers="", reason="", follow=None, verdict="irrelevant"),
    # the most similar edge
    likely=Choice(answers="", reason="", follow=1, verdict="indirectly relevant"),
)
Said = tuple[Choice | None, Exchange]
Ask = Callable[[Prompt, Callable[[str], Choice]], Said]
"""Calls a model and parses its choice; None, with the error in the exchange, if that fails."""


class LlmPolicy(Policy):
    """Choose edges with a language model, for all vertices of a round at once.

    Falls back to the most similar edge if the model fails. The paper shows the model the query and
    the questions on the out-edges of a vertex, to judge them relevant and necessary, indirectly
    relevant or irrelevant. We also show the vertex's passage, and allow the model to choose none.

    Parameters
    ----------
    ask : calls the model; see `asking` for the real one.
    similar : scores the edges, and is the fallback.
    passage : returns the passage of a vertex.
    offered : the maximum number of questions shown, the most similar ones first.
    none : whether the model may choose no edge.
    at_once : the number of parallel calls.
    """

    def __init__(
        self,
        ask: Ask,
        similar: SimilarityPolicy,
        query: str,
        passage: Callable[[str], Passage],
        *,
        offered: int,
        none: bool,
        at_once: int,
    ) -> None:
        self._ask = ask
        self._similar = similar
        self._query = query
        self._passage = passage
        self._offered = offered
        self._none = none
        self._at_once = at_once
        self._verdicts: dict[str, Verdict] = {}
        self._said: dict[str, Said] = {}

    def expect(self, seeds: Sequence[str]) -> None:
        self._similar.expect(seeds)

    def begin(self, queue: Sequence[str]) -> None:
        """Call the model for all vertices of the round at once, except those without edges."""
        self._similar.begin(queue)
        self._verdicts = {vertex: self._edges_at(vertex) for vertex in queue}
        asked = {vertex: one for vertex, one in self._verdicts.items() if one.offers}
        if not asked:
            return
        said = in_order(lambda one: self._ask_at(*one), asked.items(), self._at_once)
        self._said = dict(zip(asked, said, strict=True))

    def judge(self, vertex: str) -> Verdict:
        """Return the model's choice at a vertex; the most similar edge if the model failed."""
        if vertex not in self._verdicts:
            return self._edges_at(vertex)
        similar = self._verdicts[vertex]
        if not similar.offers:
            return similar
        choice, exchange = self._said[vertex]
        if choice is None:
            fallback = f"{exchange.trouble} The most similar edge is followed instead."
            return replace(similar, fallback=fallback, exchange=exchange)
        chosen = (similar.offers[choice.follow - 1],) if choice.follow else ()
        if not exchange.replies:  # a rehearsal: the choice is a guess
            return replace(similar, chosen=chosen, reason=UNASKED, exchange=exchange)
        return replace(
            similar,
            chosen=chosen,
            reason=cropped(choice.reason, LONGEST_REASON),
            judgement=choice.verdict,
            exchange=exchange,
        )

    def arrive(self, vertex: str, offer: Offer) -> Arrival:
        return self._similar.arrive(vertex, offer)

    def enter(self, passage_id: str, tie: str = "") -> Arrival:
        return self._similar.enter(passage_id, tie)

    def offer_at(self, vertex: str, tie: str) -> Offer | None:
        return self._similar.offer_at(vertex, tie)

    def _edges_at(self, vertex: str) -> Verdict:
        """Choose by similarity, among no more edges than the model is shown."""
        similar = self._similar.judge(vertex)
        return replace(similar, offers=similar.offers[: self._offered])

    def _ask_at(self, vertex: str, similar: Verdict) -> Said:
        passage, offers = self._passage(vertex), similar.offers
        asked = question(self._query, passage, offers, similar.considered, none=self._none)
        return self._ask(asked, partial(read_choice, len(offers), none=self._none))


def asking(oracle: Oracle) -> Ask:
    """Return a function that calls `oracle`, and stops calling a model that keeps failing."""

    def ask(prompt: Prompt, read: Callable[[str], Choice]) -> Said:
        """Return the model's choice and the exchange; None as the choice if it failed."""
        try:
            return oracle.ask(prompt, read, _GUESS)
        except LlmError as error:
            return None, unanswered(oracle.llm.model, prompt, str(error))

    return ask
