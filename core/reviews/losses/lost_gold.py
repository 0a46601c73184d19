"""The gold that a reviewed result lost, in words: by how much, and what would have retrieved it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from core.artefacts.workbench import Workbench
from core.corpus.gold.near_titles import MOST_TITLES, did_you_mean, near_titles
from core.evidence import GoldLevel
from core.funnel.changes import TOP_K
from core.funnel.data import Fate
from core.funnel.evidence_chain import with_position
from core.funnel.rescue import Rescue, nothing_keeps
from core.marks import asked_text
from core.marks.applying import passages_of
from core.marks.store import question_key
from core.playback.wording import cropped
from core.retrievers import Spec
from core.reviews.review import Key, Review
from core.runs import Row, Run, Runs, Where
from core.runs.fixes import Found, all_known, lost_of
from core.runs.gold import level_of
from core.store.index import Index

NOT_LOOKED_FOR = "not searched yet"
NOT_INDEXED = "not in the index, so no setting can retrieve it"
ELSEWHERE = "no fix can be tried: the ranking was imported"


@dataclass(frozen=True, slots=True)
class Lost:
    """A gold passage that was lost.

    `title` names it, `stage` is where, in words, and `how` by how much. `kept_by` is the change
    that would have retrieved it, or what was tried, or that nobody has looked; `is_kept` tells the
    change from the rest. `evidence` is what the passage holds of it.
    """

    gold: str
    title: str
    stage: str
    how: str
    kept_by: str
    is_kept: bool = False
    evidence: str = ""

    @property
    def is_known(self) -> bool:
        """Whether a search for a fix has ended, with or without a fix."""
        return self.kept_by != NOT_LOOKED_FOR


@dataclass(frozen=True, slots=True)
class Case:
    """A result: the type of its question, the gold that it lost, and what counts as gold."""

    type: str = ""
    lost: tuple[Lost, ...] = ()
    level: GoldLevel | Literal[""] = ""


Cases = Mapping[Key, Case]


def rows_of(reviews: Iterable[Review], run: Run, runs: Runs) -> list[Row]:
    """Return the rows of `run` that `reviews` are about, each once."""
    ids = {question_key(query.text): query.id for query in runs.questions(run.id)}
    keys = dict.fromkeys(one.key for one in reviews if one.question in ids)
    rows: list[Row] = []
    for retriever in run.retrievers:
        asked = tuple(ids[question] for question, by in keys if by == retriever)
        if asked:
            where = Where(questions=asked)
            rows += runs.rows(run.id, retriever, where, order="asked", limit=len(asked))
    return rows


def cases(rows: Sequence[Row], run: Run, workbench: Workbench) -> dict[Key, Case]:
    """Return the case of each row by its key, with the fixes found earlier."""
    return {
        (question_key(row.question.text), row.retriever): Case(
            row.question.type, losses(row, known, workbench), level_of(run)
        )
        for row, known in zip(rows, all_known(run, rows, workbench), strict=True)
    }


def losses(row: Row, known: Found, workbench: Workbench) -> tuple[Lost, ...]:
    """Return the lost gold of a row, with the fixes in `known`."""
    return tuple(
        Lost(
            gold=fate.gold,
            title=titled(fate, row, workbench.index),
            stage=fate.words,
            how=with_position(row.question, fate.gold, fate.details),
            kept_by=fix_description(row.retriever, fate, known, workbench.index),
            is_kept=bool((rescue := known.get(fate.gold)) and rescue.keeps),
            evidence=_evidence(fate, row, workbench.index),
        )
        for fate in lost_of(row)
    )


def _evidence(fate: Fate, row: Row, index: Index) -> str:
    evidence = asked_text(row.question, fate.gold)
    return evidence.text if evidence and fate.passage in index.number else ""


def titled(fate: Fate, row: Row, index: Index) -> str:
    """Return the title of a gold passage, or else its evidence, or else its id."""
    if fate.passage in index.number:
        return index.titled(fate.passage).title
    evidence = asked_text(row.question, fate.gold)
    held = passages_of(index, fate.gold)
    if evidence:
        return cropped(evidence.text)
    return index.titled(held[0]).title if held else fate.gold


def title(fate: Fate, workbench: Workbench) -> str:
    """Return the title of a passage, or its id if it has no title or is not in the index."""
    index = workbench.index
    known = fate.passage in index.number
    return index.titled(fate.passage).title if known else fate.gold


def not_indexed(gold: str, index: Index | None) -> str:
    """Say that no setting retrieves gold that is not in the index, and what to do.

    A reference that resembles a title of a document is probably misspelt; otherwise the document
    is missing.
    """
    near: Sequence[str] = ()
    if index and len(index.documents) <= MOST_TITLES:
        near = near_titles([gold], (each.title for each in index.documents)).get(gold, ())
    return f"{NOT_INDEXED}. {did_you_mean(near)}" if near else f"{NOT_INDEXED}: add its document"


def fix_description(retriever: Spec | str, fate: Fate, known: Found, index: Index) -> str:
    """Describe the change that would have retrieved lost gold, or which changes were tried."""
    if fate.stage == "absent":
        return not_indexed(fate.gold, index)
    if Spec.known(str(retriever)) is None:
        return ELSEWHERE
    if fate.gold not in known:
        return NOT_LOOKED_FOR
    rescue = known[fate.gold]
    if rescue is None or not rescue.keeps:
        return nothing_keeps(retriever, fate, rescue)
    return told_of(rescue, fate)


def told_of(rescue: Rescue, fate: Fate) -> str:
    """Describe a change; for a larger top k, also why the former rank is not enough."""
    return "; ".join(filter(None, (str(rescue), why_more(rescue, fate))))


def why_more(rescue: Rescue, fate: Fate) -> str:
    """Explain why a top k equal to the former rank is not enough, or return ""."""
    value = int(str(Spec.parse(rescue.retriever).values.get(TOP_K, 0)))
    if (
        rescue.kind == TOP_K
        and rescue.seeds
        and fate.stage == "cut"
        and (fate.rank or value) < value
    ):
        return f"top k {fate.rank} is not enough because ranks change with the number of seeds"
    return ""
