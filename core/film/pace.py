"""What a film that plays by itself passes over, and the one sentence that it says of that.

By hand every stop is seen. Who watches a film needs time where something happens: looks that bring
neither gold nor what is retrieved in the end, and rounds after which the first are in the same
order, are told together.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, pairwise

from core.film.data import BoardData, FrameData
from core.film.ending import stopped
from core.film.news import FAR, UNREACHED, caption, news, words
from core.film.plot import Plot
from core.film.standing import queue
from core.playback import Frame, Standing
from core.playback.together import FIRST, looks_together, spreads_together
from core.steps import ROOT, Asked, Began, Offered, Pooled, Said, Spread, Step

SETTLED = 0.1
"""Of what spreads: where less than this moves in a round, ranks change little."""
WORDS = {"t", "caption", "means", "round", "travels", "faded"}
"""Parts of a frame: where no other changes, nothing is to be seen."""

_Pair = tuple[FrameData, FrameData]
"""A stop, behind the one before it."""


@dataclass(frozen=True, slots=True)
class Pace:
    """`still` are the stops that are passed over, by t; `together` is said at one that is not, of
    it and of those before it that are. `queues` have the queue there since the first of those.
    """

    still: Sequence[int]
    together: Mapping[int, str]
    queues: Mapping[int, BoardData]


@dataclass(frozen=True)
class Pacing:
    """What decides on the pace of a film.

    `at` are the frames of every t from 0. `decisive` are steps of which it is told how gold was
    lost there.
    """

    plot: Plot
    at: Sequence[Frame]
    decisive: frozenset[int]

    def of(self, stops: Iterable[FrameData]) -> Pace:
        """Of the `stops` of the finest grain; one alone that visits nothing is not told at all."""
        still, together, queues = [], {}, {}
        runs: list[tuple[str, _Pair]] = []
        seen: set[tuple[bool | str, ...]] = set()
        for pair in pairwise(stops):
            if self._nothing(pair):
                still.append(pair[1]["t"])
            else:
                runs.append((self._run(pair, seen), pair))
        for name, run in groupby(runs, lambda one: one[0]):
            pairs = [pair for _, pair in run]
            if not name:
                continue
            if len(pairs) > 1:
                began, now = pairs[0][0]["t"], pairs[-1][1]
                together[now["t"]] = self._told(pairs)
                if now["queue"]:
                    ends = self.at[began], self.at[now["t"]]
                    queues[now["t"]] = queue(self.plot.cast, *ends, None)
                still += [passed["t"] for _, passed in pairs[:-1]]
            elif self._says_nothing(pairs[0]):
                still.append(pairs[0][1]["t"])
        return Pace(sorted(still), together, queues)

    def _says_nothing(self, pair: _Pair) -> bool:
        """Of what would be told with others, if there were any."""
        if isinstance(self._step(pair), Spread):
            return _as_before(*pair)
        return not self.at[pair[1]["t"]].arrivals

    def _step(self, pair: _Pair) -> Step:
        return self.plot.steps[pair[1]["t"] - 1]

    def _nothing(self, pair: _Pair) -> bool:
        """Where a round only begins, a list is empty or brings nothing, what was just said is
        asked, only words change, or the result says it again.

        What spreads is told together.
        """
        before, now = pair
        earlier, step = (self.plot.steps[one["t"] - 1] for one in pair)
        if isinstance(step, Spread):
            return False
        changed = {part for part in now if now[part] != before[part]}  # type: ignore[literal-required]
        brings = before["nodes"].keys() != now["nodes"].keys()
        return (
            _only_begins(step)
            or changed <= WORDS
            or (_lists_again(step) and not brings)
            or _was_said(earlier, step)
            or self._told_in_the_end(step)
        )

    def _told_in_the_end(self, step: Step) -> bool:
        """Whether it says why nothing more is found, which the result says again."""
        why = stopped(self.plot.steps, self.plot.last) if self.plot.cast.gold else ""
        return isinstance(step, Said) and bool(why) and step.ends == why

    def _run(self, pair: _Pair, seen: set[tuple[bool | str, ...]]) -> str:
        """Those in a row that have the same name are told together; empty for what matters.

        Of the looks of one kind, in `seen`, the first matters: it shows what they are. So does the
        first of a round that leads to what is retrieved, and each that leads to gold.
        """
        step, now = self._step(pair), self.at[pair[1]["t"]]
        where = now.asked.id if now.asked else ""
        if isinstance(step, Spread):
            return where if now.round and (_as_before(*pair) or self._settles(pair, step)) else ""
        if not isinstance(step, Offered) or not self._changes_nothing(step, pair):
            return ""
        new = any(visit.new for visit in now.arrivals)
        name = f"{where} {now.round}"
        kinds: set[tuple[bool | str, ...]] = {
            (bool(step.offers), bool(step.taken), new, step.told.fallback)
        }
        if self._leads(step, pair, self._kept):
            kinds.add((name,))
        if kinds <= seen:
            return name
        seen |= kinds
        return ""

    def _settles(self, pair: _Pair, step: Spread) -> bool:
        """Whether little moves, and gold goes neither far nor over the line."""
        was, is_ = (self._places(one["t"]) for one in pair)
        return (
            step.moved / 2 < SETTLED
            and was.keys() == is_.keys()
            and all(row.kept == is_[gold].kept for gold, row in was.items())
            and all(abs(row.rank - is_[gold].rank) < FAR for gold, row in was.items())
        )

    def _places(self, t: int) -> dict[str, Standing]:
        """Where gold ranks."""
        rows = {row.hit.passage_id: row for row in self.at[t].standings}
        return {gold: rows[gold] for gold in self.plot.cast.gold if gold in rows}

    def _changes_nothing(self, step: Offered, pair: _Pair) -> bool:
        """Whether a place left the queue, and nothing is told of gold, and none leads to it."""
        before, now = (self.at[one["t"]] for one in pair)
        return (
            now.round is not None
            and step.at in now.round.waiting
            and not (step.told.by_hand or now.t in self.decisive)
            and not news(before, now, [*self.plot.cast.gold])
            and not self._leads(step, pair, self._gold)
        )

    def _leads(self, step: Offered, pair: _Pair, ways: frozenset[str]) -> bool:
        """Whether it reaches some of what is on `ways` for the first time."""
        before = self.at[pair[0]["t"]].roles
        taken = (offer.target for offer in step.taken)
        return any(node in ways and before.get(node) in UNREACHED for node in taken)

    @cached_property
    def _gold(self) -> frozenset[str]:
        """Gold and what led there."""
        return self._ways(self.plot.cast.gold)

    @cached_property
    def _kept(self) -> frozenset[str]:
        """What is retrieved in the end, and what led there."""
        return self._ways(hit.passage_id for hit in self.plot.last.hits)

    def _ways(self, ends: Iterable[str]) -> frozenset[str]:
        return frozenset(node for end in ends for node in self.plot.path(end))

    def _told(self, pairs: Sequence[_Pair]) -> str:
        """What happened from the first of `pairs` to the last, and what of gold all of them did."""
        began, now = pairs[0][0]["t"], self.at[pairs[-1][1]["t"]]
        steps = self.plot.steps[began : now.t]
        if isinstance(now.step, Spread):
            gold = words(news(self.at[began], now, [*self.plot.cast.gold]), self.plot.cast.title)
            rounds = [self.at[one["t"]] for one in (pairs[0][0], *(after for _, after in pairs))]
            return spreads_together(rounds, gold)
        looks = [step for step in steps if isinstance(step, Offered)]
        others = now.round is not None and looks[0].at != now.round.waiting[0]
        title, before = self.plot.cast.title, self.at[began]
        told = looks_together(looks, before, now, title, others=others)
        return caption(lambda *_: told, news(before, now, [*self.plot.cast.gold]), now, title)


def _only_begins(step: Step) -> bool:
    """Or has an empty list; at a node of a walk that is a dead end."""
    return isinstance(step, Began) or (
        isinstance(step, Offered) and step.at == ROOT and not (step.entry or step.offers)
    )


def _lists_again(step: Step) -> bool:
    """Whether one list is told as it is: where it brings no node, those before have told of it."""
    return isinstance(step, Pooled) and len(step.of) == 1


def _was_said(before: Step, step: Step) -> bool:
    return isinstance(before, Said) and isinstance(step, Asked) and before.text == step.query


def _as_before(before: FrameData, now: FrameData) -> bool:
    """Whether gold stands where it stood, and the first of each list do."""
    return before["gold"] == now["gold"] and all(
        _first(before[part]) == _first(now[part]) for part in ("board", "ranking")
    )


def _first(board: BoardData | None) -> list[int | None]:
    return [row.get("node") for row in board["rows"][:FIRST]] if board else []
