"""Questions with the gold that they have now, as a file to evaluate with."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from core.corpus.gold.given_evidence import as_given
from core.evidence.holders import evidence_by_id, evidence_ids
from core.evidence.stored import evidence_rows
from core.marks.gold import Gold
from core.types import Evidence, Query


def as_file(marked: Iterable[tuple[Query, Gold]]) -> bytes:
    """Return a question file of `marked_questions`, a line each."""
    return "".join(f"{question_line(query, gold)}\n" for query, gold in marked).encode()


def question_line(query: Query, gold: Gold) -> str:
    """Return a question with its gold as a line of a question file, which says what is marked by
    hand.

    It lists gold documents, marked passages and texts of evidence (see
    `core.evaluation.read_questions`). Removed evidence is left out, and so is a document without
    other evidence. If there is evidence, marks are written as evidence, too, so that an index with
    another chunking finds their text.
    """
    evidence, own = _evidence_left(query, gold), set(evidence_ids(query))
    named = _gold_ids(query, gold, evidence)
    evidence += _marks_as_evidence(gold, named)
    row: dict[str, Any] = {
        "id": query.id,
        "question": query.text,
        "answers": list(query.answers),
        "gold": named,
        "evidence": _evidence_rows(evidence),
        "gold_by_hand": list(gold.added),
        "gold_removed": list(gold.removed),
        "gold_not_in_index": [name for name in gold.absent if name not in own],
        "gold_marked": marks_by_id(gold),
        "type": query.type,
        "dataset": query.dataset,
    }
    if said := query.details.get("answerable"):
        row["answerable"] = said != ("no",)
    return json.dumps(row, ensure_ascii=False)


def _evidence_left(query: Query, gold: Gold) -> list[Evidence]:
    gone = gold.taken_away
    named = evidence_by_id(query).items()
    return [each for name, each in named if name not in gone]


def marks_by_id(gold: Gold) -> dict[str, dict[str, str]]:
    """Return, by id, who marked it by hand and when, and its text or the selected words."""
    texts = {name: {"text": each.text} for name, each in gold.marked.items() if each.text}
    return {name: {**made._asdict(), **texts.get(name, {})} for name, made in gold.made.items()}


def _marks_as_evidence(gold: Gold, named: Sequence[str]) -> list[Evidence]:
    """Return the gold marked by hand as evidence, if the question has any evidence.

    A reader takes evidence for all that is gold, so documents named beside it are evidence as well.
    """
    if gold.evidence.keys().isdisjoint(gold.ids):
        return []
    whole = [name for name in named if name in gold.given]
    marked = [each for name in gold.added if (each := gold.marked.get(name)) and each.text]
    return [*(Evidence("", "paragraph", name) for name in whole), *marked]


def _gold_ids(query: Query, gold: Gold, left: Iterable[Evidence]) -> list[str]:
    """Return the gold ids of a question; ids of evidence mean nothing outside this index."""
    if set(evidence_ids(query)).isdisjoint(gold.given):
        return [name for name in gold.ids if name not in gold.evidence]
    gone = {each.document for each in query.evidence} - {each.document for each in left}
    by_hand = (name for name in gold.added if name not in gold.evidence)
    return [*(name for name in query.gold if name not in gone), *by_hand]


def _evidence_rows(evidence: Sequence[Evidence]) -> list[dict[str, Any]]:
    """Return evidence without the passages of this index.

    The document is always there: a reader takes one that is missing from the question's gold.
    """
    rows = evidence_rows(list(map(as_given, evidence)))
    return [{"document": each.document, **row} for each, row in zip(evidence, rows, strict=True)]
