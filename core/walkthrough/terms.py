"""Terms of the legend, with what they mean."""

from collections.abc import Iterable, Mapping

from core.walkthrough.contract import ScoreData, State, StatesData, TermData

STATES: Mapping[State, tuple[str, str]] = {
    "candidate": ("Candidate", "A passage that could be followed next; not decided yet."),
    "not_followed": ("Not followed", "It was a candidate, but others were chosen."),
    "queued": ("In the queue", "It waits to be visited."),
    "current": ("Current", "Its edges are examined in this step."),
    "visited": ("Visited", "The walk has reached it."),
    "retrieved": ("Retrieved", "It is in the final top k."),
    "cut_off": ("Cut off", "It is ranked below the top k."),
    "missed": ("Missed", "It contains evidence that the result lacks."),
}


GOLD = "Gold", "It contains evidence that the query needs."
VISITS = "Visits", "How often the walk has reached a passage."
CUT_OFF = "Cut-off", "The lowest score still in the top k if the retrieval ended now."
NOT_ASKED = "Not asked", "A model would decide here, but none was asked."


def terms(
    seen: Iterable[StatesData], score: ScoreData, *, gold: bool, visits: bool, unjudged: bool
) -> list[TermData]:
    """Return the terms that a walkthrough uses; `gold` if any is known."""
    met = {state for one in seen for state in one["nodes"].values()}
    helpfulness = (score["name"], f"{score['formula']}. {score['note']}")
    found: dict[str, tuple[str, str]] = {
        **({"gold": GOLD} if gold else {}),
        **{state: words for state, words in STATES.items() if state in met},
        **({"visits": VISITS} if visits else {}),
        **({"helpfulness": helpfulness} if score["formula"] else {}),
        "cut_off_line": CUT_OFF,
        **({"unjudged": NOT_ASKED} if unjudged else {}),
    }
    return [TermData(key=key, label=label, meaning=told) for key, (label, told) in found.items()]
