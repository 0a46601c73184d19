"""The funnel of many questions by one retriever, with the rescue of each loss."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from core.artefacts.workbench import Workbench
from core.errors import InputError
from core.evidence import GoldLevel, asked_evidence, level_of_questions
from core.funnel.attempts import rescues
from core.funnel.data import Fate
from core.funnel.evidence_chain import chain_summary, positions
from core.funnel.fates import fates
from core.funnel.lists import Lists
from core.funnel.oracle import Oracle, oracle
from core.funnel.rescue import Rescue
from core.funnel.stages import STAGES, Stage
from core.playback import check
from core.playback.returned_texts import asked_by_text
from core.retrievers import Spec, make, spec_of
from core.types import Query

Counted = Callable[[int, int], None]
"""Called with the number of questions done and the total."""
GoldPassages = Mapping[str, Mapping[str, Sequence[str]]]
"""By question the passages that its gold ids stand for."""


@dataclass(frozen=True, slots=True)
class FunnelRow:
    """The fates of the gold of one question.

    `rescues` has an entry for each lost gold, None where nothing that was tried keeps it.
    `best` is None of what does not walk.
    """

    question: Query
    fates: tuple[Fate, ...]
    rescues: Mapping[str, Rescue | None]
    best: Oracle | None


@dataclass(frozen=True, slots=True)
class Funnel:
    """A row for each question with gold."""

    retriever: str
    rows: tuple[FunnelRow, ...] = field(repr=False)

    @property
    def level(self) -> GoldLevel:
        """The gold level."""
        return level_of_questions(row.question for row in self.rows)

    @property
    def stages(self) -> dict[Stage, int]:
        """Number of gold ids at each stage; they sum to all gold."""
        counted = Counter(fate.stage for row in self.rows for fate in row.fates)
        return {stage: counted[stage] for stage in STAGES}

    @property
    def losses(self) -> Iterator[tuple[Query, Fate, Rescue | None]]:
        """All gold that was lost, with its rescue."""
        for row in self.rows:
            for fate in row.fates:
                if fate.lost:
                    yield row.question, fate, row.rescues.get(fate.gold)

    @property
    def best(self) -> tuple[int, int] | None:
        """Gold ids the best choices retrieve and those retrieved; None without a walk."""
        bounds = [row.best for row in self.rows if row.best]
        kept = sum(not fate.lost for row in self.rows if row.best for fate in row.fates)
        return (sum(bound.kept for bound in bounds), kept) if bounds else None

    def to_json(self) -> dict[str, Any]:
        """Return the report as JSON values: the number of gold ids per stage, and each question."""
        return {
            "retriever": self.retriever,
            "gold": self.level,
            "stages": self.stages,
            "questions": [_row_json(row) for row in self.rows],
        }


def _row_json(row: FunnelRow) -> dict[str, Any]:
    """Return a row as JSON; a fate's `evidence` has the text and hop of its evidence, if known."""
    evidence, chain = asked_evidence(row.question), positions(row.question)
    lost = [fate.gold for fate in row.fates if fate.lost]

    def fate_json(fate: Fate) -> dict[str, Any]:
        """Add to a fate its sentence, evidence, position in the chain, and fix."""
        fix, gold_evidence = row.rescues.get(fate.gold), evidence.get(fate.gold)
        position = chain.get(fate.gold)
        return {
            **fate.to_json(),
            "said": str(fate),
            **(
                {"evidence": {"text": gold_evidence.text, "hop": gold_evidence.hop}}
                if gold_evidence
                else {}
            ),
            **({"position": str(position)} if position else {}),
            "rescue": fix.to_json() if fix else None,
        }

    return {
        "id": row.question.id,
        "question": row.question.text,
        "fates": [fate_json(fate) for fate in row.fates],
        "chain": chain_summary(row.question, lost),
        "best": asdict(row.best) if row.best else None,
    }


def funnel(
    questions: Sequence[Query],
    workbench: Workbench,
    retriever: Spec | str,
    *,
    gold_passages: GoldPassages | None = None,
    rescue: bool = True,
    progress: Counted | None = None,
) -> Funnel:
    """Run `retriever` on every question that has gold, and report the fate of that gold.

    Parameters
    ----------
    gold_passages : by question id, the passages of each gold id; without it those of the index.
    rescue : whether to look for what would have retrieved each loss.

    Raises
    ------
    InputError : no question has gold, or there is no such retriever.
    """
    asked = [question for question in questions if question.gold]
    if not asked:
        raise InputError(
            "No question has gold. List the ids of the gold passages or documents under 'gold'."
        )
    spec = Spec.of(retriever)
    workbench.warm(spec.needs)
    bench = workbench.with_embedded([question.text for question in asked])
    rows = []
    for question in asked:
        rows.append(
            _funnel_row(
                question, bench, spec, (gold_passages or {}).get(question.id), rescue=rescue
            )
        )
        if progress:
            progress(len(rows), len(asked))
    return Funnel(str(spec_of(make(spec, workbench))), tuple(rows))


def _funnel_row(
    question: Query,
    workbench: Workbench,
    spec: Spec,
    passages_by_gold: Mapping[str, Sequence[str]] | None,
    *,
    rescue: bool,
) -> FunnelRow:
    """Retrieve one question and return the fates of its gold, with fixes if `rescue` is set."""
    index = workbench.index
    steps = tuple(make(spec, workbench).retrieve(question.text))
    check(steps)
    if matched := asked_by_text(steps, question, index, passages_by_gold):
        steps, passages_by_gold = matched.steps, matched.gold.passages
    row_fates = fates(
        steps, question.gold, index, passages_by_gold=passages_by_gold, lists=Lists(workbench)
    )
    fixes = (
        rescues(question.text, spec, workbench, steps, row_fates, passages_by_gold)
        if rescue
        else {}
    )
    return FunnelRow(
        question, row_fates, fixes, oracle(steps, question.gold, index, passages_by_gold)
    )
