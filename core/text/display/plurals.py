"""Counts and nouns in the singular and the plural, as a sentence needs them."""

import re

_COUNT = re.compile(r"[\d,]+(?:(?:, | and | to )[\d,]+)*")
_DIGITS = ("One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine")
_SPELLED = {str(digit): word for digit, word in enumerate(_DIGITS, start=1)}


def counted(count: int, one: str, many: str) -> str:
    """Return `count` and the words for one or for many, verb included.

    >>> counted(1, "row has", "rows have"), counted(1203, "row has", "rows have")
    ('1 row has', '1,203 rows have')
    """
    return f"{count:,} {one if count == 1 else many}"


def number(count: int, noun: str) -> str:
    """Return a count with its noun: `1 edge`, `1,203 edges`."""
    return f"{count:,} {agreeing(count, noun)}"


def agreeing(count: int, noun: str) -> str:
    """Return a noun in the singular or plural, as `count` requires.

    >>> agreeing(1, "passages"), agreeing(0, "passage")
    ('passage', 'passages')
    """
    return singular(noun) if count == 1 else several(noun)


def ordinal(number: int) -> str:
    """Return a rank as an ordinal.

    >>> [ordinal(rank) for rank in (1, 2, 3, 11, 13, 22, 112, 1203)]
    ['1st', '2nd', '3rd', '11th', '13th', '22nd', '112th', '1,203rd']
    """
    teen = number % 100 in (11, 12, 13)
    end = "th" if teen else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number:,}{end}"


def singular(noun: str) -> str:
    """Return the singular of a noun.

    >>> singular("edges"), singular("entities"), singular("searches"), singular("field values")
    ('edge', 'entity', 'search', 'field value')
    """
    if noun.endswith("ies"):
        return f"{noun[:-3]}y"
    if noun.endswith(("ches", "shes", "xes")):
        return noun[:-2]
    return noun[:-1] if noun.endswith("s") and not noun.endswith("ss") else noun


def several(noun: str) -> str:
    """Return the plural of a noun.

    >>> several("entity"), several("edges"), several("search")
    ('entities', 'edges', 'searches')
    """
    if noun != singular(noun):
        return noun
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("ch", "sh", "x", "ss")) else f"{noun}s"


def quantity(value: str, title: str) -> str:
    """Return a setting and its value, or several values, as a phrase.

    >>> quantity("1", "hops"), quantity("2 to 6", "hops"), quantity("5", "top k")
    ('1 hop', '2 to 6 hops', 'top k 5')
    >>> quantity("1", "edges followed per passage"), quantity("same as top k", "seeds")
    ('1 edge followed per passage', 'as many seeds as the top k')
    """
    unit, space, rest = title.partition(" ")
    if unit == singular(unit):
        return f"{title} {value}"
    if value.startswith("same as "):
        return f"as many {title} as the {value.removeprefix('same as ')}"
    if not _COUNT.fullmatch(value):
        return f"{title} {value}"
    return f"{value} {singular(unit) if value == '1' else unit}{space}{rest}"


def is_plural(quantity_: str) -> bool:
    """Return whether a phrase made by `quantity` takes a plural verb."""
    return quantity_[:1].isdigit() and not quantity_.startswith("1 ")


def spelled_first(text: str) -> str:
    """Return a text whose first word, a number below 10, is spelled out.

    >>> spelled_first("1 hop"), spelled_first("12 seeds"), spelled_first("BM25")
    ('One hop', '12 seeds', 'BM25')
    """
    first, space, rest = text.partition(" ")
    return f"{_SPELLED.get(first, first)}{space}{rest}"
