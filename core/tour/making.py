"""Makes the tour from an index with questions: every picture in it is a real retrieval."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.artefacts.workbench import Workbench
from core.counterfactual import parse
from core.errors import InputError
from core.funnel.fates import fates
from core.funnel.lists import Lists
from core.funnel.replay import ReplayBudget
from core.marks import gold_of
from core.playback.wording import series
from core.retrievers import Spec, make
from core.reviews.losses.fixes import choices, fix_lines
from core.runs.fixes import Losses, searched
from core.tour.contract import SceneData, TourData
from core.tour.trimming import with_stops
from core.traces import record
from core.walkthroughs.cards import SEED
from core.walkthroughs.contract import WalkthroughData
from core.walkthroughs.making import make_walkthrough

WALK, SEARCHES = Spec("hoprag-similarity"), (Spec("bm25"), Spec("dense"))
"""The paper's walk without a model, and what it is compared with."""
BUDGET = ReplayBudget().longer()
"""Of the search for a fix."""


@dataclass(frozen=True)
class _Film:
    """A retrieval of a question, as a walkthrough."""

    spec: Spec
    question: str
    data: WalkthroughData

    @property
    def chain(self) -> int:
        return self.data["audience"][-1]

    @property
    def missed(self) -> list[str]:
        """Titles of the gold that was not retrieved."""
        return list(
            dict.fromkeys(one["title"] for one in self.data["gold"] if not one["retrieved"])
        )


def make_tour(workbench: Workbench, questions: Sequence[str]) -> TourData:
    """Return the tour.

    Parameters
    ----------
    questions : candidates, the best first. The first that all searches miss and the walk answers is
        the tour's question, and the first of which the walk misses something its failure.

    Raises
    ------
    InputError : no question shows what a hop finds, or none a failure with a fix.
    """
    example = next(_walks_with_a_hop(workbench, questions), None)
    failed = next(_fixable_failures(workbench, questions), None)
    if example is None or failed is None:
        raise InputError(
            f"No question in {workbench.index.name} demonstrates what the tour explains."
        )
    walk, searches = example
    film, fix, fixed = failed
    return _assemble_tour([*searches, walk, film, fixed], fix)


def _walkthrough(workbench: Workbench, spec: Spec, question: str) -> _Film:
    """Retrieve a question and turn its trace into a walkthrough."""
    index = workbench.index
    trace = record(make(spec, workbench), question, index)
    gold = gold_of(index, question)
    return _Film(spec, question, make_walkthrough(trace, gold, index, Lists(workbench)))


def _walks_with_a_hop(
    workbench: Workbench, questions: Sequence[str]
) -> Iterator[tuple[_Film, list[_Film]]]:
    """Yield each walk that finds gold which all searches miss, with these searches."""
    for question in questions:
        walk = _walkthrough(workbench, WALK, question)
        if walk.missed or not walk.data["gold"]:
            continue
        searches = [_walkthrough(workbench, spec, question) for spec in SEARCHES]
        missed = [one for one in searches[0].missed if one in searches[1].missed]
        if missed and _hop(walk, missed) is not None:
            yield walk, searches


def _fixable_failures(
    workbench: Workbench, questions: Sequence[str]
) -> Iterator[tuple[_Film, str, _Film]]:
    """Yield each walk that misses gold, with the smallest change that retrieves it and the changed
    walk.
    """
    for question in questions:
        film = _walkthrough(workbench, WALK, question)
        if film.missed and (fix := _fix(workbench, film)):
            yield film, *fix


def _fix(workbench: Workbench, film: _Film) -> tuple[str, _Film] | None:
    """Return the smallest change that retrieves all that was missed, in words, and its retrieval.

    None if no change does.
    """
    gold = gold_of(workbench.index, film.question)
    steps = tuple(make(film.spec, workbench).retrieve(film.question))
    ends = fates(
        steps, gold.ids, workbench.index, passages_by_gold=gold.passages, lists=Lists(workbench)
    )
    lost = [fate for fate in ends if fate.lost]
    some = Losses(film.spec, film.question, lost, gold.passages, [fate.gold for fate in ends])
    fixes = searched(some, workbench, BUDGET)
    if not all((rescue := fixes.get(fate.gold)) and rescue.keeps for fate in lost):
        return None
    made = fix_lines(some, fixes, lambda fate: fate.gold)
    fix = next((line for line in made if line.value), None)
    if fix is None:
        return None
    change = choices(fixes)[fix.value]
    changed = workbench.amended(parse(change.amendments))
    fixed = _walkthrough(changed, Spec.parse(change.retriever), film.question)
    return None if fixed.missed else (fix.told, fixed)


