"""Answer a sub-question from the passages retrieved for it, by the model or by rules."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.answers import AnswerReply, Reader, span
from core.answers.reader import CandidatesReply, read_candidates, read_reply
from core.artefacts.lexical.keywords import KEYWORDS
from core.artefacts.workbench import Workbench
from core.models.oracle import Guess
from core.retrievers.model_replies import reply_or_none, speaker
from core.steps import Said, Told
from core.types import Hit, Passage

GUESS = Guess(
    surely=AnswerReply(reasoning="", citations=[], found=False, answer=""),
    likely=None,
)
UNANSWERED = "The retrieved passages do not answer it."
_LETTERS = 300


@dataclass(frozen=True, slots=True)
class SubAnswer:
    """The answer of a sub-question, empty if there is none, with its support.

    `evidence` is a sentence or two: the model's reasoning, or the sentence that the answer is in.
    `others` are other answers that the passages give.
    """

    text: str
    evidence: str
    rests_on: tuple[str, ...]
    told: Told
    others: tuple[str, ...] = ()


def answer_question(
    bench: Workbench,
    query: str,
    id_: str,
    hits: Sequence[Hit],
    substitute: str,
    findings: Sequence[str] = (),
    others: int = 0,
) -> tuple[SubAnswer, Said]:
    """Answer `query` from the passages of `hits`; return the answer and the step that states it.

    The answer is "" if none was found. The step names the passages that support it.

    Parameters
    ----------
    id_ : the id of the question in the trace.
    substitute : the sentence for the trace if rules replace the model.
    findings : other results of the search, which the model reads as well.
    others : the maximum number of alternative answers.
    """
    passages = [bench.index.passage(hit.passage_id) for hit in hits]
    answer = _answer(bench, query, passages, substitute, findings, others)
    by = speaker("reader", answer.told)
    closes = (id_,) if answer.text else ()
    said = Said(by, id_, answer.text or UNANSWERED, closes, answer.rests_on, told=answer.told)
    return answer, said


def _answer(
    bench: Workbench,
    query: str,
    passages: Sequence[Passage],
    substitute: str,
    findings: Sequence[str],
    others: int,
) -> SubAnswer:
    """Answer from `passages` by the model, or by the best-matching span if there is no reply."""
    reply, told = None, Told(reason=substitute)
    if bench.oracle and passages:
        reader, read = Reader(bench.oracle, bench.index.number), read_reply
        if others:
            read = read_candidates
        prompt = reader.prompt(query, passages, findings, others=others)
        reply, told = reply_or_none(bench.oracle, prompt, read, GUESS, substitute)
    if reply is not None:
        given = {passage.id for passage in passages}
        cited = tuple(name for name in dict.fromkeys(reply.citations) if name in given)
        text = one_line(reply.answer) if reply.found else ""
        more = _others(reply, text)[:others]
        if more:
            told = replace(told, reason=f"Other answers in the passages: {'; '.join(more)}.")
        return SubAnswer(text, one_line(reply.reasoning), cited, told, more)
    found = span(query, passages, bench.get(KEYWORDS))
    if found is None:
        return SubAnswer("", "", (), told)
    return SubAnswer(one_line(found.text), one_line(found.sentence), (found.passage_id,), told)


def _others(reply: AnswerReply, text: str) -> tuple[str, ...]:
    """Return the other answers of a reply that answers with `text`, without duplicates."""
    if not text or not isinstance(reply, CandidatesReply):
        return ()
    by_casefold = {one.casefold(): one for one in map(one_line, reply.others) if one}
    by_casefold.pop(text.casefold(), None)
    return tuple(by_casefold.values())


def one_line(text: str) -> str:
    """Return `text` in one line, for use inside a question."""
    return " ".join(text.split())[:_LETTERS]


def replacement_text(question: str, answer: str) -> str:
    """Return the text that replaces a reference to a sub-question: its answer, or itself."""
    return answer or question.rstrip(" ?.")
