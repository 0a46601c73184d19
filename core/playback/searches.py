"""The searches that a retrieval has others do for it, each as one happening."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.steps import Asked, Began, Offered, Ranked, Said, Step


@dataclass(frozen=True, slots=True)
class Search:
    """A search directly inside of the outermost question: what is `asked`, what is `listed`, and
    what is `taken` of that right behind it, if that is a step.

    `flat` where nothing happens between the first two; `again` where the same retriever was asked
    before. `of` says what is asked where that stands there already.
    """

    asked: Asked
    listed: Ranked
    taken: Offered | None
    flat: bool
    again: bool
    of: str


def searches(steps: Sequence[Step]) -> dict[int, Search]:
    """By step t the search that it is part of."""
    found: dict[int, Search] = {}
    before: set[str] = set()
    began: list[tuple[int, Asked]] = []
    for t, step in enumerate(steps, start=1):
        if isinstance(step, Asked):
            began.append((t, step))
        elif isinstance(step, Ranked):
            first, asked = began.pop()
            if len(began) != 1:
                continue
            taken = _takes_of(step, steps[t] if t < len(steps) else None)
            again, of = asked.retriever in before, _known(steps, first, asked)
            search = Search(asked, step, taken, t == first + 1, again, of)
            found |= dict.fromkeys(range(first, t + (2 if taken else 1)), search)
            before.add(asked.retriever)
    return found


def _takes_of(listed: Ranked, step: Step | None) -> Offered | None:
    """`step`, if it takes some of what was `listed`, and of nothing else."""
    if not isinstance(step, Offered) or step.entry or not step.offers:
        return None
    known = {offer.target for offer in step.offers} <= {hit.passage_id for hit in listed.hits}
    return step if known else None


def _known(steps: Sequence[Step], t: int, asked: Asked) -> str:
    before = next((one for one in reversed(steps[: t - 1]) if not isinstance(one, Began)), None)
    if isinstance(before, Said) and before.text == asked.query:
        return "the last output"
    outermost = steps[0]
    if isinstance(outermost, Asked) and outermost.query == asked.query:
        return "the query itself"
    return ""
