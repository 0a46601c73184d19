"""LogicRAG's rolling memory: the findings, the answers, and whether they answer the query."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from pydantic import BaseModel, ConfigDict

from core import prompts
from core.answers import span
from core.artefacts.lexical.keywords import KEYWORDS
from core.artefacts.workbench import Workbench
from core.errors import ReplyUnreadable
from core.models.oracle import Guess
from core.retrievers.decomposition.answering import one_line
from core.retrievers.model_replies import reply_or_none
from core.steps import Told
from core.text.sentences import sentences
from core.text.tokens import opening
from core.types import Passage

LONGEST = 500
"""Tokens of a reply: a memory of 150 words, six answers and a question."""
_READ = 350  # words of a paragraph that the model reads


class Remembered(BaseModel):
    """What a model says: the memory, an answer for each part, whether it is enough, what next."""

    model_config = ConfigDict(json_schema_extra={"additionalProperties": False})

    memory: str
    answers: list[str] = prompts.at_most(12)
    enough: bool
    next: str | None


GUESS = Guess(surely=Remembered(memory="", answers=[], enough=True, next=None), likely=None)
"""Surely it is enough, which ends it; likely it goes on, as the substitute does."""


@dataclass(slots=True)
class Memory:
    """The knowledge about a question so far: a text, and the answers to the parts by their numbers.

    If it is not `pruned`, the model is not shown the text and reads all passages again.
    """

    question: str
    text: str = ""
    answers: dict[int, str] = field(default_factory=dict)
    enough: bool = False
    next: str = ""
    rests_on: tuple[str, ...] = ()
    pruned: bool = True

    def learn(
        self,
        bench: Workbench,
        parts: dict[int, str],
        new: Sequence[Passage],
        found: Sequence[Passage],
        substitute: str,
    ) -> Told:
        """Add the results for `parts` to the memory, by model or rules; return who did it.

        Parameters
        ----------
        parts : the questions by number, with earlier answers filled in.
        new : passages that no earlier search found, for the model: its memory covers the others.
            All passages found so far, if the memory is not pruned.
        found : the best passages of the search, for the rules: their memory is only sentences.
        """
        prompt = prompts.prompt(
            "remember",
            Remembered,
            longest=LONGEST,
            question=self.question,
            memory=self.text if self.pruned else "",
            asked=list(parts.values()),
            paragraphs=[{"title": p.title, "text": opening(p.text, _READ)} for p in new],
        )
        prompt = prompts.with_list_limits(prompt, answers=len(parts))
        read = partial(read_memory, len(parts))
        reply, told = reply_or_none(bench.oracle, prompt, read, GUESS, substitute)
        if reply is None:
            self._extract(bench, parts, found)
            return told
        self.text, self.enough = reply.memory.strip(), reply.enough
        self.next = "" if reply.enough else one_line(reply.next or "")
        self.answers |= dict(zip(parts, map(one_line, reply.answers), strict=False))
        self.rests_on = tuple(p.id for p in new)
        return told

    def _extract(self, bench: Workbench, parts: dict[int, str], found: Sequence[Passage]) -> None:
        """Add the sentence with the answer of each part to the memory.

        Where nothing answers a part, it is the first sentence of the first passage.
        """
        spans = {number: span(text, found, bench.get(KEYWORDS)) for number, text in parts.items()}
        self.answers |= {number: one_line(one.text) for number, one in spans.items() if one}
        lines = [one.sentence for one in spans.values() if one]
        lines = lines or [line for p in found[:1] for line in sentences(p.text)[:1]]
        known = self.text.split("\n") if self.text else []
        self.text = "\n".join(dict.fromkeys((*known, *lines)))
        self.rests_on = tuple(dict.fromkeys(one.passage_id for one in spans.values() if one))
        self.next = ""


def read_memory(parts: int, text: str) -> Remembered:
    """Parse the memory in a reply to this many `parts`.

    Raises
    ------
    ReplyUnreadable : it holds none, or not an answer for each part.
    """
    reply = prompts.read(text, Remembered)
    if len(reply.answers) != parts:
        raise ReplyUnreadable(f"The reply has {len(reply.answers)} answers for {parts} questions.")
    if not reply.memory.strip() and not reply.enough:
        raise ReplyUnreadable("The reply contains no memory.")
    return reply
