"""Superscripts and subscripts in a text without layout: 1988² rather than 19882."""

_RAISED = str.maketrans("0123456789+-−=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱ")
_LOWERED = str.maketrans("0123456789+-−=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎")


def superscript(text: str, before: str) -> str:
    """Return `text` as a superscript after `before`: a power as ², but '1st' unchanged.

    >>> superscript("2", "m"), superscript("st", "1"), superscript("x+1", "e")
    ('²', 'st', '^(x+1)')
    """
    written = text.strip()
    if (written.isalpha() and len(written) > 1) or not before[-1:].strip():
        return text  # the end of '1st', or nothing that it is a power of
    return _small(written, _RAISED) or f"^({written})"


def subscript(text: str, before: str) -> str:
    """Return `text` as a subscript after `before`: unchanged, unless it would continue a number.

    >>> subscript("2", "H"), subscript("2", "10"), subscript("2a", "10")
    ('2', '₂', '_(2a)')
    """
    written = text.strip()
    if not (before[-1:].isdigit() and written[:1].isdigit()):
        return text
    return _small(written, _LOWERED) or f"_({written})"


def _small(text: str, letters: dict[int, int]) -> str:
    """Return `text` in small letters; empty if there is none for some of them."""
    small = text.translate(letters)
    return "" if any(each in text for each in small if each.strip()) else small
