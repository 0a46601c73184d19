"""Run a study, and look at what it found."""

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from core.api.opening import OpenIndex, allowed
from core.api.progress import run_with_bars
from core.errors import LeaveMissing
from core.jobs.study import asks_model, study_job, study_variants
from core.models.money.budget import NO_BUDGET, Budget
from core.settings import settings
from core.studies import Results, read_study, results_of
from core.studies.naming import label_of
from core.studies.results import cell_of
from core.text.display.plurals import number

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, eq=False)
class Studied:
    """The results of a study.

    Parameters
    ----------
    results : the study with a line for each retriever and index (`core.studies.Results`).
    """

    results: Results = field(repr=False)

    def to_frame(self, by: str = "") -> "pd.DataFrame":
        """Return a row for each retriever and measure: `n`, `mean`, and its interval.

        Shares are in percent, times in seconds. The interval is a 95% interval (Student's t).

        Parameters
        ----------
        by : a field of the questions, such as `type`; a row for each of its values too.
        """
        import pandas as pd

        from core.studies.results import groups_of

        rows = []
        for line in self.results.lines:
            for measure in self.results.study.measures:
                for group in ("", *groups_of(self.results, by)):
                    cell = cell_of(line, measure, by, group)
                    rows.append(
                        {
                            "retriever": label_of(line),
                            "measure": measure,
                            **({by: group or "all"} if by else {}),
                            "n": cell.n,
                            "mean": cell.mean,
                            "low": cell.low,
                            "high": cell.high,
                        }
                    )
        return pd.DataFrame(rows)

    def __repr__(self) -> str:
        return (
            f"<Studied: {self.results.study.title}; {number(len(self.results.lines), 'retriever')}>"
        )

    def _repr_html_(self) -> str:
        html: str = self.to_frame().round(2).to_html()
        return html


def study(
    path: str | os.PathLike[str],
    index: OpenIndex | None = None,
    *,
    budget: float | Budget | None = None,
) -> Studied:
    """Run a study and return what it found; a study that was stopped resumes.

    What earlier evaluations of the index have measured is not measured again.

    Parameters
    ----------
    path : a TOML file.
    index : the index to run on, for a study that names no data of its own.
    budget : the most that model calls may cost, in dollars.

    Raises
    ------
    InputError : the study or its data cannot be used.
    LeaveMissing : a model would be called, and there is no budget.
    BudgetReached : the budget is used up.
    """
    source = str(index.index.path) if index else ""
    source = str(index.index.path) if index else ""
    wanted = read_study(Path(path).resolve())
    if budget is None and settings().endpoint and asks_model(wanted):
        raise LeaveMissing(
            f"The study {wanted.name} calls the language model. Allow it with budget=, in dollars."
        )
    run_with_bars(study_job(wanted.path, source, allowed(budget) or NO_BUDGET))
    return Studied(results_of(wanted, study_variants(wanted, source)))