def _hop(film: _Film, missed: Sequence[str]) -> tuple[int, str] | None:
    """Return the stop at which the walk follows an edge to what searches missed, and its question.

    None if it was a seed, or is not joined by a pseudo-query.
    """
    data = film.data
    wanted = {node for one in data["gold"] if one["title"] in missed for node in one["nodes"]}
    for number in data["every"]:
        for one in data["stops"][number]["candidates"]:
            edge = data["edges"].get(one["edge"])
            reached = one["card"]["node"] in wanted and one["card"]["note"] != SEED
            if reached and one["verdict"] == "followed" and edge and edge["is_pseudo_query"]:
                return number, edge["question"]
    return None


def _assemble_tour(films: Sequence[_Film], fix: str) -> TourData:
    """Arrange five walkthroughs as scenes: two one-shot retrievers, HopRAG, a loss, its fix."""
    lexical, dense, walk, failed, fixed = films
    missed = [title for title in lexical.missed if title in dense.missed] or lexical.missed
    hop, edge = _hop(walk, missed) or (walk.data["every"][0], "")
    first, walk_chain = walk.data["every"][0], walk.chain
    titles = series([f"'{gold['title']}'" for gold in walk.data["gold"]])
    named = series([f"'{title}'" for title in missed])
    trimmed = [
        with_stops(lexical.data, [lexical.chain]),
        with_stops(dense.data, [dense.chain]),
        with_stops(walk.data, [first, hop, walk_chain]),
        with_stops(failed.data, [failed.chain]),
        with_stops(fixed.data, [fixed.chain]),
    ]
    scenes = [
        _scene(
            "A question that no single passage answers",
            (
                f"The answer needs evidence from {titles}: the gold passages, marked ★. Not all "
                "of them are similar to the question."
            ),
            *(2, 0, "gold", "corpus", "Use your own documents"),
        ),
        _scene(
            "BM25 misses part of the evidence",
            f"{named} shares few words with the question, so it is not in the top "
            f"{_top_k(lexical)}, the passages that BM25 ranks highest and returns.",
            *(0, 0, "chain", "compare", "Compare retrievers on one question"),
        ),
        _scene(
            "Dense retrieval misses it too",
            f"Its embedding is too far from the question's to make the top {_top_k(dense)}.",
            *(1, 0, "chain", "compare", "Compare retrievers on one question"),
        ),
        _scene(
            "A hop finds it",
            f"The current passage raises a question that another passage answers: '{edge}' "
            "The walk follows the edge between them.",
            *(2, 1, "candidates", "trace", "Walk through your own question"),
        ),
        _scene(
            "Why it is kept: Helpfulness",
            "The queue holds the passages to examine next. Each visit counts. Helpfulness "
            "averages two things: how similar a passage is to the question (SIM), and how often "
            "the walk visits it (IMP). Passages below the cut-off are dropped.",
            *(2, 1, "scores", "trace", "Walk through your own question"),
        ),
        _scene(
            "The evidence chain",
            "The walk has retrieved every piece of evidence, from the question to the answer. The "
            "lines show the questions that connect them.",
            *(2, 2, "chain", "trace", "Walk through your own question"),
        ),
        _scene(
            "When evidence is lost, you see where",
            "Another question loses evidence. The app names the stage at which it was lost, and "
            "the reason.",
            *(3, 0, "chain", "errors", "Find what your retriever loses"),
        ),
        _scene(
            "… and what would have retrieved it",
            f"The smallest change that retrieves it: {fix}. The app checked it by replaying the "
            f"question.{_why(fix, _top_k(failed))}",
            *(4, 0, "chain", "evaluate", "Evaluate a question set"),
        ),
    ]
    return TourData(version=1, walkthroughs=trimmed, scenes=scenes)


def _why(fix: str, top_k: int) -> str:
    """Return why a fix helps, as a further sentence; empty if the fix explains itself.

    >>> _why("Seeds 5 instead of 20", 20)
    ' With fewer seeds, fewer passages compete for the top 20.'
    >>> _why("Top k 24 instead of 20", 20)
    ''
    """
    seeds = re.match(r"(?i)seeds (\d+) instead of ", fix)
    if not seeds or int(seeds[1]) >= top_k:
        return ""
    return f" With fewer seeds, fewer passages compete for the top {top_k}."


def _top_k(film: _Film) -> int:
    return film.data["rankings"][film.data["stops"][film.chain]["ranking"]]["cut_off"]


def _scene(
    title: str, text: str, walkthrough: int, stop: int, focus: str, page: str, link: str
) -> SceneData:
    """Build a scene: a stop of a walkthrough with its text, and a link to a page."""
    return SceneData(
        title=title,
        text=text,
        walkthrough=walkthrough,
        stop=stop,
        focus=focus,  # type: ignore[typeddict-item]
        page=page,
        link=link,
    )
