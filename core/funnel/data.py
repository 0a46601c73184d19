"""The fate of one gold passage: stage, numbers, and sentences."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from core.funnel.near import Near
from core.funnel.stages import LOST, STAGES, Stage, meaning, stage_words
from core.playback.wording import TITLE, begun, called, cropped
from core.text.display.plurals import number
from core.text.display.scores import both, distance

REASON = 70
"""Characters of a reason in few words."""
_SEARCH = re.compile(r"#\d[\d.]*")
"""The id of a question that a search within the retrieval asked."""


CUT_OFF, LOWEST = "cut-off", "lowest accepted"
"""What a score had to beat: the last one of the top k, or the last one that a step took."""
UNNAMED = "no search query contains its title"
"""Of gold that none of the searches that were asked has the title of."""


@dataclass(frozen=True, slots=True)
class Entry:
    """The rank and score of gold among the candidate seeds of a walk; `rank` counts from 1.

    `cut_off` is the score of the last seed, `taken` how many seeds there are; 0 if not known.
    """

    rank: int
    score: float
    cut_off: float
    taken: int = 0


@dataclass(frozen=True, slots=True)
class Fate:
    """The outcome of one gold passage or document.

    Parameters
    ----------
    gold : the id from the question; a document is represented by its best passage.
    passage : the id of that passage; empty for gold that is not in the index.
    rank : from 1, in the deciding list: the result, what was cut off, or the candidates of a step.
        None
        if it is in no list, or the list is unknown.
    score : in that list.
    margin : `score` minus its threshold; negative if the passage was lost by it.
    hop : the round in which it was first reached (0 for a seed) or a candidate; else its number of
        edges
        from the nearest seed. None without rounds or a path.
    at, tie : of a refused passage, the node of the step, and the edge.
    place, asks, beat : the title of that node, the question of the edge, and the title of the last
        selected candidate, if the margin refers to it.
    entry : of gold that a walk never saw, its rank at the entry, if known.
    near : of gold that was never ranked or a candidate, how near it came in what was searched;
        `lists`
        has the same for each list, nearest first.
    why : the recorded reason of a refusal, if it says more than the margin.
    k, of : of gold below the top k, how many passages are kept, and how many have a rank.
    inner : whether `k` is that of a nested search, not of the result.
    held : for merged lists, its rank in the list that contained it.
    round : the word for a round on the screen.
    search, over : the id of the nested search that `rank`, `score` and `margin` belong to, and its
        retriever; empty if they belong to the retrieval itself.
    unnamed : whether no nested search lists it, and none contains the words of its title.
    """

    gold: str
    passage: str
    stage: Stage
    rank: int | None = None
    score: float | None = None
    margin: float | None = None
    hop: int | None = None
    at: str = ""
    tie: str = ""
    place: str = ""
    asks: str = ""
    beat: str = ""
    why: str = ""
    entry: Entry | None = None
    k: int | None = None
    of: int | None = None
    inner: bool = False
    search: str = ""
    over: str = ""
    held: str = ""
    round: str = "round"
    near: tuple[Near, ...] = ()
    lists: tuple[Near, ...] = ()
    unnamed: bool = False

    @property
    def lost(self) -> bool:
        """Whether it is not in the result."""
        return self.stage in LOST

    def __str__(self) -> str:
        """Return a phrase for the screen.

        >>> print(Fate("a", "a", "cut", rank=23, score=0.5, margin=-0.042, k=20))
        below the top 20: rank 23, score 0.500, cut-off 0.542
        """
        words, details = self.words, self.details
        return f"{words}: {details}" if details else words

    @property
    def words(self) -> str:
        """The stage, and of how many.

        >>> Fate("a", "a", "cut", rank=34, k=6, inner=True).words
        'not in the top 6 of any search'
        >>> Fate("a", "a", "below", k=8).words, Fate("a", "a", "below").words
        ('not found', 'nothing was retrieved')
        >>> Fate("a", "a", "cut").words, Fate("a", "a", "cut", rank=3, search="#1").words
        ('reached, not ranked', 'not retrieved')
        """
        if self.stage == "cut":
            return self._cut
        nothing = self.stage == "below" and self.k is None
        return "nothing was retrieved" if nothing else stage_words(self.stage)

    @property
    def _cut(self) -> str:
        """Phrase for the stage `cut`.

        Without `k`, the passage was kept in a nested search or has a rank in one of several lists.
        """
        if not self.rank:
            return "reached, not ranked"
        if not self.k or self.rank <= self.k:
            return "not retrieved"
        if self.inner:
            return f"not in the top {self.k:,} of any search"
        return f"below {'its' if self.search else 'the'} top {self.k:,}"

    @property
    def brief(self) -> str:
        """A short phrase: where the gold was lost, and the deciding number.

        >>> Fate("a", "a", "cut", rank=37, k=20, of=203).brief
        'rank 37, below the top 20'
        >>> Fate("a", "a", "cut", rank=34, k=6, of=203, inner=True, search="#2").brief
        'best rank 34 in search #2; each search keeps 6'
        >>> Fate("a", "a", "refused", score=0.18, margin=-0.037, beat="Ada", place="Ben").brief
        'not followed; score 0.180, lowest accepted 0.217'
        """
        place = f"rank {self.rank:,}{_in_search(self)}" if self.rank else ""
        if place and self.inner:
            return f"best {place}; each search keeps {self.k:,}"
        if place and self.stage == "cut":
            return f"{place}, {self.words}"
        return f"{self.words}; {self.figure}" if self.figure else self.words

    @property
    def figure(self) -> str:
        """For gold without a rank, the number that decided, in a few words; or empty."""
        if self.stage == "refused":
            return _decided(self)
        return self.near[0].brief if self.near and not self.rank else _started(self.entry)

    @property
    def short(self) -> str:
        """The same in one or two words: the rank, or the stage.

        >>> Fate("a", "a", "cut", rank=37, k=20, of=203).short, Fate("a", "a", "below", k=9).short
        ('rank 37', 'not found')
        """
        if self.rank and self.stage == "cut":
            return f"rank {self.rank:,}{_in_search(self)}"
        return self.words

    @property
    def means(self) -> str:
        """A sentence that explains the outcome without technical terms.

        >>> Fate("a", "a", "below", k=8).means
        'No search returned the passage, so it has no rank.'
        >>> Fate("a", "a", "cut", rank=23, k=20).means
        'The passage is ranked, but below the top 20.'
        """
        if self.stage != "cut" or not self.rank:
            return meaning(self.stage)
        return f"The passage is ranked, but {self.words}."

    @property
    def details(self) -> str:
        """The margin by which it was missed: sentences without the last full stop, or empty."""
        return sentences(_details(self))

    @property
    def entered(self) -> str:
        """The rank of the passage among the candidate seeds, in words; empty if unknown."""
        return _entered(self.entry)

    def to_json(self) -> dict[str, Any]:
        """Return all fields in the form that `from_json` reads."""
        return asdict(self)

    @staticmethod
    def from_json(raw: Mapping[str, Any]) -> "Fate":
        """Read the fate that `to_json` wrote; fields an earlier version lacks are unknown.

        Raises ValueError if `raw` is not a fate.
        """
        try:
            entry = raw.get("entry")
            misses = {
                name: tuple(map(Near.from_json, raw.get(name, ()))) for name in ("near", "lists")
            }
            fate = Fate(**{**raw, "entry": Entry(**entry) if entry else None, **misses})
        except (AttributeError, TypeError) as error:
            raise ValueError(f"no fate: {error}") from error
        if fate.stage not in STAGES:
            raise ValueError(f"there is no stage {fate.stage!r}")
        return fate


def sentences(thoughts: Iterable[str]) -> str:
    """Join clauses as sentences after a colon: the last one without its full stop.

    >>> sentences(["rank 4", "", "it is not named", "no search lists it"])
    'rank 4. It is not named. No search lists it'
    """
    parts = [one.rstrip(".") for one in thoughts if one]
    return ". ".join([*parts[:1], *map(begun, parts[1:])])


def _details(fate: Fate) -> tuple[str, ...]:
    """Return the clauses of `Fate.details`: the numbers that decided at this stage of loss."""
    match fate.stage:
        case "far" | "unoffered":
            return _distance(fate.hop, fate.stage), _entered(fate.entry), *_nearest(fate)
        case "refused":
            asks = f"edge question: '{cropped(fate.asks)}'" if fate.asks else ""
            why = fate.why or shortfall(fate)
            place = _place(fate)  # a bare "in hop 1" reads as if that were the hop of the evidence
            return ", ".join(filter(None, (place and f"a candidate {place}", why))), asks
        case "below":
            return _nearest(fate)
        case "cut" | "kept" | "unused":
            if fate.held:
                return _rank(fate), fate.held
            beaten = _beaten(fate) if fate.lost else ""
            position = ", ".join(filter(None, (_rank(fate), beaten)))
            return (f"best {position}", UNNAMED) if fate.unnamed and fate.rank else (position,)
        case _:
            return ()


def _rank(fate: Fate) -> str:
    if not fate.rank:
        return ""
    return f"rank {fate.rank:,}{f' of {fate.of:,}' if fate.of else ''}{_in_search(fate)}"


def _in_search(fate: Fate) -> str:
    return f" in search {fate.search}" if fate.search else ""


def _beaten(fate: Fate) -> str:
    """Return by how much it lost; a search has a scale of its own, not that of the result."""
    scores = against(fate.score, fate.margin)
    return f"{called(fate.over)} {scores}" if scores and fate.search else scores


def _distance(hop: int | None, stage: Stage) -> str:
    if hop is None:
        return "no path from any seed" if stage == "far" else ""
    return f"{number(hop, 'edge')} from the nearest seed"


def _entered(entry: Entry | None) -> str:
    if entry is None:
        return ""
    return f"{_started(entry)}, {against(entry.score, entry.score - entry.cut_off, LOWEST)}"


def _started(entry: Entry | None) -> str:
    """Return the rank of a passage among the seed candidates, and the number of seeds."""
    if entry is None:
        return ""
    few = f" (top {entry.taken:,} selected)" if entry.taken else ""
    if entry.taken == 1:
        few = " (only the first selected)"
    return f"rank {entry.rank:,} in the seed selection{few}"


def _nearest(fate: Fate) -> tuple[str, ...]:
    """Return its nearest misses."""
    if not fate.near:
        return ()
    first, *more = fate.near
    return str(first), *(one.whole for one in more)


def _decided(fate: Fate) -> str:
    """Return why it was not followed, or both scores if they decided; or else where."""
    if fate.why:
        return cropped(fate.why, REASON)
    scores = against(fate.score, fate.margin, LOWEST) if fate.beat else ""
    return scores or _place(fate)


def _place(fate: Fate) -> str:
    """Describe the round and the node at which the gold was a candidate."""
    there = f"at '{cropped(fate.place, TITLE)}'" if fate.place else ""
    when = f"in {fate.round} {fate.hop}" if fate.hop else ""
    if _SEARCH.fullmatch(fate.at):
        when = f"in search {fate.at}"
    return " ".join(filter(None, (when, there)))


def shortfall(fate: Fate) -> str:
    """Return by how much a candidate lost; a margin of its own has no score in the list."""
    if fate.beat:
        return against(fate.score, fate.margin, LOWEST)
    return beside_cut_off(fate.margin)


def against(score: float | None, margin: float | None, bound: str = CUT_OFF) -> str:
    """Return a score and the one it had to beat, which is called `bound`.

    >>> against(0.18, -0.037), against(0.5, 0.0), against(None, 0.1)
    ('score 0.180, cut-off 0.217', 'score equal to the cut-off', '')
    """
    if score is None or margin is None:
        return ""
    if not margin:
        return f"score equal to the {bound}"
    own, other = both(score, score - margin)
    return f"score {own}, {bound} {other}"


def beside_cut_off(margin: float | None) -> str:
    """Format the distance of a score from the cut-off.

    >>> beside_cut_off(-0.0312), beside_cut_off(0.0), beside_cut_off(None)
    ('score 0.031 below the cut-off', 'score equal to the cut-off', '')
    """
    if margin is None:
        return ""
    if not margin:
        return "score equal to the cut-off"
    return f"score {distance(margin)} {'above' if margin > 0 else 'below'} the cut-off"
