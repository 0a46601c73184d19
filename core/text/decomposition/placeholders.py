"""Placeholders: `#1` in a sub-question refers to the answer of the first one, as in MuSiQue."""

import re
from collections.abc import Mapping, Sequence

PLACE = re.compile(r"#(\d+)")


def places(text: str) -> tuple[int, ...]:
    """Return the distinct numbers of the sub-questions `text` refers to, in order of place.

    >>> places("Which of #2 and #1 is older, #2?")
    (2, 1)
    """
    return tuple(dict.fromkeys(int(number) for number in PLACE.findall(text)))


def filled(text: str, answers: Mapping[int, str]) -> str:
    """Replace the placeholders in `text` whose answers are known.

    >>> filled("Where was #1 born, if not in #2?", {1: "Ada"})
    'Where was Ada born, if not in #2?'
    """
    return PLACE.sub(lambda match: answers.get(int(match[1]), match[0]), text)


def levels(questions: Sequence[str]) -> tuple[tuple[int, ...], ...]:
    """Group `questions` by the number of answers that must be known one after another.

    Questions in the first level wait for none, each other one for an answer of the previous level.
    Numbers start at 1 and ascend within a level.

    Raises
    ------
    ValueError : one waits for itself, through others or not, or for one that there is not.

    >>> levels(["Who made A?", "Who made B?", "Are #1 and #2 related?"])
    ((1, 2), (3,))
    """
    needs = {number: set(places(text)) for number, text in enumerate(questions, start=1)}
    unknown = set().union(*needs.values()) - needs.keys()
    if unknown:
        raise ValueError(f"there is no question {min(unknown)}")
    ordered: list[tuple[int, ...]] = []
    done: set[int] = set()
    while len(done) < len(needs):
        ready = tuple(n for n in needs if n not in done and needs[n] <= done)
        if not ready:
            raise ValueError("questions wait for one another")
        ordered.append(ready)
        done |= set(ready)
    return tuple(ordered)
