"""Questions that rules made, in the words of a person who asks them.

A question is matched by the words that it was made with, which say all that its sentence says
(`core.hop_graph.pseudo_queries`). It is shown as a sentence that is true English where no parser is
asked: a verb such as 'was' goes to the front, the subject of another verb is picked out, and
whatever else is said is asked about as a whole, in quotes where it may begin with a word that only
the beginning of a sentence has in capitals.
"""

import re
from collections.abc import Sequence

from core.text.scripts import language
from core.text.stop_words import STOP_WORDS
from core.text.table_rows import Cell, cells_of
from core.text.tokens import opening
from core.types import PseudoQuery

BY_RULES = "rules"
LONGEST_WORDS = 60
ENDS = " .!?…。！？؟,;:"
PRONOUNS = {"he": "who", "she": "who", "it": "which", "they": "which"}

_ABOUT = "What is known about "
_TOLD = re.compile(r"What is known about (.+?), (who|which) (.+)\?", re.DOTALL)
_RAISED = re.compile(r"Who or what is (.+?), as in “.*", re.DOTALL)
_AUXILIARIES = frozenset(
    "is was are were has had have can could will would may might must should does did do".split()
)
# What follows a name and is no verb of it.
_NO_VERBS = frozenset(
    "and or but of in at on by for from to with as near after before since until during who which "
    "that whose where when while also not".split()
)
_BRACKETED = re.compile(r"\([^()]*\)")
_HEADING_SIGN = re.compile(r"[:,;?|]\s|[!?|]|\d{4}$")
_KIND_OF_TEXT = re.compile(
    r"(?:Interview|Notes|Report|Minutes|Letter|Memo|Memorandum|Meeting|Proposal|Review|Summary|"
    r"Protocol|Introduction|Appendix)\b"
)
_LONGEST_NAME = 6  # words
# Small words of the names of things; one with others, as 'Letters to Sorrel', is a phrase.
_OF_NAMES = frozenset("of the and for in on at by".split())
_NO_SENTENCE = re.compile(r"\||```|^[\w-]+:\s|^(?:[*+-]|\d+[.)])\s")
_MARK = re.compile(r"^(?:(?:[*+-]|\d+[.)])\s+|```\w*\s*)|\s*```$")
_SHORTEST = 3  # words of a sentence
_CELL_WORDS, _COLUMNS_SHOWN = 8, 3  # of a row of a table
_PREDICATE = re.compile(r"((?:\s*\([^()]*\))?(?:\s*,[^,.;]{2,80},)?)\s+([a-z]+)\s+(.+)", re.DOTALL)
_JOINING = re.compile(
    r"(?:However|Meanwhile|Moreover|Furthermore|Therefore|Thus|Also|Finally|Additionally),\s+"
    r"|(?:And|But)\s+"
)
# 'He was born in Rome and left it': 'and left' no longer fits when 'was' is put first.
_ANOTHER_VERB = re.compile(
    rf"\b(?:and|but)\s+(?:\w+ly\s+)?(?:\w+ed|{'|'.join(sorted(_AUXILIARIES))}"
    rf"|{'|'.join(sorted(PRONOUNS))})\b"
)


def spoken(query: PseudoQuery, name: str = "") -> str:
    """`query` as it is shown; what a model made, or is not in English, is shown as it is.

    `name` is what the passage is called, for an out-coming question about what 'he' did.
    """
    if query.maker != BY_RULES or language(query.evidence) != "en":
        return query.text
    said = clause(query.evidence)
    raised = query.direction == "out"
    if cells := cells_of(query.evidence):
        return _raised_by_row(query, cells, name) if raised else _told_in_row(query, cells, said)
    asked = _raised(query.text, said, name) if raised else _told(query.text, said)
    return re.sub(r"\.([\"”’])\?$", r"\1?", asked)  # no full stop in front of the question mark


def clause(text: str) -> str:
    """A sentence without the sign at its end, and no longer than a question may be."""
    return opening(text, LONGEST_WORDS).rstrip(ENDS)


def _raised(text: str, said: str, name: str) -> str:
    found = _RAISED.fullmatch(text)
    if not found:
        return text
    if _is_fragment(said):
        return f"What else is known about {found[1]}, besides “{_unmarked(said)}”?"
    head, _, rest = said.partition(" ")
    follows = name and rest and head.casefold() in PRONOUNS and not _is_heading(name)
    told = f"{_quoted(name)} {rest}" if follows else _clause(said, name)
    return f"What else is known about {found[1]}, besides that {told}?"


def _raised_by_row(query: PseudoQuery, cells: Sequence[Cell], name: str) -> str:
    """What an entity in a table is asked about: the column and the row that it stands in."""
    found = _RAISED.fullmatch(query.text)
    if not found:
        return query.text
    cell = next((each for each in cells if found[1] in each.text), cells[0])
    row = "" if cell is cells[0] or cells[0].text == cell.label else _cropped(cells[0].text)
    places = [f"under “{cell.label}”"] * bool(cell.label) + [f"next to {row}"] * bool(row)
    if places:
        return f"What else is known about {found[1]}, listed {' '.join(places)}?"
    besides = f", besides what “{name}” says" if name and found[1] != name else ""
    return f"What else is known about {found[1]}{besides}?"


