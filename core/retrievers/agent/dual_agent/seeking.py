"""HiGraAgent's Seeker: rephrases and splits the query, and asks or answers in each turn."""

import re
from dataclasses import dataclass, field, replace
from functools import partial

from pydantic import BaseModel, ConfigDict

from core import prompts
from core.artefacts.workbench import Workbench
from core.errors import ReplyUnreadable
from core.models.oracle import Guess
from core.retrievers.decomposition.answering import one_line, replacement_text
from core.retrievers.decomposition.planning import part
from core.retrievers.model_replies import reply_or_none, speaker
from core.retrievers.nesting import question
from core.steps import ROOT, Said, Thing, Told
from core.text.decomposition.placeholders import filled, levels, places

ROLE = "seeker"
LONGEST = 400
"""Tokens of a reply: a thought, and a few questions or an answer."""
_ASKS = re.compile(
    r"(?:\W*(?:in|on|at|by|for|from|of|to|with|about|under|during)\s+)?\W*"
    r"(?:who|whom|whose|what|which|when|where|why|how|is|are|was|were|do|does|did|has|have|had|can"
    r"|could|will|would|should|between|among)\b",
    re.IGNORECASE,
)


class Clarified(BaseModel):
    """What a model says: the question that somebody meant."""

    model_config = ConfigDict(json_schema_extra={"additionalProperties": False})

    question: str


class Action(BaseModel):
    """What a model says: a thought, and what it asks next, or the answer."""

    model_config = ConfigDict(json_schema_extra={"additionalProperties": False})

    thought: str
    ask: list[str] = prompts.at_most(8)
    answer: str | None


AS_IT_IS: Guess[Clarified] = Guess(surely=None, likely=None)
GUESS = Guess(surely=Action(thought="", ask=[], answer="?"), likely=None)
"""At least, the first reply answers and ends the dialogue; likely, it continues by the plan."""


