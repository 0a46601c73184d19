"""A question's sub-questions by rules, as MuSiQue writes them: `#1` is the first one's answer.

Four features of a question's language are used: two things set side by side, 'the director of X',
"X's mother", and 'the city where X is located'. What is innermost is asked for first and its place
stands in what is left. English only; a question that no rule takes apart is its own part.
"""

import re
from collections.abc import Iterator

from core.text.decomposition.comparisons import compared
from core.text.decomposition.question_names import Names, asks_something, names_in, who_or_what
from core.text.entities.keywords import Keywords

MOST = 6
"""Sub-questions at most."""
_LONGEST = 600  # characters: what is longer is no question, and rules would look at it for long
_KIN = {
    "paternal grandfather": ("father", "father"),
    "maternal grandfather": ("mother", "father"),
    "paternal grandmother": ("father", "mother"),
    "maternal grandmother": ("mother", "mother"),
    "grandfather": ("father", "father"),
    "grandmother": ("mother", "mother"),
    "father-in-law": ("spouse", "father"),
    "mother-in-law": ("spouse", "mother"),
    "stepmother": ("father", "wife"),
    "stepfather": ("mother", "husband"),
    "uncle": ("father", "brother"),
    "aunt": ("father", "sister"),
    "sibling-in-law": ("spouse", "sibling"),
    "brother-in-law": ("spouse", "brother"),
    "sister-in-law": ("spouse", "sister"),
}
_KIND = r"(?:the )?(?:film|movie|song|album|book|novel|series|show|band|magazine|singer|company)s?"
_NO_VERB = r"(?!(?:is|was|are|were|did|does|has|had|and|or) )"
_NOUNS = rf"(?:{_NO_VERB}[\w-]+ ){{0,5}}?{_NO_VERB}[\w-]+"
_ASKS = re.compile(r"\b(?:what|which|who|whom|whose|how|when)\b(?<!in which)", re.IGNORECASE)
# 'the city of X' is X.
_SAME = re.compile(
    r"(?:city|town|state|country|island|province|republic|kingdom|county|district|river|lake"
    r"|village|university|battle|siege|bank|war|area|continent|members?|part|one|most|any|all|some|era|voice"
    r"|recording|season|episode|birth|death|invasion|kind|type|name|century|year)$",
    re.IGNORECASE,
)
_OF = re.compile(rf"\b(?P<noun>the {_NOUNS}) (?:of|behind) (?:{_KIND} )?$", re.IGNORECASE)
_POSSESSIVE = re.compile(
    r"['’]s? (?P<noun>(?:(?:paternal|maternal|birth|home|alma|current|first|second|last|former) )?"
    r"(?!(?:first|second|third|last|best|only|own|most|new|old|national|largest)\b)[a-z][\w-]+"
    r"(?: of (?:birth|death|origin|citizenship))?)\b"
)
_LINK = (
    r"(?:that|who|whom|which|where|when|whose|(?:in|for|from|to|of|by|on|at|with) (?:which|whom))"
)
_PARTICIPLE = (
    r"(?:named|called|located|starring|directed|written|founded|created|produced|composed"
    r"|performed|formed|played|based|born|published|released|owned|featuring|containing)"
)
_RELATIVE = re.compile(
    rf"\b(?P<noun>(?:the|an?) {_NOUNS}),? (?P<link>{_LINK}\b|(?={_PARTICIPLE} )) ?", re.I
)
_CONTACT = re.compile(
    r"\b(?P<noun>the (?:[a-z-]+ )?(?:country|city|state|town|county|region|district|province|place"
    r"|location|company|team|club|group|party|university|school|league|organi[sz]ation)) $",
    re.IGNORECASE,
)
_SETTLED = re.compile(
    r" ?(?:is|was|are|were) (?:located|situated|born|from|based|set|found|a part|part|headquartered"
    r"|licensed(?: to broadcast)?|considered to be located)(?: (?:of|in|at|on)(?= |\?|$|,))?"
)
_VERB = re.compile(r" (?:is|was|are|were|did|does|has|had|[a-z]+ed|[a-z]+s)\b")
# The verb of 'what did the mother of ...' and of 'where is ...' comes behind what is described.
_AUXILIARY = re.compile(
    r"\b(?:did|does|do|was|is|were|are|has|had)\s+$"
    r"|(?:\b(?:did|does|do)|^(?:where|when|why|how) (?:is|was|are|were))"
    rf" (?:(?:the|an?) {_NOUNS} of )+$",
    re.IGNORECASE,
)

_Found = tuple[int, int, str]
"""Start and end of a description, and the question that asks for the described entity."""


def decompose(question: str, keywords: Keywords) -> tuple[str, ...]:
    """Split `question` into sub-questions, each after those it depends on.

    Parameters
    ----------
    keywords : finds the names, which are not taken apart.

    Examples
    --------
    >>> decompose("Where was the director of film Low Tide born?", Keywords(["Low Tide"]))
    ('Who is the director of film Low Tide?', 'Where was #1 born?')
    """
    text = " ".join(question.split())
    if len(text) > _LONGEST:
        return (text,)
    names = names_in(text, keywords)
    return compared(text, names) or tuple(_chained(text, keywords))[:MOST] or (text,)


