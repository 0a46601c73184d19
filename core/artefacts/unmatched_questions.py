"""Questions that share no content word with any passage."""

from core.artefacts.lexical.postings import LEXICON
from core.artefacts.stored_artefacts import missing
from core.artefacts.workbench import Workbench
from core.store.index import Index


def nothing_found(index: Index, direction: str, *, words_only: bool) -> str:
    """Explain why a retriever found no passage, if the reason is certain.

    Parameters
    ----------
    direction : the direction on the retriever's card.
    words_only : whether it retrieves only passages that share a word with the question.
    """
    if words_only:
        return "No passage was found: no passage contains any query word as spelled."
    if direction and not index.meta.counts.edges:
        return (
            "No passage was found: the walk starts from edges, and the index has none. "
            "Start from passages instead (--set entry=hybrid), or run python -m core info "
            "to find the cause."
        )
    return "No passage was found."


def unmatched(workbench: Workbench, question: str, *, words_only: bool) -> str:
    """Warn if the question shares no content word with any passage; else empty.

    Parameters
    ----------
    words_only : whether the retriever then finds nothing, so that no warning is needed.
    """
    if words_only or missing((LEXICON,), workbench) or workbench.get(LEXICON).weights(question):
        return ""
    return (
        "No passage contains any content word of this query as spelled, so BM25 "
        "contributes nothing and passages are ranked by embedding similarity alone. Check "
        "spelling and accents, or rephrase the query."
    )
