"""HopRAG's graph, its traversal, and what leads to them. Nothing here knows the screen.

The public names, for notebooks and scripts:

>>> from core import open_sample, retrieve, walkthrough  # doctest: +SKIP
>>> hits = retrieve(open_sample(), "Which port does the ferry of Selby serve?")  # doctest: +SKIP
>>> hits.to_frame()  # doctest: +SKIP
>>> walkthrough(hits)  # plays in a notebook  # doctest: +SKIP
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from core.api.evaluating import Evaluated as Evaluated
    from core.api.evaluating import evaluate as evaluate
    from core.api.evaluating import import_results as import_results
    from core.api.losing import losses as losses
    from core.api.opening import OpenIndex as OpenIndex
    from core.api.opening import build as build
    from core.api.opening import open_index as open_index
    from core.api.opening import open_sample as open_sample
    from core.api.retrieving import Hits as Hits
    from core.api.retrieving import list_retrievers as list_retrievers
    from core.api.retrieving import retrieve as retrieve
    from core.api.showing import corpus_map as corpus_map
    from core.api.showing import walkthrough as walkthrough
    from core.api.studying import Studied as Studied
    from core.api.studying import study as study

_PUBLIC = {
    "opening": ("OpenIndex", "build", "open_index", "open_sample"),
    "retrieving": ("Hits", "list_retrievers", "retrieve"),
    "evaluating": ("Evaluated", "evaluate", "import_results"),
    "losing": ("losses",),
    "showing": ("corpus_map", "walkthrough"),
    "studying": ("Studied", "study"),
}
_MODULES = {name: module for module, names in _PUBLIC.items() for name in names}

__all__ = [
    "Evaluated",
    "Hits",
    "OpenIndex",
    "Studied",
    "build",
    "corpus_map",
    "evaluate",
    "import_results",
    "list_retrievers",
    "losses",
    "open_index",
    "open_sample",
    "retrieve",
    "study",
    "walkthrough",
]


def __getattr__(name: str) -> Any:
    """Load a public name on first use: importing `core` itself stays fast."""
    if name not in _MODULES:
        raise AttributeError(f"module 'core' has no attribute {name!r}")
    return getattr(import_module(f"core.api.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
