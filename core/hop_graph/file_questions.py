"""Pseudo-queries from a file: JSON Lines with one passage each.

    {"passage": "mill", "in": [{"question": "Who built the mill?", "evidence": "Ada built it."}],
     "out": [{"question": "Who is Ada Finch?", "evidence": "Ada built it."}]}

`passage` is the id of a passage or its title; a line may have its `text` beside or instead.
`evidence` is the sentence of the passage that answers or raises the question. It may be left out,
and a question may be written as a text alone; then it is the sentence that shares most words.
The cache of the official HopRAG code (`core.hop_graph.hoprag_cache`) is read as well.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.corpus.artefact_files import artefact_bytes
from core.corpus.encodings.decode import decode
from core.errors import FileRejected, InputError
from core.hop_graph.hoprag_cache import ENDING, cache_records
from core.hop_graph.model_questions import Missed, best_sentence
from core.hop_graph.pseudo_queries import RULES, Counted, Rules, pseudo_query
from core.store.schema import passage_text
from core.text.clean import one_line, text_digest
from core.text.display import plurals
from core.text.entities.keywords import Keywords
from core.text.entities.passage_names import names
from core.text.import_sources import FILE
from core.types import Direction, Passage, PseudoQuery

MOST = 50  # questions of a kind
LONGEST = 500  # characters of a question
KINDS: tuple[Direction, Direction] = ("in", "out")
_SHAPE = '{"passage": ID, "in": [QUESTION, …], "out": [QUESTION, …]}'

Asked = tuple[str, str]
"""A question and its evidence, which may be empty."""


@dataclass(frozen=True, slots=True)
class Entry:
    """The pseudo-queries of a passage, which is identified by id, title or text."""

    passage: str
    asked: Mapping[Direction, Sequence[Asked]]
    text: str = ""


def _ignore_missing(passage: Passage, why: str) -> None:
    """Ignore the report: the default callback."""


@dataclass(frozen=True, slots=True)
class FromFile:
    """A maker that reads pseudo-queries from a file.

    A passage that is not in the file, or whose text no longer contains the evidence, gets the
    questions of `rules`, and `missed` is called with the reason.

    Parameters
    ----------
    name : `file:` and the name of the file.
    """

    name: str
    entries: tuple[Entry, ...] = ()
    rules: Rules = RULES
    missed: Missed = _ignore_missing

    def __call__(
        self, passages: Sequence[Passage], progress: Counted | None = None
    ) -> Iterator[list[PseudoQuery]]:
        keywords = Keywords(names(passages))
        by_passage = self.matched(passages)
        for passage, by_rules in zip(passages, self.rules(passages), strict=True):
            if progress:
                progress(1)
            asked = by_passage.get(passage.id, {})
            if why := self._trouble(passage, asked):
                self.missed(passage, why)
                yield by_rules
            else:
                yield list(self._queries(passage, asked, keywords))

    def matched(self, passages: Sequence[Passage]) -> dict[str, dict[Direction, list[Asked]]]:
        """Return the file's questions by passage id; other passages are left out."""
        places = _EntriesByPassage(self.entries, passages)
        by_passage: dict[str, dict[Direction, list[Asked]]] = {}
        for passage in passages:
            if entries := places.entries_of(passage):
                by_passage[passage.id] = {
                    kind: [one for entry in entries for one in entry.asked.get(kind, ())]
                    for kind in KINDS
                }
        return by_passage

    def _trouble(self, passage: Passage, asked: Mapping[Direction, Sequence[Asked]]) -> str:
        """Explain why the file's pseudo-queries cannot be used for a passage; "" if they can."""
        if not asked:
            return f"{self.name} has no questions for this passage."
        text = one_line(passage.text)
        if any(each not in text for kind in KINDS for _, each in asked[kind]):
            return f"{self.name} cites a sentence that is no longer in the passage."
        return ""

    def _queries(
        self,
        passage: Passage,
        asked: Mapping[Direction, Sequence[Asked]],
        keywords: Keywords,
    ) -> Iterator[PseudoQuery]:
        """Yield the pseudo-queries of a passage; evidence defaults to the best sentence."""
        for kind in KINDS:
            for number, (text, evidence) in enumerate(asked[kind]):
                sentence = evidence or best_sentence(passage, text)
                mentioned = keywords.of(text)
                yield pseudo_query(passage, kind, number, text, mentioned, self.name, sentence)


