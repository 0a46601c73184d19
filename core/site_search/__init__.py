"""Search over everything that the application shows, from pages and help to passages and runs.

`entries` says what there is, `matching` ranks titles, and `searching` puts both together.
"""

from core.site_search.entries import (
    Entry,
    Kind,
    help_entries,
    index_entries,
    method_entries,
    run_entries,
    setting_entries,
)
from core.site_search.searching import Group, IndexTexts, IndexTitles, groups_of, search

__all__ = [
    "Entry",
    "Group",
    "IndexTexts",
    "IndexTitles",
    "Kind",
    "groups_of",
    "help_entries",
    "index_entries",
    "method_entries",
    "run_entries",
    "search",
    "setting_entries",
]
