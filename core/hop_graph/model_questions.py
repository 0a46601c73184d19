"""Query simulation by a language model (HopRAG 3.2): what a passage answers, and what it raises."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from pydantic import BaseModel, field_validator

from core.hop_graph.pseudo_queries import RULES, Counted, Rules, pseudo_query
from core.models.oracle import Oracle
from core.models.prompt import Prompt
from core.models.window import in_order
from core.prompts import prompt, read
from core.steps import Exchange
from core.text.clean import one_line
from core.text.keywords import Keywords
from core.text.names import names
from core.text.sentences import sentences
from core.text.tokens import STOP_WORDS, words
from core.types import Direction, Passage, PseudoQuery

NAME = "questions_of_passage"
SHOWN = 12_000  # characters of a passage; a longer one would not fit into every model
_MOST = 12  # questions of a kind; a model that goes on and on is cut off there
_LONGEST = 500  # characters of a question


class Questions(BaseModel):
    """Questions that a passage answers, and questions that it raises."""

    # A reply without a usable question of either kind is unreadable. Fewer than the paper's 2 and
    # 4 are taken as they are, and the index counts the passage as short.
    answered: list[str]
    raised: list[str]

    @field_validator("answered", "raised")
    @classmethod
    def _usable(cls, questions: list[str]) -> list[str]:
        asked = (one_line(question) for question in questions)
        each_once = {text.casefold(): text for text in asked if 0 < len(text) <= _LONGEST}
        if not each_once:
            raise ValueError("no question")
        return list(each_once.values())[:_MOST]


@dataclass(frozen=True, slots=True)
class ByModel:
    """The maker that asks a model, once for each passage.

    The paper asks twice, for in-coming questions (Figure 4) and for out-coming ones (Figure 5).
    One call for both reads the passage and the instructions once, which is about half the price,
    and a model that has just written down what the passage answers repeats less of it among what
    the passage raises. Keywords are those that NER(.) finds in a question; its evidence is the
    sentence of the passage that shares most words with it, beside those of the title.

    A passage whose reply cannot be read, nor the second one, gets the questions of `rules`, which
    say so by their own maker. Title and text alone make the prompt, so that a passage which was
    asked about is never asked about again, whatever is added beside it.
    """

    oracle: Oracle
    rules: Rules = RULES

    @property
    def name(self) -> str:
        return self.oracle.llm.model

    def __call__(
        self, passages: Sequence[Passage], progress: Counted | None = None
    ) -> Iterator[list[PseudoQuery]]:
        tell = progress or _nobody
        keywords = Keywords(names(passages))
        fallback, behind = self.rules(passages), 0
        # No more workers than calls: a reply is kept before its worker asks again, so that a killed
        # build loses at most `at_once` of them.
        at_once = self.oracle.llm.at_once
        asked = in_order(self.ask, passages, at_once, meanwhile=lambda: tell(0))
        for number, (found, _) in enumerate(asked):
            tell(1)
            if found is None:
                yield next(islice(fallback, number - behind, None))
                behind = number + 1
            else:
                yield list(_pseudo_queries(passages[number], found, keywords, self.name))

    def ask(self, passage: Passage) -> tuple[Questions | None, Exchange]:
        """The passage's questions, None if the model's reply cannot be read.

        Raises
        ------
        LlmError : the model cannot be asked.
        """
        return self.oracle.ask(prompt_of(passage), lambda text: read(text, Questions))


def prompt_of(passage: Passage) -> Prompt:
    """What a model is asked about `passage`."""
    return prompt(NAME, Questions, title=passage.title, text=passage.text[:SHOWN])


def _pseudo_queries(
    passage: Passage, found: Questions, keywords: Keywords, maker: str
) -> Iterator[PseudoQuery]:
    lines = [(line, set(words(line)) - STOP_WORDS) for line in sentences(passage.text)]
    named = set(words(passage.title))  # nearly every question names it
    kinds: tuple[tuple[Direction, list[str]], ...] = (("in", found.answered), ("out", found.raised))
    for direction, questions in kinds:
        for number, text in enumerate(questions):
            asked = set(words(text)) - named
            evidence = max(lines, key=lambda line: len(line[1] & asked), default=("", set()))[0]
            mentioned = keywords.of(text)
            yield pseudo_query(passage, direction, number, text, mentioned, maker, evidence)


def _nobody(done: int) -> None:
    """A progress that nobody waits for."""
