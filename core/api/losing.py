"""Lost gold, and the fixes that would have retrieved it."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from core.api.evaluating import Questions, questions_of
from core.api.opening import OpenIndex
from core.api.progress import progress_bars
from core.api.retrieving import RETRIEVER
from core.artefacts.workbench import Workbench
from core.evidence import GoldLevel
from core.funnel.report import Funnel, funnel
from core.funnel.stages import STAGES
from core.marks import asked_gold
from core.marks.gold import golds_of_queries, passages_by_gold_id
from core.retrievers import Spec
from core.types import Query

if TYPE_CHECKING:
    import pandas as pd


def losses(
    index: OpenIndex,
    retriever: str | Spec = RETRIEVER,
    questions: Questions = None,
    *,
    gold: GoldLevel = "evidence",
    fixes: bool = True,
    **settings: object,
) -> "pd.DataFrame":
    """Return a row for each piece of gold, with its stage of loss.

    `rank` is its rank if it was retrieved. `fix` is the cheapest single change that would have
    retrieved it; empty if none that was tried does. No model is called.

    Parameters
    ----------
    questions : a question file or questions; those of the index by default.
    fixes : look for the fix of each loss.
    settings : settings of the retriever by name.

    Raises
    ------
    InputError : no question has gold, or there is no such retriever or setting.
    """
    import pandas as pd

    spec = Spec.of(retriever).with_settings(**settings)
    asked, _ = questions_of(index, questions, gold)
    level = gold if questions is None else None
    with index.asking([spec], None) as workbench:
        measured = measured_losses(workbench, spec, asked, level, fixes=fixes)
    rows = []
    for row in measured.rows:
        known = asked_gold(row.question).evidence
        for fate in row.fates:
            saved = row.rescues.get(fate.gold)
            rows.append(
                {
                    "question": row.question.text,
                    "gold": known[fate.gold].text if fate.gold in known else fate.gold,
                    "stage": STAGES[fate.stage],
                    "lost": fate.lost,
                    "rank": fate.rank,
                    "explanation": str(fate),
                    "fix": str(saved) if saved else "",
                }
            )
    return pd.DataFrame(rows)


def measured_losses(
    workbench: Workbench,
    spec: Spec,
    questions: Sequence[Query],
    level: GoldLevel | None,
    *,
    fixes: bool,
) -> Funnel:
    """Return the funnel of a retriever, with a progress bar.

    Parameters
    ----------
    level : what counts as gold of questions of the index; None for questions from elsewhere, whose
        gold is taken as it is.

    Raises
    ------
    InputError : no question has gold.
    """
    own = workbench.index
    gold_passages: dict[str, Mapping[str, Sequence[str]]]
    if level:
        golds = golds_of_queries(own, questions, level)
        gold_passages = {
            query.id: each.passages for query, each in zip(questions, golds, strict=True)
        }
    else:
        gold_passages = {query.id: passages_by_gold_id(query, own) for query in questions}
    with progress_bars() as bars:
        task = bars.add_task("Asking")
        return funnel(
            questions,
            workbench,
            spec,
            gold_passages=gold_passages,
            rescue=fixes,
            progress=lambda done, total: bars.update(task, completed=done, total=total),
        )
