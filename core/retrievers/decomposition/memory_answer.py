"""LogicRAG's answer from its memory alone, as in the paper."""

from dataclasses import replace

from core.answers import AnswerReply
from core.answers.reader import Reader, read_reply
from core.artefacts.workbench import Workbench
from core.models.oracle import Guess
from core.retrievers.decomposition.remembering import Memory
from core.retrievers.model_replies import reply_or_none, speaker
from core.steps import ROOT, Said

_NONE = AnswerReply(reasoning="", citations=[], found=False, answer="")
_GUESS = Guess(surely=_NONE, likely=_NONE)
_FALLBACK = "No answer is derived from the memory."
NO_ANSWER = "No answer."


def memory_answer(bench: Workbench, memory: Memory, findings: tuple[str, ...]) -> Said | None:
    """Return the step in which the reader answers the question from `findings`.

    None without a model, and where its reply is unusable.
    """
    if bench.oracle is None:
        return None
    oracle = bench.oracle.reading
    prompt = Reader(oracle, bench.index.number).prompt(memory.question, (), findings)
    reply, told = reply_or_none(oracle, prompt, read_reply, _GUESS, _FALLBACK)
    if reply is None:
        return None
    text = reply.answer.strip() if reply.found else ""
    if reply.reasoning.strip():
        told = replace(told, reason=reply.reasoning.strip())
    return Said(
        speaker("reader", told),
        ROOT,
        text or NO_ANSWER,
        (ROOT,),
        rests_on=memory.rests_on,
        told=told,
    )