def _told_in_row(query: PseudoQuery, cells: Sequence[Cell], said: str) -> str:
    """What is asked of a row: what stands in its columns, for what its first cell names."""
    told = query.text.startswith(_ABOUT)
    name = query.text[len(_ABOUT) :].partition(f": {said}?")[0] if told else ""
    first, others = cells[0], [cell.label for cell in cells[1:] if cell.label]
    if first.text in others:  # 'Present: Ada Finch'
        return f"What {f'does “{name}” say' if name else 'is said'} under “{first.text}”?"
    where = f"does “{name}” list" if name else "is listed"
    row = f"What {where} next to {_cropped(first.text)}"
    return f"{row}, under {_columns(others)}?" if others else f"{row}?"


def _columns(labels: Sequence[str]) -> str:
    shown = [f"“{label}”" for label in labels[:_COLUMNS_SHOWN]]
    if more := len(labels) - len(shown):
        shown.append(f"{more} more column{'s' * (more > 1)}")
    return " and ".join(filter(None, (", ".join(shown[:-1]), shown[-1])))


def _cropped(cell: str) -> str:
    words = opening(cell, _CELL_WORDS)
    return f"“{words.rstrip(ENDS)} …”" if len(words) < len(" ".join(cell.split())) else f"“{words}”"


def _told(text: str, said: str) -> str:
    if text.startswith(_ABOUT) and text.endswith(f": {said}?"):
        name = text[len(_ABOUT) : -len(f": {said}?")]
        return _of_passage(name, said)
    if text == f"What is known here: {said}?":
        return f"Is it true that {_clause(said)}?"
    found = _TOLD.fullmatch(text)
    if found and said.endswith(found[3]):
        if _is_heading(found[1]):
            return f"Does “{found[1]}” say that {_clause(said, found[1])}?"
        return _of_subject(found[1], f" {found[3]}", found[2])
    return text


def _of_passage(name: str, said: str) -> str:
    """What `said` tells, in a passage called `name`: of that itself, if it opens the sentence."""
    for article in ("", "The ", "A ", "An "):
        if said.startswith(f"{article}{name} ") and language(name) == "en":
            subject = f"{article.lower()}{name}"
            return _of_subject(subject, said[len(subject) :], "which")
    if _is_fragment(said):
        return f"What does “{name}” say about “{_unmarked(said)}”?"
    if _is_heading(name):
        return f"Does “{name}” say that {_clause(said, name)}?"
    if name in said:
        return f"Is it true that {_clause(said, name)}?"
    return f"Is it true of {_quoted(name)} that {_clause(said, name)}?"


def _is_heading(name: str) -> bool:
    """Whether it is what a text is headed by rather than the name of a thing, as 'Ada Birch' is."""
    plain = [word for word in _BRACKETED.sub("", name).split() if word not in STOP_WORDS]
    small = sum(word[:1].islower() for word in plain)
    headed = _HEADING_SIGN.search(name) or _KIND_OF_TEXT.match(name)
    return small > 1 or len(plain) > _LONGEST_NAME or bool(headed)


def _quoted(name: str) -> str:
    """`name`, in quotes where it is a phrase, so that it does not run on into a sentence."""
    small = set(name.casefold().split()) & STOP_WORDS
    return f"“{name}”" if _is_heading(name) or small - _OF_NAMES else name


def _is_fragment(said: str) -> bool:
    """Whether it is no sentence: a few words, an item of a list, a line of code, 'Note: …'."""
    return len(said.split()) < _SHORTEST or bool(_NO_SENTENCE.search(said))


def _unmarked(said: str) -> str:
    """A fragment without the sign of its list, or of its block of code."""
    return _MARK.sub("", said) or said


def _of_subject(subject: str, rest: str, relative: str) -> str:
    """A question of what `rest`, the predicate of a sentence, says about `subject`."""
    subject, found = _quoted(subject), _PREDICATE.fullmatch(rest)
    aside, verb, object_ = found.groups() if found else ("", "", "")
    if not object_ or verb in _NO_VERBS:
        return f"Is it true that {subject}{rest}?"
    if verb in _AUXILIARIES and not _ANOTHER_VERB.search(object_):
        return f"{verb.capitalize()} {subject}{aside} {object_}?"
    if verb in _AUXILIARIES or aside:
        return f"Is it true that {subject}{rest}?"
    was = "Is" if verb.endswith("s") else "Was"
    return f"{was} it {subject} {'who' if relative == 'who' else 'that'} {verb} {object_}?"


def _clause(said: str, name: str = "") -> str:
    """`said` as it goes on after 'that': quoted unless it begins small, or with a name.

    Two capitals are a name, and so is a word of `name`, what the passage is called.
    """
    small = _lowered(said)
    head, _, rest = small.partition(" ")
    twice = head.casefold() == "that"
    fits = small[:1].islower() or head in name.split() or rest[:1].isupper()
    return small if fits and not twice else f"“{said}”"


def _lowered(said: str) -> str:
    """As it goes on after 'that': without 'However,' and a small word's capital.

    'A Day of Fury' is a title more often than one day of it.
    """
    said = _JOINING.sub("", said)
    head, _, rest = said.partition(" ")
    small = head.casefold()
    titled = small in ("a", "an") and rest[:1].isupper()
    return said if titled or head == "I" or small not in STOP_WORDS else f"{small} {rest}"