class _EntriesByPassage:
    """Entries by id, text and title of their passages."""

    def __init__(self, entries: Sequence[Entry], passages: Sequence[Passage]) -> None:
        self._named: dict[str, list[Entry]] = defaultdict(list)
        self._told: dict[str, list[Entry]] = defaultdict(list)
        for entry in entries:
            if entry.passage:
                self._named[entry.passage].append(entry)
            if entry.text:
                self._told[text_digest(entry.text)].append(entry)
        self._titles = Counter(passage.title for passage in passages)

    def entries_of(self, passage: Passage) -> list[Entry]:
        """Return the entries of a passage: by id, else by text, else by title."""
        if named := self._named.get(passage.id):
            return named
        for text in (passage_text(passage.title, passage.text), passage.text):
            if entries := self._told.get(text_digest(text)):
                return entries[:1]
        return self._by_title(passage)

    def _by_title(self, passage: Passage) -> list[Entry]:
        """Return the entries whose title only this passage or parts of its document have."""
        if not passage.title or self._titles[passage.title] > 1:
            return []
        # The official code names files by titles, in which it replaces slashes.
        key = next(
            (k for k in (passage.title, passage.title.replace("/", "_")) if k in self._named), ""
        )
        whole = "".join(passage.text.split())
        entries = self._named.get(key, [])
        return [entry for entry in entries if "".join(entry.text.split()) in whole]


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many pseudo-queries of a file are used.

    Parameters
    ----------
    matched : passages that have questions in the file.
    missing : titles or ids of passages without, which get questions by rules.
    asked : questions that are used, by kind.
    """

    matched: int
    missing: tuple[str, ...]
    asked: Mapping[Direction, int]

    def told(self) -> str:
        """Describe the coverage in a sentence."""
        total = self.matched + len(self.missing)
        said = (
            f"The file has pseudo-queries for {self.matched:,} of "
            f"{plurals.number(total, 'passage')}: "
            f"{plurals.number(self.asked['in'], 'in-question')} and "
            f"{plurals.number(self.asked['out'], 'out-question')}."
        )
        if not self.missing:
            return said
        named = ", ".join(f"'{name[:60]}'" for name in self.missing[:5])
        more = ", …" if len(self.missing) > 5 else ""
        return f"{said} The others ({named}{more}) get rule-based pseudo-queries."


def coverage(maker: FromFile, passages: Sequence[Passage]) -> Coverage:
    """Count the pseudo-queries in the file of `maker` that fit `passages`."""
    by_passage = maker.matched(passages)
    missing = tuple(one.title or one.id for one in passages if one.id not in by_passage)
    totals = {kind: sum(len(asked[kind]) for asked in by_passage.values()) for kind in KINDS}
    return Coverage(len(by_passage), missing, totals)


def read_pseudo_queries(path: Path, name: str = "") -> FromFile:
    """Read a file of pseudo-queries, or the official HopRAG code's cache.

    Parameters
    ----------
    name : what the user calls the file, if not by its own name.

    Raises
    ------
    InputError : the file is unreadable, or a line has the wrong form; the message names the line.
    """
    name = name or path.name
    if name.lower().endswith(ENDING):
        rows = (
            (f"Node {n:,} of {name}", row) for n, row in enumerate(cache_records(path, name), 1)
        )
        entries = [_entry(row, where) for where, row in rows]
    else:
        entries = [_entry(_row(line, where), where) for where, line in _lines(path, name)]
    if not entries:
        raise InputError(f"{name} contains no pseudo-queries. Provide JSON Lines of {_SHAPE}.")
    return FromFile(f"{FILE}{name}", tuple(entries))


def _lines(path: Path, name: str) -> Iterator[tuple[str, str]]:
    """Yield the place, such as "Line 3 of FILE", and the text of each line that is not blank."""
    try:
        text = decode(artefact_bytes(path, name), name)
    except FileRejected as error:
        raise InputError(f"{error}. Provide JSON Lines of {_SHAPE}.") from error
    for number, line in enumerate(text.lstrip("\ufeff").split("\n"), start=1):
        if line.strip():
            yield f"Line {number:,} of {name}", line


def _row(line: str, where: str) -> Any:
    """Parse a line of JSON; InputError if it is malformed."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{where} is not valid JSON. Provide {_SHAPE} on each line.") from error


def _entry(row: Any, where: str) -> Entry:
    """Convert a JSON object to an entry; InputError if it has no passage or bad questions."""
    fields = row if isinstance(row, dict) else {}
    passage, text = fields.get("passage", ""), fields.get("text", "")
    if not isinstance(passage, str) or not isinstance(text, str) or not (passage or text):
        raise InputError(f"{where} has no passage id. Provide {_SHAPE} on each line.")
    asked = {kind: _parse_questions(fields.get(kind, []), kind, where) for kind in KINDS}
    return Entry(passage, asked, text)


def _parse_questions(values: Any, kind: str, where: str) -> list[Asked]:
    if not isinstance(values, list) or len(values) > MOST:
        raise InputError(f"{where}: '{kind}' must be a list of at most {MOST} questions.")
    return [_question(value, kind, where) for value in values]


def _question(value: Any, kind: str, where: str) -> Asked:
    """Convert a string or object to (question, evidence); evidence may be empty."""
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
