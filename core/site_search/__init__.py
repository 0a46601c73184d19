"""Search over everything that the application shows: pages, questions, passages, runs, methods.

`entries` says what there is, `matching` ranks titles, and `searching` puts both together.
"""

from core.site_search.entries import Entry, Kind, index_entries, method_entries, run_entries
from core.site_search.searching import Group, IndexTexts, groups_of, search

__all__ = [
    "Entry",
    "Group",
    "IndexTexts",
    "Kind",
    "groups_of",
    "index_entries",
    "method_entries",
    "run_entries",
    "search",
]
