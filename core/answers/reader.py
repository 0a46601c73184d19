"""The reader: a model that answers from the ranked passages and cites those it relies on."""

from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pydantic import BaseModel, model_validator

from core import prompts
from core.answers.context import TOKEN_LIMIT, Context, context
from core.errors import LlmError
from core.models.oracle import Guess, Oracle
from core.models.prompt import Prompt
from core.steps import Exchange
from core.types import Passage

NAME = "answer"
"""What its prompt is called, among the kept replies too."""
FINDINGS = "findings"
"""What is added to its prompt where a retriever has findings."""
CANDIDATES = "candidates"
"""What is added to its prompt where all answers are wanted."""
LONGEST = 800
"""Tokens of a reply: two sentences, some ids and a few words."""


class AnswerReply(BaseModel):
    """What the model is asked to return."""

    reasoning: str
    citations: list[str] = prompts.at_most(40)
    found: bool
    answer: str

    @model_validator(mode="after")
    def _check_consistent(self) -> "AnswerReply":
        """Refuse a reply that contradicts itself about whether an answer was found."""
        if self.found and not self.answer.strip():
            raise ValueError("the reply says an answer was found but contains none")
        if not self.found and self.answer.strip() and any(map(str.strip, self.citations)):
            raise ValueError("the reply says no answer was found but contains one with citations")
        return self


class CandidatesReply(AnswerReply):
    """The same with the other answers that the passages give."""

    others: list[str] = prompts.at_most(5)


_NOTHING = AnswerReply(reasoning="", citations=[], found=False, answer="")
_GUESS = Guess(surely=_NOTHING, likely=_NOTHING)


@dataclass(frozen=True, slots=True)
class Answer:
    """The reader's answer to a question from its passages.

    `text` is empty where the passages do not hold the answer, and where there is a `fallback`,
    which then says why the model gave none. `citations` are ids of passages that it was given, in
    its order. Two kinds of its citations are dropped: `unread` are of passages that it was not
    given, `unknown` name no passage at all.
    """

    text: str
    reasoning: str
    citations: tuple[str, ...]
    unread: tuple[str, ...]
    unknown: tuple[str, ...]
    context: Context
    exchange: Exchange | None
    fallback: str = ""

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes about its citations, a sentence each."""
        unread = f"Ignored citations of passages it did not receive: {', '.join(self.unread)}."
        unknown = f"Ignored citations of unknown passages: {', '.join(self.unknown)}."
        unsupported = "The answer cites none of the passages, so it is unsupported."
        if self.context.findings:
            unsupported = (
                "The answer cites no passage; it relies on the retriever's findings alone."
            )
        return (
            *([unread] if self.unread else ()),
            *([unknown] if self.unknown else ()),
            *([unsupported] if self.text and not self.citations else ()),
        )


@dataclass(frozen=True, slots=True)
class Reader:
    """Answers from the first passages of a ranking.

    Parameters
    ----------
    oracle : the model, with the replies that are kept of it.
    known : the ids of all passages of the index.
    token_limit : how much of the ranking it is given, in tokens (`core.answers.context`).
    """

    oracle: Oracle
    known: Container[str]
    token_limit: int = TOKEN_LIMIT

    def prompt(
        self,
        question: str,
        ranking: Sequence[Passage],
        findings: Sequence[str] = (),
        *,
        others: int = 0,
    ) -> Prompt:
        """Return the prompt that asks the model to answer `question`.

        Parameters
        ----------
        findings : what the retriever worked out beside the passages (`core.steps.Ranked`).
        others : the most other answers that may be given; with any, the reply is a
            `CandidatesReply`.
        """
        given = context(ranking, self.token_limit, findings)
        passages = [{"id": p.id, "title": p.title, "text": p.text} for p in given.passages]
        data: dict[str, Any] = {"question": question, "passages": passages}
        if given.findings:  # else word for word as ever: replies to it are kept
            data["findings"] = list(given.findings)
        reply = CandidatesReply if others else AnswerReply
        asked = prompts.prompt(NAME, reply, longest=LONGEST, **data)
        more = (FINDINGS,) if given.findings else ()
        more = (*more, CANDIDATES) if others else more
        system = "\n\n".join((asked.system, *map(prompts.instructions, more)))
        asked = prompts.with_list_limits(asked, citations=len(passages))
        asked = prompts.with_list_limits(asked, others=others) if others else asked
        return replace(asked, system=system)

    def unasked(
        self,
        question: str,
        ranking: Sequence[Passage],
        findings: Sequence[str] = (),
        *,
        again: bool = False,
    ) -> list[Prompt]:
        """Return the prompts that an answer would have to send: none when it is kept, or one.

        Parameters
        ----------
        findings : as for `prompt`.
        again : whether a kept reply that cannot be used will be asked for anew.
        """
        asked = self.prompt(question, ranking, findings)
        return self.oracle.to_ask([asked], read_reply, again=again)

    def answer(
        self, question: str, ranking: Sequence[Passage], findings: Sequence[str] = ()
    ) -> Answer:
        """Ask the model, or reuse the stored reply; a model without an answer is a `fallback`.

        Parameters
        ----------
        findings : as for `prompt`.

        Raises
        ------
        LeaveMissing : it is not kept, and the oracle has no leave to ask for it.
        StoreError : the reply cannot be kept.
        """
        if not ranking:
            return self.read(
                None, None, ranking, trouble=("There are no passages to base an answer on.")
            )
        prompt = self.prompt(question, ranking, findings)
        try:
            reply, exchange = self.oracle.ask(prompt, read_reply, _GUESS)
        except LlmError as error:
            return self.read(None, None, ranking, findings, str(error))
        return self.read(reply, exchange, ranking, findings)

    def read(
        self,
        reply: AnswerReply | None,
        exchange: Exchange | None,
        ranking: Sequence[Passage],
        findings: Sequence[str] = (),
        trouble: str = "",
    ) -> Answer:
        """Return a reply with its citations checked.

        None is a fallback, for which `trouble` is why.
        """
        given = context(ranking, self.token_limit, findings)
        if reply is None:
            why = trouble or (exchange.trouble if exchange else "")
            return Answer("", "", (), (), (), given, exchange, f"The model gave no answer. {why}")
        held = {passage.id for passage in given.passages}
        cited = [name for name in dict.fromkeys(map(str.strip, reply.citations)) if name]
        return Answer(
            text=reply.answer.strip() if reply.found else "",
            reasoning=reply.reasoning.strip(),
            citations=tuple(name for name in cited if name in held),
            unread=tuple(name for name in cited if name not in held and name in self.known),
            unknown=tuple(name for name in cited if name not in held and name not in self.known),
            context=given,
            exchange=exchange,
        )


def read_reply(text: str) -> AnswerReply:
    """Return the reply in what the model wrote; raises ReplyUnreadable."""
    return prompts.read(text, AnswerReply)


def read_candidates(text: str) -> CandidatesReply:
    """Return the reply with all answers; raises ReplyUnreadable."""
    return prompts.read(text, CandidatesReply)