@dataclass(slots=True)
class Dialogue:
    """The numbered questions, their answers and evidence, and the remaining levels of the plan.

    In `parts`, the sub-questions of the plan come first, then the Seeker's further questions.
    """

    plan: tuple[str, ...]
    parts: dict[int, str] = field(init=False)
    waiting: list[tuple[int, ...]] = field(init=False)
    answers: dict[int, str] = field(default_factory=dict)
    evidence: dict[int, str] = field(default_factory=dict)
    others: dict[int, tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.parts = dict(enumerate(self.plan, start=1))
        self.waiting = list(levels(self.plan))

    def next(self, most: int) -> tuple[int, ...]:
        """Remove and return the numbers of up to `most` sub-questions that can be asked now."""
        level, *rest = self.waiting
        self.waiting = [*([level[most:]] if level[most:] else []), *rest]
        return level[:most]

    def asked(self, number: int) -> str:
        """Return the text of a part, with references to other parts replaced by their answers."""
        known = {
            n: replacement_text(self.asked(n), self.answers.get(n, "")) for n in self.of(number)
        }
        return filled(self.parts[number], known)

    def of(self, number: int) -> tuple[int, ...]:
        """Return the numbers of the parts whose answers this part of the plan refers to."""
        return places(self.parts[number]) if number <= len(self.plan) else ()

    def parents(self, number: int) -> tuple[str, ...]:
        """Return the ids of the planned part and of the questions whose answers it uses."""
        if self.parts == {1: self.plan[0]}:
            return (ROOT,)
        return (part(number), *map(question, self.of(number)))

    def answered_questions(self) -> list[dict[str, str | list[str]]]:
        """List the answered questions with their answers and evidence, for the prompt."""
        return [
            {
                "question": self.asked(n),
                "answer": said,
                "evidence": self.evidence.get(n, ""),
                **({"others": list(self.others[n])} if self.others.get(n) else {}),
            }
            for n, said in self.answers.items()
        ]

    @property
    def findings(self) -> tuple[str, ...]:
        """Answered questions with their evidence, one text each, for the reader model."""
        return tuple(
            " ".join(
                filter(None, (self.asked(n), said, self.evidence.get(n, ""), self._alternatives(n)))
            )
            for n, said in self.answers.items()
            if said
        )

    def _alternatives(self, number: int) -> str:
        others = self.others.get(number)
        return f"(or: {'; '.join(others)})" if others else ""


def rephrase_as_question(bench: Workbench, query: str, substitute: str) -> tuple[str, Said | None]:
    """Rephrase `query` as a question, and return who did; None if it already is one.

    As in the paper, a question that does not begin with a question word is rephrased, too.
    """
    asks = query.rstrip(' »"”').endswith(("?", "？", ";"))
    if _ASKS.match(query) or (asks and bench.oracle is None):
        return query, None
    prompt = prompts.prompt("clarify", Clarified, longest=LONGEST, question=query)
    reply, told = reply_or_none(bench.oracle, prompt, _read_plain, AS_IT_IS, substitute)
    rephrased = reply.question if reply else query
    text = (
        f"Rephrased as a question: {rephrased}"
        if reply
        else "The query was not rephrased, so it is used unchanged."
    )
    return rephrased, Said(speaker(ROLE, told), ROOT, text, told=told)


def _read_plain(text: str) -> Clarified:
    """Parse the rephrased question in a reply; raise ReplyUnreadable if it is empty."""
    rephrased = one_line(prompts.read(text, Clarified).question)
    if not rephrased:
        raise ReplyUnreadable("The reply contains no question.")
    return Clarified(question=rephrased)


def seeker_step(
    bench: Workbench, query: str, dialogue: Dialogue, turn: int, most: int, substitute: str
) -> tuple[Said, tuple[int, ...]]:
    """Let the Seeker decide after a turn: return its step and the numbers of its next questions.

    Parameters
    ----------
    most : maximum number of next questions; 0 after the last turn.
    """
    prompt = prompts.prompt(
        "seek",
        Action,
        longest=LONGEST,
        question=query,
        plan=list(dialogue.plan),
        dialogue=dialogue.answered_questions(),
        most=most,
    )
    prompt = prompts.with_list_limits(prompt, ask=most)
    read = partial(read_action, most)
    reply, told = reply_or_none(bench.oracle, prompt, read, GUESS, substitute)
    by = speaker(ROLE, told)
    if reply is None:
        return _by_plan(dialogue, turn, most, by, told)
    thought = f"After turn {turn}: {reply.thought.strip() or '(no thought)'}"
    if reply.answer:
        because = replace(told, reason=thought)
        return Said(
            by, ROOT, reply.answer, (ROOT,), ends="the dialogue answers the query", told=because
        ), ()
    known = {dialogue.asked(number) for number in dialogue.answers}
    new = [text for text in dict.fromkeys(reply.ask) if text not in known]
    if not new:
        text = f"{thought} It repeats earlier questions."
        return Said(by, ROOT, text, ends="there is no new question", told=told), ()
    first = len(dialogue.parts) + 1
    numbers = tuple(range(first, first + len(new)))
    dialogue.parts |= dict(zip(numbers, new, strict=True))
    things = tuple(Thing(part(n), "query", dialogue.parts[n]) for n in numbers)
    text = f"{thought} Asks: {' '.join(new)}"
    return Said(by, ROOT, text, things=things, told=told), numbers


def _by_plan(
    dialogue: Dialogue, turn: int, most: int, by: str, told: Told
) -> tuple[Said, tuple[int, ...]]:
    """Continue without a model: return a step with the next sub-questions, and their numbers."""
    known = (f"{n}: {said}." for n, said in sorted(dialogue.answers.items()) if said)
    text = f"After turn {turn}: {' '.join(known) or 'no answers yet.'}"
    if not dialogue.waiting or not most:
        ends = (
            "every question of the plan has been asked"
            if not dialogue.waiting
            else "the turn limit is reached"
        )
        return Said(by, ROOT, text, ends=ends, told=told), ()
    level = dialogue.next(most)
    asks = " ".join(dialogue.asked(number) for number in level)
    return Said(by, ROOT, f"{text} Asks: {asks}", told=told), level


def read_action(most: int, text: str) -> Action:
    """Parse the action in a reply: up to `most` questions, or an answer.

    Raises
    ------
    ReplyUnreadable : the reply contains neither a question nor an answer.
    """
    action = prompts.read(text, Action)
    asks = [line for line in map(one_line, action.ask) if line][:most]
    answer = one_line(action.answer or "")
    if not asks and not answer:
        raise ReplyUnreadable("The reply contains neither a question nor an answer.")
    return Action(
        thought=one_line(action.thought), ask=[] if answer else asks, answer=answer or None
    )
