"""Two-hop questions: join a sentence of one passage with a description from another.

If the first passage mentions the title of the second: 'The Ash meets the sea at something that was
founded in 1204. What is it?' Titles of reports and notes do not name what they are about; then a
name in the first that begins a sentence of the second is used: 'What does “Meeting, 9 May” say
about the lake that lies between Maren and Kesten?' Without a word for the kind of the named entity
there is no question, since 'something or someone that' is too vague.
"""

import re

from core.text.scripts import language
from core.text.sentences import sentences
from core.text.tokens import words
from core.types import Passage

_LEAD = (3, 18)  # words, at least and at most
_PREDICATE = (3, 14)
_READ = 1_500  # characters of a passage
_OPENING = 120  # characters that say what it is about
_BRACKETS = re.compile(r"\s*[(\[][^()\[\]]*[)\]]")
_PRONOUN = re.compile(r"(?:He|She|It|They) ")
# After one of these, a name is complete, not part of another name or of a noun.
_BEFORE = re.compile(
    r"(?:^|\s)([a-z][\w-]*) (by|with|to|of|from|under|at|in|for|near|against|after|into|on) $"
)
_AFTER = re.compile(
    r"[.,;:!?]|$|\s(?:and|in|on|at|from|during|until|after|before|while|where|when|as|which|who|with"
    r"|to|for|by)\b"
)
# A finite verb in the singular; regular ones are guessed by their ending.
_VERB = re.compile(
    r"(?:also |later |first |then |once |still |only |now )?"
    r"(?!(?:his|its|this|as|plus|across|unless|always|besides|born|named|called|based|located)\b)"
    r"(?:is|was|has|had|did|became|began|grew|came|won|wrote|made|took|held|led|lay|stood|built|left|"
    r"ran|met|went|gave|sold|fell|rose|found|taught|saw|spent|lost|drew|sang|flew|sank|fought|broke|"
    r"kept|cut|set|[a-z]{2,}(?:ed|s))\b"
)
_OPEN_END = re.compile(r"\b(?:by|with|to|of|from|under|at|in|for|and|or|the|a|an|as|but|that)$")
_UNEVEN = re.compile(r"[\"“”()\[\]]")
_PLACE = re.compile(
    r"\b(?:is|was) (?:an?|the|one of the)\s(?:\S+\s){0,3}?"
    r"(?:city|town|village|island|country|region|county|district|capital|province|municipality|"
    r"state|port|harbour|parish|suburb|borough|settlement|valley|mountain|lake|river)\b"
)
_ENDS = " .,;:!?…–-"
# The subject of these verbs is usually a person.
_HUMAN = re.compile(
    r"(?:also |later |first |then |once |still |only |now )?"
    r"(?:has |had )?(?:said|says|told|asked|explained|thinks|"
    r"thought|believes|believed|wrote|answered|argued|blamed|warned|knew|wants|wanted|met|visited|"
    r"married|studied|taught|was born)\b"
)
_THINGS = frozenset(
    "bank board bridge brook church city club college committee company council court hospital "
    "institute island lake ministry mine mountain museum office party river school society team "
    "town university valley village weir".split()
)
"""Nouns in a name that say what it names, as in 'Lake Varnes': the lake."""
_ENGLISH = frozenset(("the", "of", "and"))
"""One of these is in any text of a few sentences, and in none of another language."""
_BARE = 5  # words; a shorter predicate is specific only with a number or a name
_LONGEST_TITLE = 100  # characters of what a question quotes


def bridge_question(first: Passage, name: str, second: Passage, bridge: str) -> tuple[str, float]:
    """Build a question from `first` that describes `second` instead of naming it.

    Returns the question and its worth; an empty question if none can be built.
    """
    name, bridge = _plain(name), _plain(bridge)
    text = first.text[:_READ]
    if not name or name == bridge or bridge not in text or not any(map(str.isalpha, bridge)):
        return "", 0.0
    if language(text) != "en" or language(second.text[:_READ]) != "en":
        return "", 0.0
    known = _best_predicate(second.text[:_READ], bridge, name)
    if known is None:
        return "", 0.0
    worth, predicate = known
    kind, asked = _phrase_and_question_word(second.text)
    thing = f"{kind} {predicate}"
    for sentence in sentences(text):
        if lead := _sentence_before_bridge(_BRACKETS.sub("", sentence), name, bridge):
            return f"{lead} {thing}. {asked} is it?", worth + 4
    return f"What does {name} have to do with {thing}?", worth


