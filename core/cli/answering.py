"""Answers on the command line: of one question, and of all that are evaluated."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from core.cli.common import console, note, plain
from core.errors import InputError, LlmError
from core.settings import settings

if TYPE_CHECKING:
    from core.answers import Answer, Evidence, Reader
    from core.artefacts.workbench import Workbench
    from core.evaluate import Answering
    from core.steps import Step
    from core.types import Passage

NO_MODEL = (
    "Answers need a language model, and none is configured. Set HOPRAG_LLM to its name, and "
    "HOPRAG_LLM_URL to its server unless that is OpenAI's."
)
_NOTHING = "\nNo sentence of the retrieved passages has a word of the question."


def need_model() -> None:
    """Raise InputError, which says how to get a model, if there is none."""
    if settings().endpoint is None:
        raise InputError(NO_MODEL)


def need_answer(answer: "Answer | None") -> None:
    """Raise LlmError if the model was given passages and there is no answer of it."""
    if answer and answer.fallback and answer.context.passages:
        raise LlmError(answer.fallback)


def reader_of(workbench: "Workbench") -> "Reader | None":
    """The reader, None without a model."""
    from core.answers import Reader

    oracle = workbench.oracle
    return Reader(oracle, workbench.index.number) if oracle else None


def say_usage(took: "Answering") -> None:
    """Say what the answers of an evaluation took, in a line."""
    tokens = f"{took.tokens_in:,} tokens in, {took.tokens_out:,} out"
    note(
        f"Answered by {took.model}: {took.calls:,} calls, {tokens}; {took.kept:,} were kept. "
        f"{took.unanswered:,} times it found no answer, {took.unreadable:,} replies could not be "
        "used."
    )


def answer_of(
    workbench: "Workbench", question: str, ranking: Sequence["Passage"]
) -> "Answer | None":
    """What the model answers from `ranking`, None without one."""
    reader = reader_of(workbench)
    return reader.answer(question, ranking) if reader else None


def evidence_of(
    workbench: "Workbench", question: str, ranking: Sequence["Passage"], answer: "Answer | None"
) -> "Evidence | None":
    """What stands in for an answer where no model gave one."""
    from core.answers import evidence
    from core.artefacts.lexicon import LEXICON

    if answer and not answer.fallback:
        return None
    return evidence(workbench.get(LEXICON).weights(question), ranking)


def print_answer(answer: "Answer | None", evidence: "Evidence | None") -> None:
    """As people read it, with the passages that it rests on."""
    if answer and not answer.fallback:
        _print_read(answer)
    if evidence is not None:
        console().print("\nEvidence, not an answer:" if evidence.sentences else _NOTHING)
        for one in evidence.sentences:
            console().print(f"  {one.rank}. {plain(one.text)}  [{plain(one.passage_id)}]")


def print_own_answer(retriever: str, steps: "Sequence[Step]") -> None:
    """Print the answer that a retriever gave itself, if it gave one."""
    from core.playback.ending import own_answer_step

    said = own_answer_step(steps)
    if said is None:
        return
    cited = "".join(f" [{plain(name)}]" for name in said.rests_on)
    console().print(f"\nAnswer by {plain(retriever)} itself: {plain(said.text)}{cited}")
    if said.told.reason:
        console().print(plain(said.told.reason))


def answer_json(answer: "Answer | None", evidence: "Evidence | None") -> dict[str, Any]:
    """The same as JSON: `answer` and `evidence`, null where there is none."""
    return {
        "answer": answer
        and {
            "text": answer.text,
            "reasoning": answer.reasoning,
            "citations": list(answer.citations),
            "dropped_citations": [*answer.unread, *answer.unknown],
            "passages": [passage.id for passage in answer.context.passages],
            "fallback": answer.fallback,
        },
        "evidence": evidence
        and [
            {"id": one.passage_id, "rank": one.rank, "text": one.text, "words": list(one.new)}
            for one in evidence.sentences
        ],
    }


def _print_read(answer: "Answer") -> None:
    out = console()
    text = plain(answer.text) or "The passages do not hold the answer."
    cited = "".join(f" [{plain(name)}]" for name in answer.citations)
    out.print(f"\nAnswer: {text}{cited}")
    out.print(plain(answer.reasoning))
    for line in answer.notes:
        note(line)
    out.print(answer.context.told)
