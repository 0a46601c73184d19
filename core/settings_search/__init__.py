"""A search over the settings of a retriever for a whole question set, tested on held-out questions.

Each setting is tried one at a time from the base, then the best two together. Settings are chosen
on one half of the questions and compared with the base on the other, and the other way round. A
search is a run: it is stored, resumed and cancelled as one, and each of its numbers has questions.
"""

from core.settings_search.findings import Compared, Findings, Tried, findings
from core.settings_search.grid import MOST, Axis, axes_of, read_axis
from core.settings_search.halves import halves
from core.settings_search.searching import begin_search, search

__all__ = [
    "MOST",
    "Axis",
    "Compared",
    "Findings",
    "Tried",
    "axes_of",
    "begin_search",
    "findings",
    "halves",
    "read_axis",
    "search",
]
