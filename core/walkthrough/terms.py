"""Terms of the legend, with what they mean."""

from collections.abc import Iterable, Mapping

from core.walkthrough.contract import ScoreData, State, StatesData, TermData

STATES: Mapping[State, tuple[str, str]] = {
    "candidate": ("Candidate", "On offer; nobody has decided yet."),
    "not_followed": ("Not followed", "It was on offer, and something else was taken."),
    "queued": ("In the queue", "It waits for its turn."),
    "current": ("Current", "Its edges are looked at in this step."),
    "visited": ("Visited", "It was reached."),
    "retrieved": ("Retrieved", "It is in the result."),
    "cut_off": ("Cut off", "It was ranked, below the last passage that is kept."),
    "missed": ("Missed", "It holds gold, and the result does not have it."),
}


GOLD = "Gold", "The question needs it."
VISITS = "Visits", "How often the walk has come to a passage."
CUT_OFF = "Cut-off", "The lowest score that is kept if the retrieval ends now."
NOT_ASKED = "Not asked", "A model would decide here, and was not asked."


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
