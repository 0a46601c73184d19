"""Warming up: a retrieval before the first one that is timed."""

from core.artefacts.workbench import WARM_UP, Workbench
from core.retrievers.spec import Spec, make


def warm_up(spec: Spec, workbench: Workbench) -> None:
    """Load what a retrieval by `spec` reads, so that its first question is timed like the others.

    Each spec is warmed up once for a workbench and its copies, by an untimed retrieval for a text
    that is no question: a reranker keeps the scores of those. Nothing is asked of a language model
    or of a custom retriever, whose calls may cost money; for them artefacts are only opened.

    Raises
    ------
    ArtefactMissing : an artefact has to be built first, and the workbench builds none.
    """
    if str(spec) in workbench.warmed:
        return
    workbench.warm(spec.needs)
    asks = spec.asks_model and workbench.oracle is not None
    if not asks and not any(one.card.family == "custom" for one in spec.all_of_it()):
        for _ in make(spec, workbench).retrieve(WARM_UP):
            pass
    workbench.warmed.add(str(spec))
