"""Pseudo-queries made elsewhere, read from a file: JSON Lines of one passage each.

    {"passage": "mill", "in": [{"question": "Who built the mill?", "evidence": "Ada built it."}],
     "out": [{"question": "Who is Ada Finch?", "evidence": "Ada built it."}]}

`evidence` is the sentence of the passage that answers or raises the question. It may be left out,
and a question may be written as a text alone; then it is the sentence that shares most words.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from core.errors import InputError
from core.hop_graph.model_questions import Missed, best_sentence
from core.hop_graph.pseudo_queries import RULES, Counted, Rules, pseudo_query
from core.text.clean import one_line
from core.text.keywords import Keywords
from core.text.names import names
from core.types import Direction, Passage, PseudoQuery

PREFIX = "file:"
"""What the name of such a maker begins with, in front of the name of the file."""
MOST = 50  # questions of a kind
LONGEST = 500  # characters of a question
_KINDS: tuple[Direction, Direction] = ("in", "out")
_SHAPE = '{"passage": ID, "in": [QUESTION, …], "out": [QUESTION, …]}'

Asked = tuple[str, str]
"""A question and its evidence, which may be empty."""


def _nobody_misses(passage: Passage, why: str) -> None:
    """Ignore the report."""


@dataclass(frozen=True, slots=True)
class FromFile:
    """The maker that takes pseudo-queries from a file.

    A passage that the file does not have, or whose text no longer holds the evidence, gets the
    questions of `rules`, and `missed` is told why.

    Parameters
    ----------
    name : `file:` and the name of the file.
    asked : by passage id and kind.
    """

    name: str
    asked: Mapping[str, Mapping[Direction, Sequence[Asked]]] = field(default_factory=dict)
    rules: Rules = RULES
    missed: Missed = _nobody_misses

    def __call__(
        self, passages: Sequence[Passage], progress: Counted | None = None
    ) -> Iterator[list[PseudoQuery]]:
        keywords = Keywords(names(passages))
        for passage, by_rules in zip(passages, self.rules(passages), strict=True):
            if progress:
                progress(1)
            if why := self._trouble(passage):
                self.missed(passage, why)
                yield by_rules
            else:
                yield list(self._queries(passage, keywords))

    def _trouble(self, passage: Passage) -> str:
        """Return why the file's pseudo-queries cannot be used for a passage, or "" if they can."""
        found = self.asked.get(passage.id)
        if not found:
            return f"{self.name} has no questions for this passage."
        text = one_line(passage.text)
        if any(each not in text for kind in _KINDS for _, each in found.get(kind, ())):
            return f"{self.name} cites a sentence that is no longer in the passage."
        return ""

    def _queries(self, passage: Passage, keywords: Keywords) -> Iterator[PseudoQuery]:
        for kind in _KINDS:
            for number, (text, evidence) in enumerate(self.asked[passage.id].get(kind, ())):
                told = evidence or best_sentence(passage, text)
                mentioned = keywords.of(text)
                yield pseudo_query(passage, kind, number, text, mentioned, self.name, told)


def read_pseudo_queries(path: Path) -> FromFile:
    """Read a file of pseudo-queries.

    Raises
    ------
    InputError : it cannot be read, or a line has another shape; the message names the line.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"{path.name} is not UTF-8 text. Provide JSON Lines of {_SHAPE}."
        ) from error
    asked: dict[str, dict[Direction, list[Asked]]] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            passage, found = _passage(line, f"Line {number:,} of {path.name}")
            asked[passage] = found
    if not asked:
        raise InputError(f"{path.name} contains no pseudo-queries. Provide JSON Lines of {_SHAPE}.")
    return FromFile(f"{PREFIX}{path.name}", asked)


def _passage(line: str, where: str) -> tuple[str, dict[Direction, list[Asked]]]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{where} is not valid JSON. Provide {_SHAPE} on each line.") from error
    if not isinstance(row, dict) or not isinstance(row.get("passage"), str):
        raise InputError(f"{where} has no passage id. Provide {_SHAPE} on each line.")
    return row["passage"], {kind: _asked(row.get(kind, []), kind, where) for kind in _KINDS}


def _asked(values: Any, kind: str, where: str) -> list[Asked]:
    if not isinstance(values, list) or len(values) > MOST:
        raise InputError(f"{where}: '{kind}' must be a list of at most {MOST} questions.")
    return [_question(value, kind, where) for value in values]


def _question(value: Any, kind: str, where: str) -> Asked:
    fields = {"question": value} if isinstance(value, str) else value
    question = fields.get("question") if isinstance(fields, dict) else None
    evidence = fields.get("evidence", "") if isinstance(fields, dict) else None
    if not isinstance(question, str) or not isinstance(evidence, str) or not question.strip():
        raise InputError(
            f"{where}: each of '{kind}' must be a question, or an object with 'question' and "
            "'evidence'."
        )
    if len(question) > LONGEST:
        raise InputError(f"{where}: a question has more than {LONGEST} characters. Shorten it.")
    return one_line(question), one_line(evidence)
