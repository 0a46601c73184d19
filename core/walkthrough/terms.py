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


def terms(
    seen: Iterable[StatesData], score: ScoreData, *, gold: str, queue: bool, unjudged: bool
) -> list[TermData]:
    """Return the terms that a walkthrough uses.

    Parameters
    ----------
    gold : what gold is called in the plural, empty if none is known.
    """
    met = {state for one in seen for state in one["nodes"].values()}
    found = [
        TermData(key=state, label=label, meaning=meaning)
        for state, (label, meaning) in STATES.items()
        if state in met
    ]
    if gold:
        found.insert(
            0,
            TermData(
                key="gold", label="Gold", meaning=f"Holds {gold}: needed to answer the question."
            ),
        )
    if queue:
        found.append(
            TermData(
                key="visits", label="Visits", meaning="How often the walk has come to a passage."
            )
        )
    if score["formula"]:
        found.append(
            TermData(
                key="helpfulness",
                label="Helpfulness",
                meaning=f"{score['formula']}. {score['note']}",
            )
        )
    found.append(
        TermData(
            key="cut_off_line",
            label="Cut-off",
            meaning="The lowest score that is kept if the retrieval ends now.",
        )
    )
    if unjudged:
        found.append(
            TermData(
                key="unjudged",
                label="Not asked",
                meaning="A model would decide here, and was not asked.",
            )
        )
    return found
