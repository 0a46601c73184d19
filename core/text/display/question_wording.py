"""Wording of rule-generated questions for display: short, complete, and about one subject.

A question is matched by the words that it was made with, which hold those of its sentence
(`core.hop_graph.pseudo_queries`). What is shown does not repeat the sentence, so that who chooses
among questions, a model or a reader, does not see the answer. No parser is asked: a few frequent
forms of sentences have a question of their own ('was a', 'was founded in', 'was born'), and any
other is asked about by what else it names.
"""

import re
from collections.abc import Iterator

from core.text.import_sources import GRAPH
from core.text.scripts import language
from core.text.stop_words import STOP_WORDS
from core.text.table_rows import cells_of
from core.text.tokens import opening
from core.types import PseudoQuery

BY_RULES = "rules"
LONGEST_WORDS = 60
ENDS = " .!?…。！？؟,;:"
PRONOUNS = {"he": "who", "she": "who", "it": "which", "they": "which"}

_ABOUT = re.compile(r"What is known about (.+?)(?:, (who|which) |: )(.+)\?", re.DOTALL)
_HERE = "What is known here: "
_RAISED = re.compile(r"Who or what is (.+?), as in “.*", re.DOTALL)
_BRACKETED = re.compile(r"\([^()]*\)")
_HEADING_SIGN = re.compile(r"[:,;?|]\s|[!?|]|\d{4}$")
_KIND_OF_TEXT = re.compile(
    r"(?:Interview|Notes|Report|Minutes|Letter|Memo|Memorandum|Meeting|Proposal|Review|Summary|"
    r"Protocol|Introduction|Appendix)\b"
)
_LONGEST_NAME = 6  # words
# Small words of the names of things; one with others, as 'Letters to Sorrel', is a phrase.
_OF_NAMES = frozenset("of the and for in on at by".split())
_ASIDE = r"(?:\s*\([^()]*\))?(?:\s*,[^,.;]{2,80},)?"
_BE = re.compile(rf"{_ASIDE}\s*\b(is|are|was|were)\s+(?:\w+ly\s+)?(.+)", re.DOTALL)
_DIED = re.compile(rf"{_ASIDE}\s*\bdied\b")
_DESCRIBED = re.compile(r"(?:an?|the|one of)\s")
_DONE = re.compile(
    r"(\w+ed|(?:re)?built|made|held|won|set|cut|laid|led|sold|lost|found|sent|put)\b(.*)", re.DOTALL
)
_BY = re.compile(r"\sby\s+(?:the\s+)?[A-Z]")
_YEAR = re.compile(r"\b(1[0-9]{3}|20[0-9]{2})\b")
_PLACE = re.compile(r"\s(?:in|at|near|on)\s+(?:the\s+)?[A-Z]")
_NAME = r"[A-Z][\w’'-]*(?:(?: (?:of|the|and|de|du|von|van|der|la))? [A-Z][\w’'-]*)"
# A single word that opens a sentence need not be a name.
_NAMED = re.compile(rf"^(?:The )?{_NAME}+|(?<=[\w,;:)”\"] ){_NAME}*")
_DAYS = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays "
    "thursdays fridays saturdays sundays january february march april may june july august "
    "september october november december i".split()
)
_PERSON = re.compile(
    r"\b(?:actor|actress|archaeologist|architect|artist|astronaut|athlete|author|bishop|"
    r"botanist|captain|chemist|coach|composer|conductor|cook|critic|designer|director|doctor|economist|editor|engineer|explorer|"
    r"farmer|footballer|forward|general|geologist|goalkeeper|historian|inventor|journalist|judge|king|lawyer|"
    r"linguist|manager|mathematician|mayor|minister|musician|nurse|officer|painter|philosopher|"
    r"photographer|physicist|pilot|player|poet|politician|president|priest|producer|professor|"
    r"queen|sailor|scholar|scientist|sculptor|secretary|senator|singer|soldier|striker|surgeon|"
    r"teacher|translator|winger|writer)\b"
)
_LARGEST_ROLE = 2  # words in front of a name, as in 'chief engineer Farida Nassour'


