"""In which role each node and line stands at a step; what has no role is not there yet."""

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet

from core.film.data import LineRole, NodeRole
from core.playback import DrawnLine, Frame
from core.playback.rounds import Round
from core.steps import Began, Offered

SMALLEST, BY_SHARE = 0.8, 1.2
"""Of a radius: what holds nothing of what is spread, and what the most of it adds."""


def node_roles(now: Frame, lost: AbstractSet[str], whole: Round | None) -> dict[str, NodeRole]:
    """By node; with `whole` all that its round did counts as done now.

    What a step has only brought, or joined to something, is `plain`; `lost` is gold at the end.
    """
    ends = (end for tie in now.ties.values() for end in (tie.source, tie.target))
    nodes: dict[str, NodeRole] = dict.fromkeys((*now.things, *ends), "plain")
    nodes |= dict.fromkeys(now.questions, "visited")
    for name, role in now.roles.items():
        nodes[name] = "refused" if role == "offered" else role
    if now.mass:  # what is joined to what holds some has some, too
        ties = ((tie.source, tie.target) for tie in now.ties.values())
        reached = {end for ends in ties if now.mass.keys() & {*ends} for end in ends}
        nodes |= {name: "visited" for name in reached if nodes[name] == "plain"}
    looks = isinstance(now.step, Began) or (isinstance(now.step, Offered) and not now.step.entry)
    nodes |= {name: "queued" for name in now.queue if looks and nodes.get(name) == "visited"}
    if now.ended and now.depth == 1:
        nodes |= {name: "lost" for name in lost if name in nodes}
    if whole and now.current:
        # A round looks at many places; none of them is the one of now.
        nodes[now.current] = "seed" if now.current in now.entries else "visited"
    return nodes


def line_roles(
    now: Frame, lines: Iterable[DrawnLine], again: AbstractSet[str], whole: Round | None
) -> dict[str, LineRole]:
    """By line, the strongest role of each; those in `again` led to what was visited before."""
    found: dict[str, LineRole] = dict.fromkeys(now.ties, "plain")
    found |= dict.fromkeys(now.refused, "refused")
    found |= {tie: "again" if tie in again else "walked" for tie in now.walked}
    for line in lines:
        if line.of_graph or not line.taken:
            continue
        if line.taken > now.t:
            if line.offered <= now.t:
                found.setdefault(line.id, "offered")
        elif now.roles.get(line.target) == "offered":
            found[line.id] = "refused"  # a search has listed it, and it was left out of the whole
        else:
            walked: LineRole = "again" if line.id in again else "walked"
            found[line.id] = "chosen" if line.taken == now.t else walked
    if isinstance(now.step, Offered) and not now.step.entry:
        # A list that takes again what one before had taken draws nothing anew.
        listed = () if now.step.arrivals else lines
        before = {line.id for line in listed if line.taken and line.taken < now.t}
        if not whole:
            found |= {one.tie: "offered" for one in now.offers if one.tie not in before}
        found |= {offer.tie: "chosen" for offer in now.step.taken if offer.tie not in before}
    if whole:
        found |= {offer.tie: "chosen" for _, offer in whole.followed}
    return found


def sizes(now: Frame, top: float) -> Mapping[str, float]:
    """Factors of the radius by the share of what is spread; `top` is the largest share ever."""
    if not top:
        return {}
    return {
        name: round(SMALLEST + BY_SHARE * (max(0.0, hit.score) / top) ** 0.5, 2)
        for name, hit in now.mass.items()
    }
