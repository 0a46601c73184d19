"""IRCoT (arXiv 2212.10509): alternate between retrieval and chain-of-thought sentences."""

import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Annotated

from pydantic import BaseModel, ConfigDict

from core import prompts
from core.artefacts.workbench import Workbench
from core.errors import ReplyUnreadable
from core.models.oracle import Guess
from core.models.prompt import Prompt
from core.retrievers.base import KEPT, TOP_K, Card
from core.retrievers.first_step import first_step
from core.retrievers.model_replies import reply_or_none, speaker
from core.retrievers.nesting import question, run_nested
from core.retrievers.settings import Setting
from core.retrievers.spec import Spec, make
from core.steps import (
    LEFT_OUT,
    ROOT,
    Began,
    Cost,
    Offer,
    Offered,
    Pooled,
    Ranked,
    Said,
    Step,
    Told,
)
from core.text.sentences import sentences
from core.text.tokens import words
from core.types import Hit, Part, Passage

_ANSWERS = re.compile(r"\banswer is\b", re.IGNORECASE)
_CONCLUDES = re.compile(r"\s*(thus|so|therefore|hence|that is)\b", re.IGNORECASE)
_QUESTION_WORDS = re.compile(
    r"\b(who|whom|whose|what|when|where|why|which|how)\b\s*", re.IGNORECASE
)
_READ = 350  # words of a paragraph that the model reads
_ALIKE = 0.9  # share of common words from which two paragraphs count as the same
_PLACE = "1/rank"
LONGEST = 300
"""Tokens of a reply: a sentence, and an answer of a few words."""


class Thought(BaseModel):
    """What a model says: the next sentence, and the answer once it is known."""

    model_config = ConfigDict(json_schema_extra={"additionalProperties": False})

    thought: str
    answer: str | None


GUESS = Guess(surely=Thought(thought="", answer=None), likely=None)
"""At least, there is no thought, which ends retrieval; likely, one that needs another search."""


@dataclass(slots=True)
class _Context:
    """The paragraphs retrieved so far, in order, and the thoughts."""

    question: str
    room: int
    passages: dict[str, Passage] = field(default_factory=dict)
    thoughts: list[str] = field(default_factory=list)

    @property
    def hits(self) -> tuple[Hit, ...]:
        """The paragraphs in the order in which they were found; the n-th has the score 1/n."""
        scored = ((name, 1 / place) for place, name in enumerate(self.passages, start=1))
        return tuple(Hit(name, score, (Part(_PLACE, score),)) for name, score in scored)


