"""Rows of a run with a model's answers: scored, and with the gold that they do not rest on."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from core.answers import AnswerReply, Reader, Score, accuracy, score
from core.answers.judging import Verdict, judge_prompt, known_verdict, read_verdict
from core.answers.reader import read_reply
from core.artefacts.workbench import Workbench
from core.errors import HopRagError
from core.evaluation.measures import Answering, Judging, Outcome
from core.marks import gold_of
from core.models.oracle import Guess, Oracle, Said
from core.models.prompt import Prompt
from core.playback.returned_texts import by_text
from core.retrievers.base import Card, Retriever
from core.runs.run import Run
from core.steps import Exchange, Step, result
from core.store.index import Index
from core.types import Passage

WRONG = Score(0.0, 0.0)
_UNJUDGED: Guess[Verdict] = Guess(surely=None, likely=None)


@dataclass(frozen=True, slots=True)
class Answered:
    """The model's answer from the retrieved passages.

    `cited` are ids of passages that it was given and names. `exchange` is None where there was
    nothing to answer from. `text` is the answer; `accuracy` is 1 if it contains a reference answer.
    `judge` is 1 if a model took it for right, 0 if not, and None if none judged it; `judged` is the
    call for it.
    """

    score: Score
    cited: tuple[str, ...]
    exchange: Exchange | None
    text: str = ""
    accuracy: float = 0.0
    judge: float | None = None
    judged: Exchange | None = None


@dataclass(frozen=True)
class AnsweringRetriever:
    """A retriever whose result a model answers the questions `among` from, for a forecast.

    With `judge`, the model judges each answer, too.
    """

    inner: Retriever
    workbench: Workbench
    among: frozenset[str]
    judge: bool = False

    @property
    def card(self) -> Card:
        return self.inner.card

    def retrieve(self, query: str) -> Iterator[Step]:
        """Yield the steps of the inner retriever, then answer from its result."""
        steps = tuple(self.inner.retrieve(query))
        yield from steps
        if query in self.among:
            index = self.workbench.index
            hits = by_text(steps, gold_of(index, query)).passages(index)
            reader_of(self.workbench).answer(query, hits, result(steps).findings)
            if self.judge:  # which answer it is, nobody knows: the retriever stands for it
                prompt = judge_prompt(query, self.card.key, [query])
                judge_of(self.workbench).ask(prompt, read_verdict, _UNJUDGED)


def reader_of(workbench: Workbench) -> Reader:
    """Return the reader; ValueError without a model."""
    if workbench.oracle is None:
        raise ValueError("no model is configured to answer")
    return Reader(workbench.oracle.reading, workbench.index.number)


def reader_setting(oracle: Oracle | None, *, answers: bool) -> dict[str, str]:
    """Return the setting of a run that names its reader, where that is a model of its own."""
    reader = oracle.reader if oracle and answers else None
    return {"reader": reader.llm.model} if reader else {}


def is_answered_by(run: Run, oracle: Oracle) -> bool:
    """Check whether `oracle` is the model that `run` uses for retrieval and reading."""
    reader = run.settings.get("reader") or run.settings.get("model")
    return (run.settings.get("model"), reader) == (oracle.llm.model, oracle.reading.llm.model)


def judge_of(workbench: Workbench) -> Oracle:
    """Return the model that judges answers; ValueError without a model."""
    if workbench.oracle is None:
        raise ValueError("no model is configured to judge")
    return workbench.oracle


def answers_of(run: Run, workbench: Workbench) -> "Answers | None":
    """Return the reader and judge of `run`, or None without answers or without a model."""
    if not run.settings.get("answers") or workbench.oracle is None:
        return None
    judge = judge_of(workbench) if run.settings.get("judge") else None
    return Answers(reader_of(workbench), workbench.index, judge)


class Answers:
    """Answers that a model reads from retrieved passages; identical prompts are sent once.

    Parameters
    ----------
    reader : answers a question from passages.
    index : the index whose passages were found.
    judge : the model that judges each answer; None for no judge.
    """

    def __init__(self, reader: Reader, index: Index, judge: Oracle | None = None) -> None:
        self._reader, self._index, self._judge = reader, index, judge
        self._verdicts: dict[str, Said[Verdict]] = {}
        self._replies: dict[str, Said[AnswerReply]] = {}
        self._questions: dict[str, str] = {}

    @property
    def judges(self) -> bool:
        """Whether a model judges the answers."""
        return self._judge is not None

    @property
    def oracles(self) -> tuple[Oracle | None, ...]:
        """The models that read and judge."""
        return (self._reader.oracle, self._judge)

    def answers_of(
        self, outcomes: Sequence[Outcome], rankings: Sequence[Sequence[Passage]] | None = None
    ) -> Iterator[Answered | None]:
        """Yield the answer to each outcome; None if there is no reference answer.

        Prompts are sent in parallel, as many as the server allows. A reply that there is no answer
        is right if the question has none; an unusable reply is wrong. If the retriever itself
        answered, no model is asked.

        Parameters
        ----------
        rankings : the passages for the model, if not those of the index at the hits.

        Raises
        ------
        LlmError, BudgetReached : the model fails, or the budget is used up; earlier answers have
            been
            yielded.
        """
        if rankings is None:
            rankings = [each.passages(self._index) for each in outcomes]
        if self._judge is None:
            yield from self._read_answers(outcomes, rankings)
            return
        answers: list[Answered | None] = []
        lost: HopRagError | None = None
        try:
            answers.extend(self._read_answers(outcomes, rankings))
        except HopRagError as error:
            lost = error
        yield from self._judged(self._judge, outcomes, answers)
        if lost:
            raise lost

    def _judged(
        self, judge: Oracle, outcomes: Sequence[Outcome], found: Sequence[Answered | None]
    ) -> Iterator[Answered | None]:
        """Yield the answers with the verdict on each; identical prompts are sent once."""
        prompts: list[Prompt | None] = []
        for outcome, one in zip(outcomes, found, strict=False):
            query = outcome.question
            open_ = one is not None and known_verdict(one.text, query.answers) is None
            asked = judge_prompt(query.text, one.text, query.answers) if one and open_ else None
            prompts.append(asked)
        new = {each.user: each for each in prompts if each and each.user not in self._verdicts}
        replies = judge.attempt_all(list(new.values()), read_verdict)
        arriving = zip(new, replies, strict=True)
        for one, prompt in zip(found, prompts, strict=True):
            while prompt and prompt.user not in self._verdicts:
                user, said = next(arriving)
                self._verdicts[user] = said
            if one is None:
                yield None
            elif prompt is None:
                yield replace(one, judge=one.score.em)
            else:
                verdict, exchange = self._verdicts[prompt.user]
                correct = None if verdict is None else float(verdict.correct)
                yield replace(one, judge=correct, judged=exchange)

    def _read_answers(
        self, outcomes: Sequence[Outcome], rankings: Sequence[Sequence[Passage]]
    ) -> Iterator[Answered | None]:
        """Send the prompts of outcomes that are not answered yet, and yield the answer to each."""
        prompts = [self._prompt(*each) for each in zip(outcomes, rankings, strict=True)]
        new = {p.user: p for p in prompts if p and p.user not in self._replies}
        replies = self._reader.oracle.attempt_all(list(new.values()), read_reply)
        arriving = zip(new, replies, strict=True)
        for outcome, hits, prompt in zip(outcomes, rankings, prompts, strict=True):
            while prompt and prompt.user not in self._replies:
                user, reply = next(arriving)
                self._replies[user] = reply
            yield self._answered(outcome, hits, prompt)

    def _prompt(self, outcome: Outcome, hits: Sequence[Passage]) -> Prompt | None:
        """Return the prompt for an answer; None without a known answer or passages, or if the
        retriever answered.
        """
        if not outcome.question.is_answer_known or not hits or outcome.answer is not None:
            return None
        return self._reader.prompt(outcome.question.text, hits, outcome.findings)

    def _answered(
        self, outcome: Outcome, hits: Sequence[Passage], prompt: Prompt | None
    ) -> Answered | None:
        """Return the scored answer to a row, or None if no reference answer is known."""
        right = outcome.question.answers
        if not outcome.question.is_answer_known:
            return None
        if prompt is None:
            own = outcome.answer or ""
            return Answered(score(own, right), (), None, own, accuracy(own, right))
        reply, exchange = self._replies[prompt.user]
        if prompt.user in self._questions:  # another retriever's row has paid for it
            exchange = replace(exchange, cached=True)
        self._questions.setdefault(prompt.user, outcome.question.text)
        answer = self._reader.read(reply, exchange, hits, outcome.findings)
        if reply is None:
            return Answered(WRONG, answer.citations, exchange)
        contained = accuracy(answer.text, right)
        scored = score(answer.text, right)
        return Answered(scored, answer.citations, exchange, answer.text, contained)

    @property
    def usage(self) -> Answering:
        """The cost of the answers so far."""
        calls = [(self._questions.get(user, ""), *said) for user, said in self._replies.items()]
        made = [exchange for _, _, exchange in calls if not exchange.cached]
        troubles = {question: each.trouble for question, reply, each in calls if not reply}
        return Answering(
            model=self._reader.oracle.llm.model,
            calls=sum(len(exchange.replies) for exchange in made),
            kept=len(calls) - len(made),
            tokens_in=sum(exchange.tokens_in for exchange in made),
            tokens_out=sum(exchange.tokens_out for exchange in made),
            unanswered=sum(reply is not None and not reply.found for _, reply, _ in calls),
            unreadable=sum(reply is None for _, reply, _ in calls),
            troubles=tuple(troubles.items()),
            judging=self._judging(),
        )

    def _judging(self) -> Judging | None:
        """Return the cost of the verdicts so far, or None without a judge."""
        if self._judge is None:
            return None
        made = [said for _, said in self._verdicts.values() if not said.cached]
        return Judging(
            model=self._judge.llm.model,
            calls=sum(len(exchange.replies) for exchange in made),
            kept=len(self._verdicts) - len(made),
            tokens_in=sum(exchange.tokens_in for exchange in made),
            tokens_out=sum(exchange.tokens_out for exchange in made),
            unreadable=sum(verdict is None for verdict, _ in self._verdicts.values()),
        )
