"""A walkthrough with a few of its stops."""

from collections.abc import Sequence

from core.walkthroughs.cards import cards_of
from core.walkthroughs.contract import StopData, WalkthroughData


def with_stops(data: WalkthroughData, numbers: Sequence[int]) -> WalkthroughData:
    """Return `data` with the stops of these numbers, and without what only others need."""
    stops = [data["stops"][number] for number in numbers]
    rankings = sorted({stop["ranking"] for stop in stops})
    queues = sorted({stop["queue"] for stop in stops})
    states = sorted({stop["states"] for stop in stops})
    kept: list[StopData] = [
        {
            **stop,
            "ranking": rankings.index(stop["ranking"]),
            "queue": queues.index(stop["queue"]),
            "states": states.index(stop["states"]),
            "folded": [],
            "exchanges": [],
        }
        for stop in stops
    ]
    trimmed: WalkthroughData = {
        **data,
        "stops": kept,
        "every": list(range(len(kept))),
        "audience": list(range(len(kept))),
        "rankings": [data["rankings"][number] for number in rankings],
        "queues": [data["queues"][number] for number in queues],
        "states": [data["states"][number] for number in states],
        "exchanges": [],
    }
    edges = _edges(trimmed)
    mentioned = _told(trimmed)
    trimmed["edges"] = {name: edge for name, edge in data["edges"].items() if name in edges}
    ends = {end for edge in trimmed["edges"].values() for end in (edge["source"], edge["target"])}
    trimmed["nodes"] = {
        name: node if name in mentioned | ends else {**node, "sentences": []}
        for name, node in data["nodes"].items()
    }
    return trimmed


def _told(data: WalkthroughData) -> set[str]:
    """Return the nodes whose text some stop shows."""
    return {card["node"] for stop in data["stops"] for card in cards_of(stop)}


def _edges(data: WalkthroughData) -> set[str]:
    """Return the lines that some stop shows, or that its overview draws."""
    offered = {one["edge"] for stop in data["stops"] for one in stop["candidates"]}
    arrived = {stop["arrived_by"] for stop in data["stops"]}
    links = {
        link["edge"] for stop in data["stops"] if stop["chain"] for link in stop["chain"]["links"]
    }
    followed = {name for states in data["states"] for name in states["followed"]}
    return offered | arrived | links | followed