@dataclass(frozen=True, slots=True)
class Ircot:
    """Alternate between search and thought; rank the paragraphs in the order of retrieval.

    The first search uses the query, each further search the last thought; as in the paper, the
    prompt leaves out conclusions. Retrieval ends when a thought gives the answer or is empty, when
    nothing new is found, when the limit on passages is reached, or after `thoughts`.

    Parameters
    ----------
    each : paragraphs per search (the paper tries 2, 4, 6 and 8).
    room : paragraphs in total (15 in the paper).
    """

    workbench: Workbench
    top_k: Annotated[int, TOP_K] = KEPT
    over: Annotated[Spec, Setting("retriever used for each thought")] = Spec("bm25")
    thoughts: Annotated[int, Setting("thoughts at most", least=1, most=10)] = 4
    each: Annotated[int, Setting("passages per search", least=1, most=20)] = 6
    room: Annotated[
        int,
        Setting(
            "passages in total",
            least=1,
            most=100,
            title="room for passages",
        ),
    ] = 15

    card = Card(
        key="ircot",
        title="IRCoT",
        badge="IR",
        family="decomposition",
        summary="Alternates reasoning and search: each thought becomes the next query.",
        paper="Trivedi et al. 2023, arXiv 2212.10509",
        asks_model=True,
        substitute="Without a model, each thought is a retrieved sentence: the one most "
        "similar to the query and least similar to earlier thoughts.",
        parts={_PLACE: ("a", "1 / order of retrieval")},
    )

    def retrieve(self, query: str) -> Iterator[Step]:
        """Yield each search with its new paragraphs and thought, and last the ranking."""
        yield first_step(self, query)
        started = time.perf_counter()
        inner = make(self.over, self.workbench, top_k=self.each)
        context = _Context(query, self.room)
        sent, parent = query, ROOT
        for number in range(1, self.thoughts + 1):
            yield Began("search", number)
            ranked = yield from run_nested(inner, sent, number, (parent,))
            offered = self._paragraph_step(number, ranked, context)
            yield offered
            new = [context.passages[offer.target] for offer in offered.taken]
            yield Pooled(("the searches so far",), context.hits)
            said = self._thought_step(number, context, new)
            yield said
            if said.ends:
                break
            by_rule = said.by != "reasoner"  # a sentence of a passage, which asks nothing
            sent = said.text if by_rule else _searchable(said.text)
            parent = question(number)
        hits = context.hits
        told = Told(Cost(time.perf_counter() - started))
        yield Ranked(hits[: self.top_k], hits[self.top_k :], told=told)

    def _paragraph_step(self, number: int, found: Ranked, context: _Context) -> Offered:
        """Add the new paragraphs of a search to `context` up to its limit; return the step."""
        offers = []
        for hit in found.hits:
            passage = self.workbench.index.passage(hit.passage_id)
            note = _refusal_reason(passage, context)
            if not note:
                context.passages[passage.id] = passage
            notes = ((LEFT_OUT, note),) if note else ()
            offers.append(Offer(passage.id, hit.score, hit.parts, not note, notes=notes, why=note))
        return Offered(question(number), "passages", tuple(offers))

    def _thought_step(self, number: int, context: _Context, new: Sequence[Passage]) -> Said:
        """Return the step with the next thought, and the reason if it is the last one."""
        ends = _end_reason(context, new)
        if ends:
            return Said("rules", question(number), "", ends=ends)
        thought, told = self._thought(context, new)
        context.thoughts.append(thought.thought)
        if thought.answer or _ANSWERS.search(thought.thought):
            ends = "the thought gives the answer"
        elif not thought.thought.strip():
            ends = "the model had no further thought"
        elif number == self.thoughts:
            ends = "the limit on thoughts is reached"
        by = speaker("reasoner", told)
        rests = tuple(p.id for p in new if thought.thought and thought.thought in p.text)
        text = thought.thought or "(nothing)"
        return Said(by, question(number), text, rests_on=rests, ends=ends, told=told)

    def _thought(self, context: _Context, new: Sequence[Passage]) -> tuple[Thought, Told]:
        """Return the next thought, by the model or, without a usable reply, by the substitute."""
        oracle, instead = self.workbench.oracle, self.card.substitute
        thought, told = reply_or_none(oracle, _prompt(context), _read_thought, GUESS, instead)
        return thought or self._substitute(context, new), told

    def _substitute(self, context: _Context, new: Sequence[Passage]) -> Thought:
        """Return the sentence of `new` with the highest cos(question) - max cos(thoughts)."""
        unused = [s for p in new for s in sentences(p.text) if s not in context.thoughts]
        if not unused:
            return Thought(thought="", answer=None)
        vectors = self.workbench.embedder.encode([context.question, *context.thoughts, *unused])
        asked, thought = vectors[0], vectors[1 : 1 + len(context.thoughts)]
        read = vectors[1 + len(context.thoughts) :]
        worth = read @ asked
        if len(thought):
            worth = worth - (read @ thought.T).max(axis=1)
        return Thought(thought=unused[int(worth.argmax())], answer=None)


def _refusal_reason(passage: Passage, context: _Context) -> str:
    """Return why a paragraph is not added to the context, "" if it is."""
    if passage.id in context.passages:
        return "already retrieved"
    if len(context.passages) >= context.room:
        return _limit_reason(context)
    own = set(words(passage.text))
    for other in context.passages.values():
        theirs = set(words(other.text))
        if own and len(own & theirs) >= _ALIKE * len(own | theirs):
            return "nearly the same text is already retrieved"
    return ""


def _end_reason(context: _Context, new: Sequence[Passage]) -> str:
    """Return why retrieval ends before another thought, "" if it goes on."""
    if not new:
        return "no new passage was found"
    if len(context.passages) < context.room:
        return ""
    return _limit_reason(context)


def _limit_reason(context: _Context) -> str:
    """Return the message for a full context, whose limit differs from the top k."""
    room = f"{context.room} passage{'s' * (context.room > 1)}"
    return f"the limit of {room} is reached"


def _searchable(thought: str) -> str:
    """Return the search text of a thought: without question words, which every text has."""
    return " ".join(_QUESTION_WORDS.sub("", thought).split()) or thought


def _prompt(context: _Context) -> Prompt:
    """Return the prompt for the next thought, without thoughts that are conclusions."""
    return prompts.prompt(
        "thought",
        Thought,
        longest=LONGEST,
        question=context.question,
        paragraphs=[
            {"title": p.title, "text": " ".join(p.text.split()[:_READ])}
            for p in context.passages.values()
        ],
        thoughts=[one for one in context.thoughts if not _CONCLUDES.match(one)],
    )


def _read_thought(text: str) -> Thought:
    """Parse the thought in a reply, keeping only its first sentence.

    Raises
    ------
    ReplyUnreadable : the reply has neither a thought nor an answer.
    """
    reply = prompts.read(text, Thought)
    first = next(iter(sentences(reply.thought)), "")
    if not first.strip() and not (reply.answer or "").strip():
        raise ReplyUnreadable("The reply contains neither a thought nor an answer.")
    return Thought(thought=first, answer=reply.answer)
