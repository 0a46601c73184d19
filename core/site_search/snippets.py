"""Find the sentence of a text that matches the search."""

from core.evidence import Piece, excerpt, marked
from core.text.sentences import sentences
from core.text.stop_words import STOP_WORDS
from core.text.tokens import normal, tokens

LONGEST = 180
"""Characters of a sentence that is shown whole."""
_AROUND = 60


def snippet(text: str, typed: str) -> tuple[Piece, ...]:
    """Return the sentence of `text` with most words of `typed`, the words marked.

    A long sentence is cut around the words. Without any word it is the beginning of the text.
    """
    wanted = {normal(token.text) for token in tokens(typed)} - STOP_WORDS
    held = [(_places(one, wanted), one) for one in sentences(text)] if wanted else []
    places, best = max(held, key=lambda pair: len({word for word, _ in pair[0]}), default=([], ""))
    if not places:
        return tuple(excerpt(text, (), LONGEST // 2))
    spans = [span for _, span in places]
    return tuple(marked(best, spans) if len(best) <= LONGEST else excerpt(best, spans, _AROUND))


def _places(sentence: str, wanted: set[str]) -> list[tuple[str, tuple[int, int]]]:
    """Return the wanted words of a sentence with their positions."""
    known = ((normal(token.text), (token.start, token.end)) for token in tokens(sentence))
    return [(word, place) for word, place in known if word in wanted]
