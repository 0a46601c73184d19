"""Rows of a run with a model's answers: scored, and with the gold that they do not rest on."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.answers import AnswerReply, Reader, Score, score
from core.answers.reader import read_reply
from core.artefacts.workbench import Workbench
from core.evaluate.measures import Outcome
from core.models.oracle import Said
from core.retrievers.base import Card, Retriever
from core.steps import Exchange, Step, result
from core.store.index import Index

WRONG = Score(0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Answered:
    """What a model made of what was found.

    `cited` are ids of passages that it was given and names. `exchange` is None where there was
    nothing to answer from.
    """

    score: Score
    cited: tuple[str, ...]
    exchange: Exchange | None


@dataclass(frozen=True)
class Answering:
    """A retriever from whose result the questions `among` are answered: a thing to be foreseen."""

    inner: Retriever
    workbench: Workbench
    among: frozenset[str]

    @property
    def card(self) -> Card:
        return self.inner.card

    def retrieve(self, query: str) -> Iterator[Step]:
        """The steps of the inner one; its result is answered from at the end."""
        steps = tuple(self.inner.retrieve(query))
        yield from steps
        if query in self.among:
            index = self.workbench.index
            hits = [index.passage(hit.passage_id) for hit in result(steps).hits]
            reader_of(self.workbench).answer(query, hits)


def reader_of(workbench: Workbench) -> Reader:
    """ValueError without a model."""
    if workbench.oracle is None:
        raise ValueError("there is no model to answer")
    return Reader(workbench.oracle, workbench.index.number)


def answers(outcomes: Sequence[Outcome], index: Index, reader: Reader) -> Iterator[Answered | None]:
    """Of each outcome the answer; None where none is known to compare it with.

    As many are asked at once as the model takes, what several share once. A reply that says that
    there is no answer, or that cannot be used, is wrong. Where the retriever answered itself, that
    is the answer, and none is asked for.

    Raises
    ------
    LlmError, BudgetReached : the model is lost, or the budget used up; what came before is told.
    """
    rankings = [[index.passage(name) for name in each.hits] for each in outcomes]
    prompts = [
        reader.prompt(each.question.text, hits)
        if each.question.answers and hits and each.answer is None
        else None
        for each, hits in zip(outcomes, rankings, strict=True)
    ]
    asked = {prompt.user: prompt for prompt in prompts if prompt}
    replies = zip(asked, reader.oracle.attempt_all(list(asked.values()), read_reply), strict=True)
    told: dict[str, Said[AnswerReply]] = {}
    for each, hits, prompt in zip(outcomes, rankings, prompts, strict=True):
        while prompt and prompt.user not in told:
            user, said = next(replies)
            told[user] = said
        if not each.question.answers:
            yield None
        elif prompt is None:
            right = score(each.answer, each.question.answers) if each.answer else WRONG
            yield Answered(right, (), None)
        else:
            reply, exchange = told[prompt.user]
            answer = reader.read(reply, exchange, hits)
            right = score(answer.text, each.question.answers) if answer.text else WRONG
            yield Answered(right, answer.citations, exchange)
