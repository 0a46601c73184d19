"""Answering every question from what every retriever found, and scoring the answers."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from core.answers import AnswerReply, Reader, Score, score
from core.answers.reader import read_reply
from core.errors import InputError
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
    asked once. A reply that says that there is no answer, or that cannot be read, is wrong.

    Raises
    ------
    InputError : no question has a known answer.
    LeaveMissing : not all is kept, and the reader's oracle has no leave to ask.
    LlmError : the model cannot be asked; what it answered before is kept.
    """
    check_answers([row.question for row in report.rows])
    prompts = [_prompt(row, index, reader) for row in report.rows]
    asked = _each_once(prompts)
    found: dict[str, Found] = {}
    replies = reader.oracle.ask_all(list(asked.values()), read_reply)
    for text, reply in zip(asked, replies, strict=True):
        found[text] = reply
        if progress:
            progress(len(found), len(asked))
    rows = (
        _scored(row, found[prompt.user][0] if prompt else None)
        for row, prompt in zip(report.rows, prompts, strict=True)
    )
    took = _took(reader.oracle.llm.model, list(found.values()))
    return replace(report, rows=tuple(rows), answering=took)


def unasked(report: Evaluation, index: Index, reader: Reader) -> list[Prompt]:
    """The prompts that `with_answers` would have to send, the kept ones left out."""
    asked = _each_once(_prompt(row, index, reader) for row in report.rows)
    return [one for one in asked.values() if not reader.oracle.recall(one, read_reply)]


def _each_once(prompts: Iterable[Prompt | None]) -> dict[str, Prompt]:
    """The prompts by the data that they carry, in which alone they differ."""
    return {prompt.user: prompt for prompt in prompts if prompt}


def _prompt(row: Outcome, index: Index, reader: Reader) -> Prompt | None:
    """None where there is nothing to compare with, or nothing to answer from."""
    if not row.question.answers or not row.hits:
        return None
    return reader.prompt(row.question.text, [index.passage(name) for name in row.hits])


def _scored(row: Outcome, reply: AnswerReply | None) -> Outcome:
    if not row.question.answers:
        return row
    answer = reply.answer if reply and reply.found else ""
    return replace(row, score=score(answer, row.question.answers) if answer else Score(0.0, 0.0))


def _took(model: str, found: Sequence[Found]) -> Answering:
    made = [exchange for _, exchange in found if not exchange.cached]
    return Answering(
        model=model,
        calls=sum(len(exchange.replies) for exchange in made),
        kept=len(found) - len(made),
        tokens_in=sum(exchange.tokens_in for exchange in made),
        tokens_out=sum(exchange.tokens_out for exchange in made),
        unanswered=sum(reply is not None and not reply.found for reply, _ in found),
        unreadable=sum(reply is None for reply, _ in found),
    )
