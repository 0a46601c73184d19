"""Find which of two retrievals has the passage with the answer to a question."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from core.evidence.answer_search import VERDICTS, holder_of
from core.lost_gold.missed_gold import Gold
from core.playback.wording import TITLE, cropped, without_double_stop

LONGEST = 80
"""Characters of an answer."""


def answer_beside(
    answers: Sequence[str],
    gold: Sequence[Gold],
    kept: Sequence[AbstractSet[str]],
    names: Sequence[str] = "AB",
) -> str:
    """Say which gold passage has the answer, and which of two retrievals finds it.

    Parameters
    ----------
    kept : the passages that each retrieves.
    names : what the two are called.

    Returns
    -------
    A sentence; empty without a known answer.
    """
    known = [line for one in answers if (line := " ".join(one.split()))]
    if not known:
        return ""
    order = sorted(gold, key=lambda one: -sum(_in(one, ids) for ids in kept))
    first_answer = _found(known, order)
    if not first_answer:
        return _nowhere(known[0], gold)
    answer, first = first_answer
    has = {
        name: held[1]
        for name, ids in zip(names, kept, strict=True)
        if (held := _found([answer], [one for one in order if _in(one, ids)]))
    }
    said = f"The answer, {_quoted(answer)}, is in"
    if len(has) > 1 and not all(_in(first, ids) for ids in kept):
        each = [f"{_title(one)}, which {name} finds" for name, one in has.items()]
        return f"{said} {', and in '.join(each)}."
    who = {0: "neither finds", 1: f"only {''.join(has)} finds", 2: "both find"}
    return f"{said} {_title(first)}, which {who[len(has)]}."


def _nowhere(answer: str, gold: Sequence[Gold]) -> str:
    """Describe an answer that no gold passage contains.

    This is said explicitly only if all gold was read and the answer has words of its own.
    """
    if gold and all(one.passage for one in gold) and answer.casefold() not in VERDICTS:
        return f"No gold passage contains the answer {_quoted(answer)} word for word."
    return without_double_stop(f"The answer is {_quoted(answer)}.")


def _in(one: Gold, ids: AbstractSet[str]) -> bool:
    return one.passage is not None and one.passage.id in ids


def _found(answers: Sequence[str], gold: Sequence[Gold]) -> tuple[str, Gold] | None:
    """Return the first answer in a gold passage, with the first such passage, or None."""
    for answer in answers:
        holds = holder_of(answer)
        for one in gold:
            if one.passage and holds(f"{one.passage.title} {one.passage.text}"):
                return answer, one
    return None


def _quoted(answer: str) -> str:
    return f"'{cropped(answer, LONGEST)}'"


def _title(one: Gold) -> str:
    return f"'{cropped(one.name, TITLE)}'"
