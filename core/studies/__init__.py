"""Studies: grids of retrievers and settings on a data set, presented as papers present them.

A study is a TOML file. Running it stores a run with each of its indexes (`core.runs`), so that it
is resumed and cancelled as an evaluation is, and each of its numbers leads to questions.
"""

from core.studies.definition import Paper, Study, View
from core.studies.measuring import study_run
from core.studies.reading import parse_study, read_study
from core.studies.results import Cell, Line, Results, results_of
from core.studies.table import Table, paper_table, table_of
from core.studies.variants import Variant, variants_of

__all__ = [
    "Cell",
    "Line",
    "Paper",
    "Results",
    "Study",
    "Table",
    "Variant",
    "View",
    "paper_table",
    "parse_study",
    "read_study",
    "results_of",
    "study_run",
    "table_of",
    "variants_of",
]
