"""Comparison questions, split into one sub-question for each of the two items."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from core.text.decomposition.question_names import Names

_END = r"\s*[?.]*\s*$"
_BESIDE = rf"^(?P<ask>(?:who|which|what|whose)\b.+?),\s+(?P<a>.+) or (?P<b>.+?){_END}"
_AMID = (
    r"^(?:was|is|did|were|are|does|has) (?P<a>[^,]+?) or (?P<b>.+?),? "
    r"(?P<ask>(?:born|died?|older|younger|released|founded|formed|published|first|the|bigger"
    rf"|larger|longer|taller)\b.*?){_END}"
)
_BETWEEN = (
    r"^(?:between|of|among) (?P<a>.+?) (?:and|or) (?P<b>.+?), "
    rf"(?P<ask>(?:who|which|what)\b.+?){_END}"
)
_TWO = tuple(re.compile(one, re.IGNORECASE) for one in (_BESIDE, _AMID, _BETWEEN))
_OR = re.compile(r",? or (?:the )?")
_AND = re.compile(r",? and (?:the )?")
_SAME = re.compile(r"\b(?:both|same|in common)\b", re.IGNORECASE)
_BOTH = re.compile(r"\s*\b(?:both|do)\b", re.IGNORECASE)
_KIND = re.compile(r"(?P<verb>^\w+)\s+(?:the )?(?:[a-z-]+ )?[a-z-]+s,?\s*$")
_PLURAL = re.compile(r"[\w-]+(?: [\w-]+)?s")
_ONE = {"are": "Is", "were": "Was", "do": "Does", "have": "Has"}
_MAKER = re.compile(
    r"\b(?:has|have|with|whose)\b(?: (?:a|the))?(?P<role> (?:director|author|performer|composer"
    r"|singer|producer|writer|founder|creator))s?\b",
    re.IGNORECASE,
)
_ASPECTS = (
    (r"liv\w+ longer", "When was {} born and when did {} die?"),
    (r"\bdied?\b|\bdeath", "When did {} die?"),
    (r"\bold(?:er|est)\b|\byoung(?:er|est)\b|\bborn\b(?! in)", "When was {} born?"),
    (r"c[ao]me out|released", "When was {} released?"),
    (
        r"\b(?P<verb>published|formed|founded|established|opened|built|created|started)\b",
        "When was {} {verb}?",
    ),
)
_SHARED = (
    (
        r"(?P<verb>located|situated|based|born|headquartered) (?:in|at) the same (?P<what>[a-z]+)",
        "In which {what} is {} {verb}?",
    ),
    (r"same (?P<what>nationality|country|place|city)", "Which {what} is {} from?"),
    (r"same (?P<what>[a-z]+)", "Which {what} does {} belong to?"),
    (r"in common", "Who or what is {}?"),
)
_PLACES = ("#1", "#2")


def compared(question: str, names: Names) -> tuple[str, ...]:
    """Return the sub-questions of a comparison, or none if `question` is not one.

    If it compares a property of two works, such as their directors, these come first.
    """
    return _alternatives(question, names) or _pair(question, names)


def _alternatives(question: str, names: Names) -> tuple[str, ...]:
    """Return the sub-questions of 'which is older, A or B'."""
    for pattern in _TWO:
        if match := pattern.match(question):
            ask = match["ask"].strip(" ,")
            return _questions_about_each(
                ask, _clean(match["a"]), _clean(match["b"]), _ASPECTS, f"{ask}: {{}}?"
            )
    for start, end, begins, ends in _neighbours(names):
        if _OR.fullmatch(question, end, begins) and not question[ends:].strip(" ?."):
            ask = question[:start].removesuffix("the ").strip(" ,:")
            a, b = question[start:end], question[begins:ends]
            return _questions_about_each(ask, a, b, _ASPECTS, f"{ask}: {{}}?")
    return ()


def _pair(question: str, names: Names) -> tuple[str, ...]:
    """Return the sub-questions of 'are both A and B ...' or 'is A in the same ... as B'."""
    for start, end, begins, ends in _neighbours(names):
        before, behind = question[:start], question[ends:].strip(" ?.,")
        if _AND.fullmatch(question, end, begins) and _SAME.search(f"{before} {behind}"):
            ask = _BOTH.sub("", f"{before} {behind}").strip(" ,")
            opening = _KIND.sub(r"\g<verb>", _BOTH.sub("", before.removesuffix("the ").strip(" ,")))
            first, _, rest = opening.strip(" ,").partition(" ")
            opening = " ".join((_ONE.get(first.casefold(), first), rest)).strip()
            among = (
                "one of the "
                if _PLURAL.fullmatch(plural := _BOTH.sub("", behind).strip(" ,"))
                else ""
            )
            form = f"{opening} {{}} {among}{plural}?".strip()
            return _questions_about_each(
                ask, question[start:end], question[begins:ends], _SHARED, form
            )
    return ()


def _neighbours(names: Names) -> Iterator[tuple[int, int, int, int]]:
    for (start, end), (begins, ends) in pairwise(names.spans):
        yield start, end, begins, ends


def _questions_about_each(
    ask: str, one: str, other: str, aspects: Sequence[tuple[str, str]], form: str
) -> tuple[str, ...]:
    """Return one question about each compared item; if their makers are compared, first ask for
    the makers.
    """
    maker = _MAKER.search(ask)
    if not maker:
        return tuple(_subquestion(ask, name, aspects, form) for name in (one, other))
    role = maker["role"].strip().casefold()
    rest = ask[: maker.start()] + ask[maker.end() :]
    form = f"{rest.strip(' ,')}: {{}}?"
    makers = tuple(f"Who is the {role} of {name}?" for name in (one, other))
    known = (*_ASPECTS, *_SHARED)
    return (*makers, *(_subquestion(rest, place, known, form) for place in _PLACES))


def _subquestion(
    comparison: str, name: str, aspects: Sequence[tuple[str, str]], fallback: str
) -> str:
    """Return the question about `name` alone: the template of the first aspect that matches
    `comparison`, else `fallback`.
    """
    for pattern, question in aspects:
        if match := re.search(pattern, comparison, re.IGNORECASE):
            for key, value in match.groupdict().items():
                question = question.replace(f"{{{key}}}", value.casefold())
            return question.replace("{}", name)
    return fallback.replace("{}", name)


def _clean(name: str) -> str:
    return name.strip(" ,")
