"""The tables of the runs of an index, and how values go into them and come back."""

import json
from collections.abc import Sequence
from typing import Any
from zlib import crc32

from core.evidence.stored import evidence_of_rows, evidence_rows
from core.funnel.data import Fate
from core.marks.store import question_key
from core.measures import STORED
from core.runs.gold_ranks import ranked_fates
from core.runs.run import Column, Row, Run, hops_of
from core.types import Evidence, Query

FILE = "runs.sqlite"
_CHANCE = 0x7FFFFFFF  # 31 bits

_MEASURED = ", ".join(f'"{name}" REAL' for name in STORED)
TABLES = (
    "CREATE TABLE runs (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL,"
    " made_at TEXT NOT NULL, question_set TEXT NOT NULL, questions INTEGER NOT NULL,"
    " content TEXT NOT NULL, graph TEXT NOT NULL, settings TEXT NOT NULL, state TEXT NOT NULL,"
    " message TEXT NOT NULL, by TEXT NOT NULL)",
    "CREATE TABLE columns (run TEXT NOT NULL, number INTEGER NOT NULL, retriever TEXT NOT NULL,"
    " configuration TEXT NOT NULL, PRIMARY KEY (run, retriever)) WITHOUT ROWID",
    # `words` makes a question the same in two runs; `chance` gives an order by a seed.
    "CREATE TABLE questions (run TEXT NOT NULL, id TEXT NOT NULL, number INTEGER NOT NULL,"
    " words TEXT NOT NULL, text TEXT NOT NULL, answers TEXT NOT NULL, gold TEXT NOT NULL,"
    " type TEXT NOT NULL, dataset TEXT NOT NULL, origin TEXT NOT NULL, hops INTEGER NOT NULL,"
    " fields TEXT NOT NULL, chance INTEGER NOT NULL, PRIMARY KEY (run, id)) WITHOUT ROWID",
    "CREATE INDEX questions_by_words ON questions (run, words)",
    "CREATE TABLE rows (run TEXT NOT NULL, retriever TEXT NOT NULL, question TEXT NOT NULL,"
    " ranks TEXT NOT NULL, absent TEXT NOT NULL, hits TEXT NOT NULL, seconds REAL NOT NULL,"
    " embed_seconds REAL NOT NULL, judgements INTEGER NOT NULL, calls INTEGER NOT NULL,"
    " tokens INTEGER NOT NULL, kept INTEGER NOT NULL, turned_to INTEGER NOT NULL,"
    " decided INTEGER NOT NULL, found TEXT NOT NULL, fates TEXT NOT NULL, em REAL, f1 REAL,"
    f" outcome TEXT NOT NULL, recall REAL, {_MEASURED},"
    " PRIMARY KEY (run, retriever, question))",
    "CREATE INDEX rows_by_recall ON rows (run, retriever, recall)",
    "CREATE INDEX rows_by_outcome ON rows (run, retriever, outcome)",
    # One row for each gold id, so that ranks and stages can be counted without reading the rows.
    "CREATE TABLE golds (run TEXT NOT NULL, retriever TEXT NOT NULL, question TEXT NOT NULL,"
    " gold TEXT NOT NULL, rank INTEGER, stage TEXT NOT NULL,"
    " PRIMARY KEY (run, retriever, question, gold)) WITHOUT ROWID",
    "CREATE INDEX golds_by_stage ON golds (run, retriever, stage)",
)

RUN = "id, name, made_at, question_set, questions, content, graph, settings, state, message, by"
QUESTION = "q.id, q.text, q.answers, q.gold, q.type, q.dataset, q.origin, q.fields"
ROW = (
    "a.retriever, a.ranks, a.absent, a.hits, a.seconds, a.embed_seconds, a.judgements, a.calls,"
    " a.tokens, a.kept, a.turned_to, a.decided, a.found, a.fates, a.em, a.f1"
)
# Why a model did not decide. Files made before have no such table: it is made when first written.
REASONS = (
    "CREATE TABLE IF NOT EXISTS reasons (run TEXT NOT NULL, retriever TEXT NOT NULL,"
    " question TEXT NOT NULL, reason TEXT NOT NULL, times INTEGER NOT NULL,"
    " PRIMARY KEY (run, retriever, question, reason)) WITHOUT ROWID"
)
# Scores and lengths of the hits of a row, JSON lists. As old files have none, they stand apart.
LISTS = (
    "CREATE TABLE IF NOT EXISTS lists (run TEXT NOT NULL, retriever TEXT NOT NULL,"
    " question TEXT NOT NULL, scores TEXT NOT NULL, lengths TEXT NOT NULL,"
    " PRIMARY KEY (run, retriever, question)) WITHOUT ROWID"
)
OF_ROW = len(ROW.split(","))


def as_run(values: Sequence[Any], columns: Sequence[Column]) -> Run:
    """Build a run from the values of `RUN`; without settings if they cannot be read."""
    id_, name, made_at, question_set, questions, content, graph, settings, *end = values
    state, message, by = end
    return Run(
        id=id_,
        name=name,
        made_at=made_at,
        question_set=question_set,
        questions=questions,
        columns=tuple(columns),
        content=content,
        graph=graph,
        settings=_settings(settings),
        state=state,
        message=message,
        by=by,
    )