def question_by_name(first: Passage, second: Passage, name: str) -> tuple[str, float]:
    """Build a question that describes `name` by what the second passage says of it.

    `name` is in its normal form. Returns the question and its worth; empty if none can be built.
    """
    text, other = first.text[:_READ], second.text[:_READ]
    if not (_is_english(text) and _is_english(other)):
        return "", 0.0
    written = re.compile(rf"\b{re.escape(name)}\b(?!['’])", re.IGNORECASE)
    named, known = written.search(text), written.search(other)
    if not (named and known and named[0][:1].isupper() and 0 < len(first.title) <= _LONGEST_TITLE):
        return "", 0.0
    usable = [each for each in sentences(other) if not _PRONOUN.match(each)]
    best = _best_predicate(" ".join(usable), known[0], named[0])
    if best is None:
        return "", 0.0
    worth, predicate = best
    who = _description(predicate, known[0])
    return (f"What does “{first.title}” say about {who} {predicate}?", worth) if who else ("", 0.0)


def _is_english(text: str) -> bool:
    return language(text) == "en" and not _ENGLISH.isdisjoint(words(text))


def _description(predicate: str, name: str) -> str:
    """Return a phrase in place of a name, such as "the river that"; empty if none is known."""
    if _HUMAN.match(predicate):
        return "someone who"
    nouns = [word for word in words(name) if word in _THINGS]
    return f"the {nouns[-1]} that" if nouns else ""


def _best_predicate(text: str, name: str, hidden: str) -> tuple[float, str] | None:
    """Return the most specific predicate about `name` with its score, or None.

    Predicates that contain `name` or `hidden` are skipped, since they reveal the answer.
    """
    predicates = (_predicate(_BRACKETS.sub("", each), name) for each in sentences(text))
    fit = [
        (_specificity(each), each)
        for each in predicates
        if each and not _is_bare(each) and not _contains_name(each, name) and hidden not in each
    ]
    return max(fit, key=lambda each: each[0]) if fit else None


def _predicate(sentence: str, name: str) -> str:
    """Return the predicate of a sentence whose subject is `name`; empty if there is none.

    Else nothing.
    """
    rest = _without_subject(sentence, name)
    head = re.split(r"[,;:](?=\s)|–| - ", rest, maxsplit=1)[0]
    cut = head if len(head.split()) >= _PREDICATE[0] + 1 else rest
    cut = cut.strip(_ENDS)
    fits = _VERB.match(cut) and not _OPEN_END.search(cut) and not _UNEVEN.search(cut)
    return cut if fits and _has_length(cut, _PREDICATE) else ""


def _sentence_before_bridge(sentence: str, name: str, bridge: str) -> str:
    """Return the part of a sentence before the bridge, with the subject `name`; empty if it does
    not fit.
    """
    rest = _without_subject(sentence, name)
    place = rest.find(bridge)
    if place <= 0 or not _AFTER.match(rest, place + len(bridge)):
        return ""
    before = rest[:place]
    if not _BEFORE.search(before) or not _VERB.match(before) or _UNEVEN.search(before):
        return ""
    lead = f"{name} {before.strip()}"
    return lead if _has_length(lead, _LEAD) else ""


def _without_subject(sentence: str, name: str) -> str:
    """Return a sentence without its subject, if that is called `name` or is a pronoun.

    Else nothing.
    """
    pronoun = _PRONOUN.match(sentence)
    if pronoun and not sentence.startswith("They"):
        return " ".join(sentence[pronoun.end() :].split())
    for start in (name, f"The {name}"):
        if sentence.startswith(f"{start} "):
            return " ".join(sentence[len(start) :].split())
    return ""


def _specificity(predicate: str) -> float:
    """Score how specific a predicate is: more for numbers and names, less for 'is a town'."""
    first_words = predicate.split(maxsplit=2)
    vague = first_words[0] in ("is", "was") and first_words[1] in ("a", "an", "the")
    named = any(word[:1].isupper() for word in predicate.split())
    return 2 * any(map(str.isdigit, predicate)) + 1.5 * named - vague


def _is_bare(predicate: str) -> bool:
    """Check whether a predicate fits almost anything, such as 'rejected the claim'."""
    return len(predicate.split()) < _BARE and _specificity(predicate) <= 0


def _contains_name(predicate: str, name: str) -> bool:
    """Check whether a predicate contains a word of the name."""
    return bool(set(words(name)) & set(words(predicate)))


def _phrase_and_question_word(text: str) -> tuple[str, str]:
    """Classify the subject of a text: ("a place that", "Which place"), or person, or else."""
    text_words = words(text)
    persons = sum(text_words.count(word) for word in ("he", "she", "his", "her"))
    if persons > text_words.count("it") + text_words.count("its"):
        return "someone who", "Who"
    if _PLACE.search(text[:_OPENING]):
        return "a place that", "Which place"
    return "something that", "What"


def _has_length(text: str, bounds: tuple[int, int]) -> bool:
    return bounds[0] <= len(text.split()) <= bounds[1]


def _plain(name: str) -> str:
    return _BRACKETS.sub("", name).strip()
