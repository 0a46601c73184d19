"""Results of other retrieval pipelines: read, matched to passages, and measured like our own."""

from core.corpus.record_formats.retrieved_results import Context, Result
from core.evidence.contexts import ContextMatch, MatchStep, matched_contexts
from core.pipelines.beside import Beside, Imported, beside, imported_columns, imported_of
from core.pipelines.imported import ALLOWED, ImportedResults
from core.pipelines.importing import MOST, begin_imported_run, import_results, read_results
from core.pipelines.reading import results_of_file, traces_of_file
from core.pipelines.traced import trace_of

__all__ = [
    "ALLOWED",
    "MOST",
    "Beside",
    "Context",
    "ContextMatch",
    "Imported",
    "ImportedResults",
    "MatchStep",
    "Result",
    "begin_imported_run",
    "beside",
    "import_results",
    "imported_columns",
    "imported_of",
    "matched_contexts",
    "read_results",
    "results_of_file",
    "trace_of",
    "traces_of_file",
]
