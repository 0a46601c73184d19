"""A question that no passage shares a word with: what is found for it is near by chance."""

from core.artefacts.lexicon import LEXICON
from core.artefacts.shelf import missing
from core.artefacts.workbench import Workbench


def unmatched(workbench: Workbench, question: str) -> str:
    """What is to be said of such a question; empty of any other, or where no list of words is."""
    if missing((LEXICON,), workbench) or workbench.get(LEXICON).weights(question):
        return ""
    return (
        "No passage has a word of this question that carries its meaning: nothing matched it, and "
        "whatever is found is near by chance. Look for a slip of the keys, or ask in other words."
    )
