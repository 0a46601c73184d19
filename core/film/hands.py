"""What a person may choose otherwise in the walks of a film: see `core.counterfactual`."""

from core.film.cast import Cast
from core.film.data import HandsData
from core.retrievers import Spec
from core.steps import Offered
from core.traces import Trace


def hands(trace: Trace, spec: Spec | None, cast: Cast) -> HandsData | None:
    """Where the walks of `trace` start, look and follow; None where none walks the hop graph."""
    ways = {one.card.direction for one in spec.all_of_it()} - {""} if spec else set()
    looked = [step for step in trace.steps if isinstance(step, Offered)]
    if not ways or not any(step.entry for step in looked):
        return None
    edges = trace.edges.keys()
    starts = {arrival.id for step in looked if step.entry for arrival in step.arrivals}
    judged = [step for step in looked if not step.entry and step.at in cast.passages]
    taken: dict[str, list[int]] = {}
    for step in judged:
        for offer in step.taken:
            if offer.tie in edges and offer.tie in cast.line_number:
                taken.setdefault(str(cast.line_number[offer.tie]), []).append(cast.number[step.at])
    return {
        "starts": sorted(cast.numbers(starts)),
        "judged": sorted(set(cast.numbers(step.at for step in judged))),
        "taken": taken,
        "both": "both" in ways,
    }
