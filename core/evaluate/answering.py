"""Answering every question from what every retriever found, and scoring the answers."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from core.answers import AnswerReply, Reader, Score, score
from core.answers.reader import read_reply
from core.errors import BudgetReached, InputError, LlmError
from core.evaluate.measures import Answering, Evaluation, Outcome
from core.evaluate.running import Counted
from core.models.prompt import Prompt
from core.steps import Exchange
from core.store.index import Index
from core.types import Query

Found = tuple[AnswerReply | None, Exchange]


def check_answers(questions: Sequence[Query]) -> None:
    """Raise InputError if no question has a known answer to compare with."""
    if not any(question.answers for question in questions):
        raise InputError(
            "No question has an 'answer' to compare with. Write one on each line: "
            '{"question": ..., "answer": ...}'
        )


def with_answers(
    report: Evaluation, index: Index, reader: Reader, progress: Counted | None = None
) -> Evaluation:
    """`report` with the EM and F1 of each row whose question has a known answer.

    The prompts are asked as many at once as the model takes; one that several retrievers share is
    asked once. A reply that says that there is no answer, or that cannot be used, is wrong. A model
    that is lost, or a budget that is used up, ends it: the rows that were not answered then have no
    score, and `stopped` says why.

    Raises
    ------
    InputError : no question has a known answer.
    LeaveMissing : not all is kept, and the reader's oracle has no leave to ask.
    """
    check_answers([row.question for row in report.rows])
    prompts = [_prompt(row, index, reader) for row in report.rows]
    asked = _each_once(prompts)
    found: dict[str, Found] = {}
    replies = reader.oracle.attempt_all(list(asked.values()), read_reply)
    stopped = report.stopped
    try:
        for text, reply in zip(asked, replies, strict=True):
            found[text] = reply
            if progress:
                progress(len(found), len(asked))
    except (LlmError, BudgetReached) as error:
        stopped = error
    rows = tuple(
        _scored(row, prompt.user if prompt else None, found)
        for row, prompt in zip(report.rows, prompts, strict=True)
    )
    asked_by = {p.user: row.question.text for row, p in zip(report.rows, prompts, strict=True) if p}
    took = _took(
        reader.oracle.llm.model, {text: (asked_by[text], said) for text, said in found.items()}
    )
    return replace(report, rows=rows, answering=took, stopped=stopped)


def unasked(
    report: Evaluation, index: Index, reader: Reader, *, again: bool = False
) -> list[Prompt]:
    """The prompts that `with_answers` would have to send, the kept ones left out.

    Parameters
    ----------
    again : whether a kept reply that cannot be used will be asked for anew.
    """
    asked = _each_once(_prompt(row, index, reader) for row in report.rows)
    return reader.oracle.to_ask(asked.values(), read_reply, again=again)


def _each_once(prompts: Iterable[Prompt | None]) -> dict[str, Prompt]:
    """The prompts by the data that they carry, in which alone they differ."""
    return {prompt.user: prompt for prompt in prompts if prompt}


def _prompt(row: Outcome, index: Index, reader: Reader) -> Prompt | None:
    """None where there is nothing to compare with, nothing to answer from, or an answer already."""
    if not row.question.answers or not row.hits or row.answer is not None:
        return None
    return reader.prompt(row.question.text, [index.passage(name) for name in row.hits])


def _scored(row: Outcome, asked: str | None, found: Mapping[str, Found]) -> Outcome:
    """`row` with the score of its answer; without, if it was `asked` for and never came."""
    if not row.question.answers or (asked is not None and asked not in found):
        return row
    reply = found[asked][0] if asked is not None else None
    answer = reply.answer if reply and reply.found else row.answer or ""
    return replace(row, score=score(answer, row.question.answers) if answer else Score(0.0, 0.0))


def _took(model: str, found: Mapping[str, tuple[str, Found]]) -> Answering:
    """What the replies took; `found` has question and reply by prompt."""
    said = [reply for _, reply in found.values()]
    made = [exchange for _, exchange in said if not exchange.cached]
    troubles = {question: each.trouble for question, (reply, each) in found.values() if not reply}
    return Answering(
        model=model,
        calls=sum(len(exchange.replies) for exchange in made),
        kept=len(said) - len(made),
        tokens_in=sum(exchange.tokens_in for exchange in made),
        tokens_out=sum(exchange.tokens_out for exchange in made),
        unanswered=sum(reply is not None and not reply.found for reply, _ in said),
        unreadable=sum(reply is None for reply, _ in said),
        troubles=tuple(troubles.items()),
    )
