"""Terms of the legend and of headings, with what they mean."""

from collections.abc import Iterable
from typing import cast, get_args

from core.glossary import GLOSSARY
from core.walkthroughs.contract import GlossaryData, ScoreData, State, StatesData, TermData


def terms(
    seen: Iterable[StatesData], score: ScoreData, *, gold: bool, visits: bool, unjudged: bool
) -> list[TermData]:
    """Return the terms that a walkthrough uses; `gold` if any is known."""
    met = {state for one in seen for state in one["nodes"].values()}
    keys = [
        *(["gold"] if gold else []),
        *(state for state in get_args(State) if state in met and state in GLOSSARY),
        *(["visits"] if visits else []),
        *(["helpfulness"] if score["formula"] else []),
        "cut_off_line",
        *(["unjudged"] if unjudged else []),
    ]
    return [_term(key, score) for key in keys]


def _term(key: str, score: ScoreData) -> TermData:
    """Return the glossary's term; the score is the one of the retriever."""
    if key == "helpfulness":
        told = f"{score['formula']}. {score['note']}"
        return TermData(key=key, label=score["name"], meaning=told)
    term = GLOSSARY[key]
    return TermData(key=key, label=term.name[:1].upper() + term.name[1:], meaning=term.meaning)


def glossary() -> GlossaryData:
    """Return the meanings of all terms that headings and labels are made of."""
    found = {key: GLOSSARY[key].told for key in GlossaryData.__annotations__}
    return cast(GlossaryData, found)
