"""What the roles and kinds of a film are called."""

from collections.abc import Iterable, Mapping, Sequence

from core.film.data import (
    EntryData,
    FrameData,
    GoldLook,
    LineRole,
    NodeData,
    NodeRole,
    RolesData,
)
from core.funnel.data import Fate
from core.playback.wording import begun
from core.steps import Kind

NODES: Mapping[NodeRole, str] = {
    "seed": "Seed",
    "queued": "In the queue",
    "visited": "Reached",
    "current": "Looked at now",
    "retrieved": "Retrieved",
    "pruned": "Reached, not retrieved",
    "refused": "On offer, not taken",
    "plain": "Not reached",
    "ghost": "Never offered",
}
GOLD: Mapping[GoldLook, str] = {
    "lost": "Gold lost",
    "unseen": "Gold lost, never offered",
    "kept": "Gold retrieved",
    "gold": "Gold",
    "rules": "Gold marked by rules",
    "hand": "Gold marked by hand",
}
LOOKS: Mapping[NodeRole, GoldLook] = {"retrieved": "kept", "lost": "lost", "ghost": "unseen"}
"""How a star ends; until then it is just gold."""
STARLESS = ("retrieved",)
"""What gold ends as, too, which is counted with the stars, and is called alike."""
UNJUDGED = "Model never asked"
TAKEN = "Taken now"
ORIGIN = "From one that is not drawn"
VISITS, FAINT = "Visited n times", "Faint: led nowhere"
LARGE, BUT_GOLD = "Larger: more {of}", ", but for stars"
LINES: Mapping[LineRole, str] = {
    "chosen": TAKEN,
    "offered": "On offer",
    "walked": "Taken",
    "again": "Taken, visited again",
    "missed": "Not taken, to lost gold",
    "refused": "Not taken",
    "unoffered": "Never offered",
    "plain": "Link",
    "ghost": "Way to gold, never offered",
}
BRIEF = {
    "origin": "From one not drawn",
    "again": "Visited again",
    "missed": "To lost gold",
    "visits": "Visits",
}
"""The same in fewer words, where a legend has one line."""
KINDS: Mapping[Kind, str] = {
    "query": "Question",
    "passage": "Passage",
    "sentence": "Sentence",
    "entity": "Entity",
    "fact": "Fact",
    "relation": "Relation",
    "cluster": "Summary of a cluster",
    "community": "Community",
    "field": "Field",
    "speaker": "Speaker",
}


def roles(link: str = "") -> RolesData:
    """The words of the legend where one node or line is spoken of; `link` as of `legend`."""
    return {
        "nodes": {"lost": _within(GOLD["lost"]), **{r: _within(said) for r, said in NODES.items()}},
        "lines": {role: _within(said) for role, said in LINES.items()}
        | ({"plain": link} if link else {}),
    }


def _within(label: str) -> str:
    return label[:1].lower() + label[1:]


def legend(
    frames: Sequence[FrameData],
    kinds: Iterable[tuple[Kind, str]],
    nodes: Sequence[NodeData],
    unseen: Iterable[Fate] = (),
    spreads: str = "",
    link: str = "",
    headings: Iterable[str] = (),
) -> list[EntryData]:
    """Entries for what is in any of `frames`; kinds only where there are others than passages, each
    with what people call it.

    A star looks different as long as it is open, when it is retrieved or lost, and where a person
    marked it. It comes first, for it is what is looked for. Stars and roles together count each
    node once, but for a star that is looked at, which is both. `unseen` is what became of the gold
    that no step named, `spreads` is what makes nodes larger, if anything does, and
    `link` what all lines say that steps have brought, if they say the same. `headings` are those of
    columns, which name kinds, too.
    """
    how = list(dict.fromkeys(fate.words for fate in unseen))
    named = {**GOLD, "unseen": f"Gold lost, {' or '.join(how)}"} if how else GOLD
    gold = {str(number) for number, node in enumerate(nodes) if node["gold"]}
    looks = {(key in gold, role) for now in frames for key, role in now["nodes"].items()}
    roles = {role for star, role in looks if not (star and role in LOOKS)}
    stars: set[GoldLook] = {LOOKS.get(role, "gold") for star, role in looks if star}
    said = {node["gold"] for node in nodes}
    stars |= {look for look in ("rules", "hand") if look in said}
    lines = {role for now in frames for role in now["lines"].values()}
    drawn = dict.fromkeys(kinds)
    found: list[EntryData] = [
        {"of": "gold", "name": look, "label": text} for look, text in named.items() if look in stars
    ]
    if "lost" not in stars:
        found = [
            {**one, "brief": GOLD["lost"]} if one["name"] == "unseen" else one for one in found
        ]
    found += [
        {
            "of": "node",
            "name": role,
            "label": f"{text}, not gold" if stars and role in STARLESS else text,
        }
        for role, text in NODES.items()
        if role in roles
    ]
    if any(node.get("unjudged") for node in nodes):
        found.append({"of": "node", "name": "unjudged", "label": UNJUDGED})
    found += [
        {"of": "line", "name": role, "label": begun(link) if role == "plain" and link else text}
        for role, text in LINES.items()
        if role in lines
    ]
    if any(now["taken"] for now in frames):
        found.append({"of": "mark", "name": "taken", "label": TAKEN})
    if "walked" in lines:
        found.append({"of": "mark", "name": "origin", "label": ORIGIN})
    if any(now["counts"] for now in frames):
        found.append({"of": "mark", "name": "visits", "label": VISITS})
    found = [{**one, "brief": BRIEF[one["name"]]} if one["name"] in BRIEF else one for one in found]
    if spreads:
        large = LARGE.format(of=spreads) + BUT_GOLD * bool(stars)
        found.append({"of": "mark", "name": "large", "label": large})
    if any(now["faded"]["nodes"] for now in frames):
        found.append({"of": "mark", "name": "faint", "label": FAINT})
    if {kind for kind, _ in drawn} - {"passage"}:
        above = " ".join(headings).lower()
        found += [
            _headed(_of_kind(kind, noun), above)
            for one in KINDS
            for kind, noun in drawn
            if kind == one
        ]
    return found


def _of_kind(kind: Kind, noun: str) -> EntryData:
    called = noun in (kind, KINDS[kind].lower())
    entry: EntryData = {"of": "kind", "name": noun, "label": KINDS[kind] if called else begun(noun)}
    return entry if noun == kind else {**entry, "shape": kind}


def _headed(entry: EntryData, headings: str) -> EntryData:
    """Says so where one of the `headings`, which are in the plural, names that kind.

    >>> _headed({"of": "kind", "name": "entity", "label": "Entity"}, "entities passages")["headed"]
    True
    """
    word = entry["label"].split()[0].lower().rstrip("sy")
    return {**entry, "headed": True} if word in headings else entry
