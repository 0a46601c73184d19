"""Numbers, lists and long texts as a sentence has them."""

from collections.abc import Callable, Sequence

from core.retrievers import Spec
from core.text.display.passage_labels import shortened
from core.text.display.plurals import number

Title = Callable[[str], str]
"""Returns the title of a node by its id."""
QUOTE = 72
"""Characters of a text that a sentence quotes."""
TITLE = 40
"""Characters of a title."""
SHORT = 60
"""Characters in which three names are all named."""
SPELLED_OUT = 2
"""Names of a list that are told; of more, the rest is counted."""


def lasting(seconds: float) -> str:
    """Format a duration.

    >>> lasting(0.0002), lasting(0.034), lasting(1.234)
    ('under 1 ms', '34 ms', '1.23 s')
    """
    if seconds >= 1:
        return f"{seconds:.2f} s"
    return f"{1000 * seconds:.0f} ms" if seconds >= 0.0005 else "under 1 ms"


def begun(text: str) -> str:
    """`text` as the beginning of a sentence; names such as BM25 keep their letters."""
    return text[:1].upper() + text[1:]


def ended(text: str) -> str:
    """Return a phrase as a sentence of its own; nothing of nothing.

    >>> ended("out of reach"), ended("Rank 2."), ended("")
    ('Out of reach.', 'Rank 2.', '')
    """
    if text.endswith("?"):
        return begun(text)
    return without_double_stop(f"{begun(text).rstrip('.')}.") if text else ""


def called(retriever: str) -> str:
    """Return the title of a retriever by its key or spec.

    The word itself where there is no such one.

    >>> called("hoprag-coverage(n_hop=2)"), called("of-tomorrow")
    ('HopRAG (coverage)', 'of-tomorrow')
    """
    spec = Spec.known(retriever)
    return spec.card.title if spec else retriever


def with_current_gold(retriever: str) -> str:
    """Return the same in a sentence, where one that is called as its family is has no name of its
    own.

    >>> with_current_gold("hybrid"), with_current_gold("bm25")
    ('hybrid search', 'BM25')
    """
    spec, name = Spec.known(retriever), called(retriever)
    return f"{name.lower()} search" if spec and name.lower() == spec.card.family else name


def series(names: Sequence[str]) -> str:
    """
    >>> series(["A"]), series(["A", "B"]), series(["A", "B", "C"])
    ('A', 'A and B', 'A, B and C')
    """
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


def join_names(names: Sequence[str]) -> str:
    """Join names as `a`, `a and b` or `a, b and 3 more`; three short names are all written."""
    if len(names) <= SPELLED_OUT:
        return " and ".join(names)
    if len(names) == SPELLED_OUT + 1 and sum(map(len, names)) <= SHORT:
        return f"{', '.join(names[:-1])} and {names[-1]}"
    more = len(names) - SPELLED_OUT
    return f"{', '.join(names[:SPELLED_OUT])} and {more:,} more"


BY_RULE = "rule-based (no model)"
"""Who speaks where rules stand in for a model, in whatever role."""


def voice(by: str) -> str:
    """Return the display name of a speaker.

    >>> voice("reasoner"), voice("rules (reasoner)")
    ('reasoner', 'rule-based (no model)')
    """
    return BY_RULE if by.partition(" (")[0] == "rules" else by


def without_double_stop(text: str) -> str:
    """Remove the full stop after a quotation that ends with its own stop or an ellipsis.

    >>> without_double_stop("It says: 'home in…'."), without_double_stop("It says: 'We are home.'.")
    ("It says: 'home in…'", "It says: 'We are home.'")
    """
    return text.replace("…'.", "…'").replace(".'.", ".'")


def cropped(text: str, room: int = QUOTE) -> str:
    """Return a text in one line; a question may be as long as a passage.

    >>> cropped("two   lines")
    'two lines'
    """
    return shortened(" ".join(text.split()), room)


def not_asked_told(steps: Sequence[int]) -> str:
    """Return that a walk ends early at `steps`, whose model replies are not stored."""
    of = number(len(steps), "step")
    end = "so the walk does not continue from there. The walkthrough marks where."
    return f"No model reply is stored for {of}, {end}"