def _chained(text: str, keywords: Keywords) -> Iterator[str]:
    """Yield the sub-questions, innermost description first, the rest of the question last."""
    number = 0
    while number < MOST - 1:
        innermost = _innermost(text, names_in(text, keywords))
        if innermost is None:
            break
        start, end, asked = innermost
        parts = _by_kin(asked, number)
        left = f"{text[:start]}#{number + len(parts)}{text[end:]}"
        if not asks_something(left):
            break
        yield from parts
        number, text = number + len(parts), left
    yield from _by_kin(text, number)


def _by_kin(asked: str, number: int) -> tuple[str, ...]:
    """Split a grandparent into parent of parent; return other questions unchanged."""
    for kin, (first, second) in _KIN.items():
        match = re.search(rf"\b{kin} of (.+?)\?$", asked) or re.search(
            rf"(?:is|was) (.+?)['’]s? {kin}\?$", asked
        )
        if match and re.search(rf"(?<![-\w]){kin}", asked):
            return f"Who is the {first} of {match[1]}?", f"Who is the {second} of #{number + 1}?"
    return (asked,)


def _innermost(text: str, names: Names) -> _Found | None:
    """Return the description with a name that starts last and is not the whole text."""
    phrases = [*_possessives(text, names), *_of_phrases(text, names), *_relatives(text, names)]
    phrases += _contacts(text, names)
    return max(phrases, key=lambda one: (one[0], -one[1]), default=None)


def _possessives(text: str, names: Names) -> Iterator[_Found]:
    """Yield possessives such as 'Ada's mother'."""
    for start, end in names.spans:
        if match := _POSSESSIVE.match(text, end):
            noun, name = match["noun"], text[start:end]
            begins = start - 4 * text[:start].casefold().endswith("the ")
            yield begins, match.end(), f"{who_or_what(noun)} the {noun} of {name}?"


def _of_phrases(text: str, names: Names) -> Iterator[_Found]:
    """Yield phrases such as 'the director of film Low Tide'."""
    for start, end in names.spans:
        match = _last(_OF, text[:start])
        if match and not _SAME.search(match["noun"]):
            who = who_or_what(match["noun"])
            phrase = text[match.start() + 4 : end]
            yield match.start(), end, f"{who} the {phrase}?"


def _relatives(text: str, names: Names) -> Iterator[_Found]:
    """Yield nouns with a clause that contains a name, such as 'the film that stars Ada Lovelace'.

    The clause starts with a relative pronoun or a participle.
    """
    for match in _each(_RELATIVE, text):
        end = _clause_end(text, names, match.start(), match.end())
        clause = text[match.end() : end].strip(" ,")
        has_name = names.within(match.end(), end) and not names.around(match.end("noun") - 1)
        if not has_name or _ASKS.search(clause):
            continue
        noun, link = match["noun"].split(" ", 1)[1], (match["link"] or "").casefold()
        yield match.start(), end, _clause_asked(noun, link, clause)


def _contacts(text: str, names: Names) -> Iterator[_Found]:
    """Yield relative clauses such as 'the city Kevin Durant played for'."""
    for start, end in names.spans:
        match = _last(_CONTACT, text[:start])
        if match and _VERB.match(text, end) and not names.starting(match.start()):
            ends = _clause_end(text, names, match.start(), start)
            noun = match["noun"].split(" ", 1)[1]
            yield match.start(), ends, _clause_asked(noun, "where", text[start:ends])


def _clause_asked(noun: str, link: str, clause: str) -> str:
    """Return the question for a noun described by a clause; `link` is the relative pronoun."""
    if link in ("where", "when") or " which" in link or " whom" in link:
        settled = re.search(r" (is|was|are|were) ", clause)
        opening = (
            f"In which {noun}" if not clause.endswith((" in", " of", " from")) else f"Which {noun}"
        )
        if settled:
            return f"{opening} {settled[1]} {clause[: settled.start()]} {clause[settled.end() :]}?"
        return f"{opening} {clause}?"
    whose = "'s" if link == "whose" else ""
    verb = "" if link else "is "
    return f"Which {noun}{whose} {verb}{clause}?"


def _clause_end(text: str, names: Names, start: int, at: int) -> int:
    """Return the end of the clause at `at` in a description that begins at `start`."""
    stop = len(text.rstrip(" ?."))
    inside = names.within(at, stop)
    for _, end in inside[:1]:
        if settled := _SETTLED.match(text, end):
            return settled.end()
    if _AUXILIARY.search(text[:start]) and inside:
        return inside[-1][1]
    return stop


def _each(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Yield every match, overlapping ones included."""
    at = 0
    while match := pattern.search(text, at):
        yield match
        at = match.start() + 1


def _last(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    """Return the shortest match at the end of `text`, or None."""
    return max(_each(pattern, text), key=lambda match: match.start(), default=None)
