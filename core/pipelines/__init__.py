"""Results of other retrieval pipelines: read, matched to passages, and measured like our own."""

from core.pipelines.importing import ALLOWED, MOST, ImportedResults, import_results, read_results
from core.pipelines.matching import ContextMatch, MatchStep, matched_contexts
from core.pipelines.reading import results_of_file
from core.pipelines.results import Context, Result

__all__ = [
    "ALLOWED",
    "MOST",
    "Context",
    "ContextMatch",
    "ImportedResults",
    "MatchStep",
    "Result",
    "import_results",
    "matched_contexts",
    "read_results",
    "results_of_file",
]