def spoken(query: PseudoQuery) -> str:
    """Return a question as displayed; questions from a model are unchanged.

    Examples
    --------
    >>> made = "What is known about Orrin Mill, which was built by Ada Finch in 1871?"
    >>> fact = "It was built by Ada Finch in 1871."
    >>> spoken(PseudoQuery("q", "p", "in", made, (), "rules", fact))
    'Who built Orrin Mill?'
    """
    if query.maker.startswith(GRAPH) and not query.evidence:
        return f"No question; leads to '{query.text}'"
    if query.maker != BY_RULES:
        return query.text
    if language(query.evidence) != "en":
        return f"{query.text.partition(': ')[0].rstrip(ENDS)}?"
    return _raised(query) if query.direction == "out" else _answered(query)


def clause(text: str) -> str:
    """Return a sentence without its final punctuation, shortened to the limit of a question."""
    return opening(text, LONGEST_WORDS).rstrip(ENDS)


def _raised(query: PseudoQuery) -> str:
    """Return the question a sentence raises about something it names, with its role."""
    match = _RAISED.fullmatch(query.text)
    if not match:
        return query.text
    before = query.evidence.partition(match[1])[0].split()[-_LARGEST_ROLE:]
    role = before[-1] if before and _PERSON.fullmatch(before[-1]) else ""
    if role and len(before) > 1 and before[0].casefold() == "chief":
        role = f"chief {role}"
    if role:
        return f"Who is {role} {match[1]}?"
    return f"What is known about {_quoted(match[1])}?"


def _answered(query: PseudoQuery) -> str:
    """Return the question that a sentence answers."""
    match = _ABOUT.fullmatch(query.text)
    if not match:
        return "What is known here?" if query.text.startswith(_HERE) else query.text
    subject, relative, said = match.groups()
    if cells_of(query.evidence):
        return f"What does '{subject}' list?"
    if relative:
        return _of_subject(subject, said, relative == "who")
    for article in ("", "The ", "A ", "An "):
        if said.startswith(f"{article}{subject} "):
            return _of_subject(f"{article.lower()}{subject}", said[len(article + subject) :], False)
    return _about(subject, said)


def _of_subject(subject: str, said: str, is_person: bool) -> str:
    """Return the question that `said`, a predicate of `subject`, answers."""
    if _is_heading(subject):
        return _about(subject, said)
    if _DIED.match(said):
        return f"When did {subject} die?" if _YEAR.search(said) else f"How did {subject} die?"
    match = _BE.match(said)
    return (match and _of_being(subject, match[1], match[2], is_person)) or _about(subject, said)


def _of_being(subject: str, verb: str, rest: str, is_person: bool) -> str:
    """Return the question that a sentence with 'be' answers; empty if its form has none."""
    if _DESCRIBED.match(rest):
        who = is_person or _PERSON.search(" ".join(rest.split()[:6]))
        return f"{'Who' if who else 'What'} {verb} {subject}?"
    if rest.startswith("born"):
        return f"When and where {verb} {subject} born?"
    done = _DONE.match(rest)
    if not done:
        return ""
    if _BY.search(done[2]):
        return f"Who {done[1]} {subject}?"
    if _YEAR.search(done[2]):
        return f"When {verb} {subject} {done[1]}?"
    return f"Where {verb} {subject} {done[1]}?" if _PLACE.search(done[2]) else ""


def _about(subject: str, said: str) -> str:
    """Return a question for any sentence, by another name in it or by its year."""
    other = next(_others(subject, said), "")
    shown = _quoted(subject)
    if _is_heading(subject):
        return f"What does {shown} say{f' about {other}' if other else ''}?"
    if other:
        return f"How is {shown} connected to {other}?"
    year = _YEAR.search(said)
    return f"What happened to {shown} in {year[0]}?" if year else f"What is known about {shown}?"


def _others(subject: str, said: str) -> Iterator[str]:
    """Yield the names in a sentence that share no word with its subject and are no dates."""
    own = set(subject.casefold().split()) | _DAYS
    for match in _NAMED.finditer(said):
        name = re.sub(r"[’']s?$", "", match[0])
        if not own & set(name.casefold().split()):
            yield name


def _is_heading(name: str) -> bool:
    """Check whether a text is a heading rather than the name of a thing."""
    plain = [word for word in _BRACKETED.sub("", name).split() if word not in STOP_WORDS]
    small = sum(word[:1].islower() for word in plain)
    headed = _HEADING_SIGN.search(name) or _KIND_OF_TEXT.match(name)
    return small > 1 or len(plain) > _LONGEST_NAME or bool(headed)


def _quoted(name: str) -> str:
    """Return `name`, in quotes if it is a phrase."""
    small = set(name.casefold().split()) & STOP_WORDS
    return f"'{name}'" if _is_heading(name) or small - _OF_NAMES else name
