"""Query simulation by a language model (HopRAG 3.2): in- and out-questions of passages."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice

from pydantic import BaseModel, field_validator

from core.errors import LlmError
from core.hop_graph.own_answers import answered_by_passage
from core.hop_graph.pseudo_queries import RULES, Counted, Rules, pseudo_query
from core.models.oracle import Oracle
from core.models.prompt import Prompt
from core.models.server.window import in_order
from core.prompts import at_most, instructions, prompt, read, with_list_limits
from core.steps import Exchange
from core.store.graph_limits import AUTOMATIC, GraphLimits
from core.text.clean import one_line
from core.text.entities.keywords import Keywords
from core.text.entities.passage_names import names
from core.text.sentences import sentences
from core.text.stop_words import STOP_WORDS
from core.text.tokens import words
from core.types import Direction, Passage, PseudoQuery

NAME = "questions_of_passage"
SHOWN = 12_000  # characters of a passage; a longer one would not fit into every model
LONGEST = 1_500
"""Tokens of a reply: 18 questions of about 30 words, in a language of many tokens a word."""
_ANSWERED, _RAISED = 8, 10
"""Questions of each kind, as the prompt says; structured output ends there."""
_NUMBERS = {
    "in_questions": "Write at least 2, and as many more (8 at most) as it takes for each thing "
    "that the passage states to be the answer to one of them.",
    "out_questions": "Write at least 4 and at most 10.",
}
"""The sentences of the prompt that a limit replaces."""
_ASKED = "Write exactly {0}, however many the example has, or fewer if the passage offers no more."
_READ = 24  # of each kind that are looked at where a server does not bound a reply
_LONGEST_QUESTION = 500  # characters of a question


Missed = Callable[[Passage, str], None]
"""Called with a passage for which the model gave no questions, and the reason."""


Dropped = Callable[[Passage, int], None]
"""Called with a passage that answers some of its own out-questions, and their number."""


def _ignore_dropped(passage: Passage, count: int) -> None:
    """Ignore the report: the default callback."""


def _ignore_missing(passage: Passage, why: str) -> None:
    """Ignore the report: the default callback."""


class Questions(BaseModel):
    """Questions that a passage answers, and questions that it raises."""

    # A reply without a usable question of either kind is unreadable. Fewer than the paper's 2 and
    # 4 are taken as they are, and the index counts the passage as short.
    answered: list[str] = at_most(_ANSWERED)
    raised: list[str] = at_most(_RAISED)

    @field_validator("answered", "raised")
    @classmethod
    def _usable(cls, questions: list[str]) -> list[str]:
        """Keep each question once, without the worked example; ValueError if none is left."""
        asked = (one_line(question) for question in questions)
        each_once = {text.casefold(): text for text in asked if 0 < len(text) <= _LONGEST_QUESTION}
        for repeated in _worked_example():
            each_once.pop(repeated, None)
        if not each_once:
            raise ValueError("no usable question")
        return list(each_once.values())


class _Unbounded(Questions):
    """The same in a reply that may be longer: repeated questions do not count as questions."""

    answered: list[str] = at_most(_READ)
    raised: list[str] = at_most(_READ)


@dataclass(frozen=True, slots=True)
class ByModel:
    """Generates the questions of each passage with one model call.

    The paper asks twice, for in-questions (Figure 4) and for out-questions (Figure 5). One call for
    both costs about half, and the model repeats less of what the passage answers among what it
    raises. Keywords are those that NER(.) finds in a question; its evidence is the sentence of the
    passage that shares most words with it, without those of the title.

    If the model fails for a passage, the passage gets the questions of `rules`, which are recorded
    as their maker, and `missed` is called with the passage and the reason. Out-questions that their
    own passage answers are dropped, and `dropped` is called with their number. The prompt depends
    on title, text and limits only, so that a passage is never asked about twice.

    Raises
    ------
    LlmError : by a call, if the model fails too often in a row, or for every passage.
    """

    oracle: Oracle
    rules: Rules = RULES
    missed: Missed = _ignore_missing
    dropped: Dropped = _ignore_dropped

    @property
    def name(self) -> str:
        return self.oracle.llm.model

    @property
    def noun(self) -> str:
        """The singular of what the model generates, for messages."""
        return "question"

    def __call__(
        self, passages: Sequence[Passage], progress: Counted | None = None
    ) -> Iterator[list[PseudoQuery]]:
        tell = progress or _ignore_progress
        keywords = Keywords(names(passages))
        fallback, behind = self.rules(passages), 0
        # No more workers than calls: a reply is kept before its worker asks again, so that a killed
        # build loses at most `at_once` of them.
        at_once = self.oracle.llm.at_once
        asked = in_order(self.ask, passages, at_once, meanwhile=lambda: tell(0))
        by_model, why = False, ""
        for number, (questions, exchange) in enumerate(asked):
            tell(1)
            if questions is None:
                why = exchange.trouble
                self.missed(passages[number], why)
                yield next(islice(fallback, number - behind, None))
                behind = number + 1
            else:
                by_model = True
                passage = passages[number]
                questions = _without_example(passage, questions)
                own = _answered_by_passage(passage, questions, keywords)
                if own:
                    self.dropped(passage, len(own))
                yield list(_pseudo_queries(passage, questions, own, keywords, self.name))
        if passages and not by_model:
            raise LlmError(
                f"{self.name} gave no usable questions for any of the {len(passages):,} "
                f"passages. {why} Fix the problem and ask again (--ask-again), or generate "
                "the questions by rules."
            )

    def ask(self, passage: Passage) -> tuple[Questions | None, Exchange]:
        """Return the passage's questions; None and the error if no reply was usable.

        Raises
        ------
        LlmError : the model fails too often in a row, or will fail for every passage.
        """
        return self.oracle.attempt(self.prompt(passage), self.read)

    def prompt(self, passage: Passage) -> Prompt:
        """Return the prompt that asks for the pseudo-queries of `passage`."""
        return prompt_of(passage, self.rules.limits)

    def read(self, text: str) -> Questions:
        """Return the questions in a reply, or raise ReplyUnreadable."""
        return reader(self.rules.limits)(text)


def reader(limits: GraphLimits = AUTOMATIC) -> Callable[[str], Questions]:
    """Return a function that parses the questions in a reply, or raises ReplyUnreadable."""
    answered, raised = _most(limits)

    def read_questions(text: str) -> Questions:
        found = read(text, _Unbounded)
        kept = {"answered": found.answered[:answered], "raised": found.raised[:raised]}
        return found.model_copy(update=kept)

    return read_questions


def prompt_of(passage: Passage, limits: GraphLimits = AUTOMATIC) -> Prompt:
    """Return the prompt that asks a model for pseudo-queries of `passage`."""
    data = {"title": passage.title, "text": passage.text[:SHOWN]}
    if not (limits.in_questions or limits.out_questions):
        return prompt(NAME, Questions, longest=LONGEST, **data)
    answered, raised = _most(limits)
    longer = max(1.0, (answered + raised) / (_ANSWERED + _RAISED))
    asked = prompt(NAME, _Unbounded, longest=round(LONGEST * longer), **data)
    asked = with_list_limits(asked, answered=answered, raised=raised)
    return replace(asked, system=_instructions(limits))


def _most(limits: GraphLimits) -> tuple[int, int]:
    """Return the largest number of in-questions and of out-questions of a reply."""
    return limits.in_questions or _ANSWERED, limits.out_questions or _RAISED


@cache
def _instructions(limits: GraphLimits) -> str:
    """Return the prompt's instructions with the configured numbers of questions."""
    told = instructions(NAME)
    for name, sentence in _NUMBERS.items():
        if number := getattr(limits, name):
            told = told.replace(sentence, _ASKED.format(number))
    return told


