"""Split a query into sub-questions, by the model or by rules, and show the plan."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from pydantic import BaseModel, ConfigDict

from core import prompts
from core.artefacts.lexical.keywords import KEYWORDS
from core.artefacts.workbench import Workbench
from core.errors import ReplyUnreadable
from core.models.oracle import Guess
from core.models.prompt import Prompt
from core.retrievers.model_replies import reply_or_none, speaker
from core.steps import ROOT, Said, Thing, Tie, Told
from core.text.decomposition.placeholders import PLACE, levels, places
from core.text.decomposition.rules import MOST, decompose
from core.text.display.plurals import counted

LONGEST = 400
"""Tokens of a reply: six short questions."""
_LETTERS = 400  # of a sub-question


class Plan(BaseModel):
    """What a model says: sub-questions, `#1` in the place of the first one's answer."""

    model_config = ConfigDict(json_schema_extra={"additionalProperties": False})

    questions: list[str] = prompts.at_most(MOST)


GUESS = Guess(surely=Plan(questions=[]), likely=None)
"""At least, the query stays unsplit; likely, it is split as by the rules."""


def plan_questions(
    bench: Workbench, query: str, substitute: str, *, exactly: int = 0
) -> tuple[tuple[str, ...], Told]:
    """Return the sub-questions of `query`, and who decomposed it.

    A `#1` in the query itself is rewritten, since it refers to an answer in a plan.

    Parameters
    ----------
    exactly : sub-questions that the model has to write; 0 for as many as it needs.
    """
    query = PLACE.sub(r"no. \1", query)
    prompt = _prompt(query, exactly)
    read = partial(_read_exactly, exactly) if exactly else read_plan
    plan, told = reply_or_none(bench.oracle, prompt, read, GUESS, substitute)
    if plan is None:
        return decompose(query, bench.get(KEYWORDS)), told
    return tuple(plan.questions) or (query,), told


def _prompt(query: str, exactly: int) -> Prompt:
    """Return the prompt that asks for sub-questions; with `exactly`, for that number of them."""
    if not exactly:  # unchanged, since replies to it are cached
        return prompts.prompt("decompose", Plan, longest=LONGEST, question=query, most=MOST)
    given = {"question": query, "most": exactly, "exactly": exactly}
    asked = prompts.prompt("decompose", Plan, longest=LONGEST, **given)
    return replace(asked, system=f"{asked.system}\n\n{prompts.instructions('exactly')}")


def _read_exactly(number: int, text: str) -> Plan:
    """Parse a plan; raise ReplyUnreadable unless it has `number` sub-questions."""
    plan = read_plan(text)
    if len(plan.questions) != number:
        raise ReplyUnreadable(f"The reply has {_amount(plan.questions)}, not {number}.")
    return plan


def _amount(questions: Sequence[str]) -> str:
    return counted(len(questions), "question", "questions")


def read_plan(text: str) -> Plan:
    """Parse the sub-questions in a reply.

    Raises
    ------
    ReplyUnreadable : there is none, there are too many, one is empty, or they wait for one another.
    """
    questions = [" ".join(one.split())[:_LETTERS] for one in prompts.read(text, Plan).questions]
    while questions and not questions[-1]:
        questions.pop()
    if not all(questions):  # without it, `#2` would mean another question
        empty = questions.index("") + 1
        raise ReplyUnreadable(f"Question {empty} of {len(questions)} in the reply is empty.")
    if not 1 <= len(questions) <= MOST:
        raise ReplyUnreadable(f"The reply has {_amount(questions)}, not 1 to {MOST}.")
    try:
        levels(questions)
    except ValueError as error:
        raise ReplyUnreadable(
            f"The sub-questions depend on each other in a cycle: {error}."
        ) from None
    return Plan(questions=questions)


def plan_step(questions: Sequence[str], told: Told) -> Said:
    """Return the step that shows the plan, each sub-question with lines to its dependencies."""
    by = speaker("planner", told)
    if len(questions) == 1:
        return Said(by, ROOT, "The query is not split.", told=told)
    numbered = list(enumerate(questions, start=1))
    text = " ".join(f"{number}. {one}" for number, one in numbered)
    things = tuple(Thing(part(number), "query", one) for number, one in numbered)
    ties = tuple(tie for number, one in numbered for tie in needs(number, one))
    return Said(by, ROOT, text, things=things, ties=ties, told=told)


def part(number: int) -> str:
    """Return the id of the sub-question `number` of the plan."""
    return f"part:{number}"


def needs(number: int, text: str) -> tuple[Tie, ...]:
    """Return lines from a sub-question to the sub-questions whose answers it refers to."""
    return tuple(
        Tie(f"needs:{number}>{other}", part(number), part(other), "needs") for other in places(text)
    )
