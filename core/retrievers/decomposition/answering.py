"""The answer of a sub-question from what was found for it, by the model or by rules."""

from collections.abc import Sequence

from core.answers import AnswerReply, Reader, span
from core.answers.reader import read_reply
from core.artefacts.words import KEYWORDS
from core.artefacts.workbench import Workbench
from core.models.oracle import Guess
from core.retrievers.asking import reply_or_none, speaker
from core.steps import Said, Told
from core.types import Hit, Passage

GUESS = Guess(
    surely=AnswerReply(reasoning="", citations=[], found=False, answer=""),
    likely=None,
)
UNANSWERED = "The retrieved passages do not answer it."
_LETTERS = 300


def answered(
    bench: Workbench, query: str, id_: str, hits: Sequence[Hit], substitute: str
) -> tuple[str, Said]:
    """What `query`, whose id is `id_`, is answered by the passages of `hits`; empty if nothing is.

    The step says it, and names the passages that it rests on.
    """
    passages = [bench.index.passage(hit.passage_id) for hit in hits]
    answer, rests, told = _answer(bench, query, passages, substitute)
    by = speaker("reader", told)
    closes = (id_,) if answer else ()
    return answer, Said(by, id_, answer or UNANSWERED, closes, rests, told=told)


def _answer(
    bench: Workbench, query: str, passages: Sequence[Passage], substitute: str
) -> tuple[str, tuple[str, ...], Told]:
    reply, told = None, Told(reason=substitute)
    if bench.oracle and passages:
        prompt = Reader(bench.oracle, bench.index.number).prompt(query, passages)
        reply, told = reply_or_none(bench.oracle, prompt, read_reply, GUESS, substitute)
    if reply is not None:
        given = {passage.id for passage in passages}
        cited = tuple(name for name in dict.fromkeys(reply.citations) if name in given)
        return one_line(reply.answer) if reply.found else "", cited, told
    found = span(query, passages, bench.get(KEYWORDS))
    return (one_line(found.text), (found.passage_id,), told) if found else ("", (), told)


def one_line(text: str) -> str:
    """`text` as it may stand within a question."""
    return " ".join(text.split())[:_LETTERS]


def standing_for(question: str, answer: str) -> str:
    """What stands in the place of a sub-question's answer: itself, where there is none."""
    return answer or question.rstrip(" ?.")