@cache
def _worked_example() -> frozenset[str]:
    """Return the questions of the prompt's example, whose passage is made up.

    Small models copy them instead of writing their own.


    """
    prompt_text = instructions(NAME)
    reply, _ = json.JSONDecoder().raw_decode(prompt_text, prompt_text.index('{"answered": ["'))
    return frozenset(text.casefold() for kind in reply.values() for text in kind)


@cache
def _names_of_example() -> frozenset[str]:
    """Return the names in the passage of the prompt's example, without dates and numbers."""
    prompt_text = instructions(NAME)
    passage, _ = json.JSONDecoder().raw_decode(prompt_text, prompt_text.index('{"title": "'))
    named = Keywords().of(f"{passage['title']}. {passage['text']}")
    return frozenset(name for name in named if not any(map(str.isdigit, name)))


def _without_example(passage: Passage, found: Questions) -> Questions:
    """Remove questions about names of the prompt's example that the passage lacks.

    A small model asks about them, although the passage does not have them.
    """
    text = f"{passage.title} {passage.text}".casefold()
    foreign = [name for name in _names_of_example() if name not in text]

    def without_names(questions: list[str]) -> list[str]:
        return [one for one in questions if not any(name in one.casefold() for name in foreign)]

    return found.model_copy(
        update={"answered": without_names(found.answered), "raised": without_names(found.raised)}
    )


def _answered_by_passage(passage: Passage, found: Questions, keywords: Keywords) -> set[str]:
    """Return the raised questions that the passage itself answers."""
    lines = sentences(passage.text)
    flags = answered_by_passage(found.raised, found.answered, passage.title, lines, keywords)
    return {text for text, own in zip(found.raised, flags, strict=True) if own}


def _pseudo_queries(
    passage: Passage, found: Questions, own: set[str], keywords: Keywords, maker: str
) -> Iterator[PseudoQuery]:
    """Yield the pseudo-queries of a passage, without out-questions in `own`.

    `own` are those that the passage answers. Skipping them keeps the numbers of the others.
    """
    kinds: tuple[tuple[Direction, list[str]], ...] = (("in", found.answered), ("out", found.raised))
    for direction, questions in kinds:
        for number, text in enumerate(questions):
            if direction == "out" and text in own:
                continue  # keeps the numbers, and so the ids, of the others
            evidence = best_sentence(passage, text)
            mentioned = keywords.of(text)
            yield pseudo_query(passage, direction, number, text, mentioned, maker, evidence)


def best_sentence(passage: Passage, question: str) -> str:
    """Return the sentence of `passage` that shares most words with `question`.

    Words of the title do not count: nearly every question names it.
    """
    asked = set(words(question)) - set(words(passage.title)) - STOP_WORDS
    lines = sentences(passage.text)
    return max(lines, key=lambda line: len(set(words(line)) & asked), default="")


def _ignore_progress(done: int) -> None:
    """Ignore progress: the default callback."""