def _settings(text: str) -> dict[str, str | int | float | bool]:
    """Read the settings of a run, or none: its results can be read without them."""
    try:
        return dict(json.loads(text))
    except (ValueError, TypeError):
        return {}


def run_values(run: Run) -> tuple[object, ...]:
    """Return the values of `RUN`."""
    return (
        *(run.id, run.name, run.made_at, run.question_set, run.questions, run.content, run.graph),
        *(json.dumps(dict(run.settings)), run.state, run.message, run.by),
    )


def question_values(run: str, number: int, question: Query) -> tuple[object, ...]:
    """Return the values of a row of `questions`."""
    words = question_key(question.text)
    return (
        *(run, question.id, number, words, question.text, json.dumps(question.answers)),
        *(_gold_text(question), question.type, question.dataset, question.origin),
        *(hops_of(question), json.dumps(dict(question.fields)), crc32(words.encode()) & _CHANCE),
    )


def _gold_text(question: Query) -> str:
    """Return the gold ids as JSON: a list, or an object of grades if any is not 1.

    With evidence or marks, or if no passage answers the question, it is an object of all that under
    an empty name, which no gold id has.
    """
    grades = {name: question.grades.get(name, 1) for name in question.gold}
    gold = grades if question.grades else question.gold
    more: dict[str, Any] = {
        "evidence": evidence_rows(question.evidence),
        "unanswerable": question.unanswerable,
    }
    if question.marked:
        more["marked"] = dict(
            zip(question.marked, evidence_rows([*question.marked.values()]), strict=True)
        )
    return json.dumps({"": {"gold": gold, **more}} if any(more.values()) else gold)


def row_values(run: str, row: Row, measured: Sequence[float | None]) -> tuple[object, ...]:
    """Return the values of a row of `rows`, with all its measures."""
    return (
        *(run, row.retriever, row.question.id, json.dumps(dict(row.ranks))),
        *(json.dumps(row.absent), json.dumps(row.hits), row.seconds, row.embed_seconds),
        *(row.judgements, row.calls, row.tokens, row.kept, row.turned_to, row.decided),
        *(
            json.dumps(row.found),
            json.dumps([fate.to_json() for fate in row.fates]),
            row.em,
            row.f1,
        ),
        *(row.outcome, row.recall, *measured[: len(STORED)]),
    )


def list_values(run: str, row: Row) -> tuple[object, ...]:
    """Return the values of a row of `lists`."""
    lists = (json.dumps(row.scores), json.dumps(row.lengths))
    return (run, row.retriever, row.question.id, *lists)


def gold_values(run: str, row: Row) -> list[tuple[object, ...]]:
    """Return the rows of `golds`: the rank and stage of each gold id."""
    stages = {fate.gold: fate.stage for fate in row.fates}
    return [
        (run, row.retriever, row.question.id, gold, rank, stages.get(gold, ""))
        for gold, rank in row.ranks.items()
    ]


def as_question(values: Sequence[Any]) -> Query:
    """Build a question from the values of `QUESTION`; ValueError or TypeError if invalid."""
    id_, text, answers, gold, type_, dataset, origin, fields = values
    named = json.loads(gold)
    evidence: tuple[Evidence, ...] = ()
    marked: dict[str, Evidence] = {}
    unanswerable = False
    if isinstance(named, dict) and "" in named:
        evidence = evidence_of_rows(named[""]["evidence"])
        unanswerable = named[""].get("unanswerable", False)
        by_hand = named[""].get("marked", {})
        marked = dict(zip(by_hand, evidence_of_rows(by_hand.values()), strict=True))
        named = named[""]["gold"]
    return Query(
        id=id_,
        text=text,
        answers=tuple(json.loads(answers)),
        gold=tuple(named),
        type=type_,
        dataset=dataset,
        origin=origin,
        fields=dict(json.loads(fields)),
        grades=named if isinstance(named, dict) else {},
        evidence=evidence,
        marked=marked,
        details={"answerable": ("no",)} if unanswerable else {},
    )


def as_row(values: Sequence[Any]) -> Row:
    """Build a row from the values of `ROW` and `QUESTION`; ValueError or TypeError if invalid."""
    retriever, ranks, absent, hits, *numbers = values[:OF_ROW]
    seconds, embed_seconds, judgements, calls, tokens, kept, turned_to, decided, *rest = numbers
    found, fates, em, f1 = rest
    known, listed, gone = (json.loads(each) for each in (ranks, hits, absent))
    traced = tuple(map(Fate.from_json, json.loads(fates)))
    return Row(
        retriever=retriever,
        question=as_question(values[OF_ROW:]),
        ranks=dict(known),
        hits=tuple(listed),
        absent=tuple(gone),
        seconds=seconds,
        embed_seconds=embed_seconds,
        judgements=judgements,
        calls=calls,
        tokens=tokens,
        kept=kept,
        turned_to=turned_to,
        decided=decided,
        found=tuple(json.loads(found)),
        fates=traced or ranked_fates(dict(known), listed, gone),
        em=em,
        f1=f1,
    )
