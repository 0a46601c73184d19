"""Which stops of a film are told as one, on a stage and where it plays by itself.

Who watches a film needs time where something happens. What brings neither gold nor what is
retrieved in the end, a search with the list that it gives, and rounds after which the first are in
the same order, are told in one sentence; a film with more stops than an audience has patience for
is told in longer runs.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, groupby, pairwise, takewhile
from operator import itemgetter
from typing import Literal

from core.film.data import BoardData, FrameData
from core.film.ending import stopped
from core.film.news import UNREACHED, news
from core.film.plot import Plot
from core.playback import Frame, Standing
from core.playback.searches import Search, outer_rounds, searches
from core.playback.together import FIRST
from core.steps import ROOT, Asked, Began, Offered, Pooled, Said, Spread, Step

LOOKS, STEPS, SEARCHES, ROUNDS = LEVELS = range(4)
"""How long runs are: first looks are told alone, as is each round that narrows what there is, and
searches of a new kind step by step; the same without first looks, with such rounds as one; each
search is one; and so is what a round goes on with.
"""
WORDS = {"t", "caption", "means", "round", "travels", "faded", "taken"}
"""Parts of a frame: where no other changes, nothing is to be seen."""

Pair = tuple[FrameData, FrameData]
"""A stop, behind the one before it."""


Kind = Literal["", "said", "looks", "narrows", "spreads", "search", "round", "after"]
"""What a run does, empty for a stop alone, which may come `after` some that bring nothing new."""
Name = tuple[Kind, str]
"""Stops in a row that have the same are of one run."""
ALONE: Name = "", ""


@dataclass(frozen=True, slots=True)
class Run:
    """Stops in a row that are told as one."""

    kind: Kind
    pairs: tuple[Pair, ...]

    @property
    def since(self) -> int:
        """The t of the stop before it."""
        return self.pairs[0][0]["t"]

    @property
    def t(self) -> int:
        """That of its last stop, at which it is told."""
        return self.pairs[-1][1]["t"]

    @property
    def passed(self) -> Iterable[int]:
        """Those of the others."""
        return (now["t"] for _, now in self.pairs[:-1])


@dataclass(frozen=True)
class Runs:
    """What decides on the runs of a film.

    `at` are the frames of every t from 0. `decisive` are steps of which it is told how gold was
    lost there.
    """

    plot: Plot
    at: Sequence[Frame]
    decisive: frozenset[int]
    level: int = LOOKS

    def of(self, stops: Iterable[FrameData]) -> tuple[list[int], list[Run]]:
        """The t of those `stops` of which nothing is told, and the runs of the others."""
        nothing: list[int] = []
        named: list[tuple[Name, Pair]] = []
        said: Name
        seen: set[bool] = set()
        for pair in pairwise(stops):
            if named and self._asks_what_was_said(pair) and named[-1][1][1] is pair[0]:
                said = "said", str(pair[0]["t"])
                named[-1:] = [(said, named[-1][1]), (said, pair)]
            elif self._nothing(pair):
                if named and named[-1][0][0] == "search" and self._ranks_anew(named[-1][1], pair):
                    named.append((named[-1][0], pair))
                else:
                    nothing.append(pair[1]["t"])
            else:
                named.append((self._name(pair, seen), pair))
        runs: list[Run] = []
        groups = [
            (kind, [pair for _, pair in those])
            for (kind, _), those in groupby(named, itemgetter(0))
        ]
        passed: list[Pair] = []
        for (kind, pairs), (_, after) in zip(groups, [*groups[1:], ("", [])], strict=True):
            beside = [pair for _, others in groups if others is not pairs for pair in others]
            if self._settles_again(kind, pairs, runs):
                runs[-1] = Run(kind, (*runs[-1].pairs, *pairs))
                continue
            if kind and self._says_nothing(kind, pairs, after, beside):
                passed += pairs
                continue
            if kind:
                runs.append(Run(kind, tuple(pairs)))
                nothing += (now["t"] for _, now in passed)
            else:
                first = Run("after" if passed else "", (*passed, pairs[0]))
                runs += (first, *(Run("", (pair,)) for pair in pairs[1:]))
            passed = []
        return sorted(nothing), self._by_round(runs) if self.level >= ROUNDS else runs

    def _by_round(self, runs: Sequence[Run]) -> list[Run]:
        """With those in a row as one that belong to one round of the question itself, and bring
        nothing that is new: neither of gold, nor in kind.
        """
        seen: set[str] = set()
        named: list[tuple[str, Run]] = []
        for run in runs:
            kind, step = run.kind, self._step(run.pairs[-1])
            what = kind or f"{type(step).__name__} {step.by if isinstance(step, Said) else ''}"
            again = what in seen and not self._tells_of_gold(run) and run is not runs[-1]
            seen.add(what)
            named.append((self._rounds[run.t] if again else "", run))
        found: list[Run] = []
        for name, those in groupby(named, itemgetter(0)):
            same = [run for _, run in those]
            if name and len(same) > 1:
                found.append(Run("round", tuple(chain.from_iterable(r.pairs for r in same))))
            else:
                found += same
        return found

    def _tells_of_gold(self, run: Run) -> bool:
        steps = range(run.since + 1, run.t + 1)
        return any(
            t in self.decisive or self.plot.steps[t - 1].told.by_hand for t in steps
        ) or bool(news(self.at[run.since], self.at[run.t], [*self.plot.cast.gold]))

    @cached_property
    def _searches(self) -> Mapping[int, Search]:
        """By step."""
        return searches(self.plot.steps)

    @cached_property
    def _rounds(self) -> Sequence[str]:
        return outer_rounds(self.plot.steps)

    def _says_nothing(
        self, kind: Kind, pairs: Sequence[Pair], after: Sequence[Pair], beside: Sequence[Pair]
    ) -> bool:
        """Of what would be told with others, if there were any; and looks that reach nothing new
        before the first of their round that does, but for one that is all of its round.
        """
        if kind == "spreads":
            return len(pairs) == 1 and _as_before(*pairs[0])
        if kind != "looks" or any(map(self._brings, pairs)) or self._moves(pairs):
            return False
        others = beside if len(pairs) == 1 else after
        looks = [pair for pair in others if isinstance(self._step(pair), Offered)]
        return any(self._where(pairs[-1]) == self._where(one) for one in looks)

    def _settles_again(self, kind: Kind, pairs: Sequence[Pair], before: Sequence[Run]) -> bool:
        """Whether a second thing spreads until it settles, and what is ranked first stays: it is
        told with its first round, the stop before.
        """
        told = any(run.kind == "spreads" for run in before)
        return kind == "spreads" and told and _as_before(pairs[0][0], pairs[-1][1], ("ranking",))

    def _moves(self, pairs: Sequence[Pair]) -> bool:
        """Whether from the first to the last of `pairs` gold changes its rank, or something what
        would be retrieved.
        """
        was, is_ = (self.at[one["t"]] for one in (pairs[0][0], pairs[-1][1]))
        return self._stand(was) != self._stand(is_)

    def _stand(self, now: Frame) -> dict[str, int]:
        """What would be retrieved, and gold with its rank."""
        gold = self.plot.cast.gold
        rows = ((row.hit.passage_id, row) for row in now.standings)
        return {name: row.rank * (name in gold) for name, row in rows if row.kept or name in gold}

    def _where(self, pair: Pair) -> str:
        """The question that is open, and its round."""
        now = self.at[pair[1]["t"]]
        return f"{now.asked.id if now.asked else ''} {now.round}"

    def _brings(self, pair: Pair) -> bool:
        """Whether a look reaches something for the first time."""
        return any(visit.new for visit in self.at[pair[1]["t"]].arrivals)

    def _step(self, pair: Pair) -> Step:
        return self.plot.steps[pair[1]["t"] - 1]

    def _nothing(self, pair: Pair) -> bool:
        """Where a round only begins, a list is empty or brings nothing, only words change, or the
        result says it again.

        What spreads is told together.
        """
        before, now = pair
        step = self._step(pair)
        if isinstance(step, Spread):
            return False
        changed = {part for part in now if now[part] != before[part]}  # type: ignore[literal-required]
        brings = before["nodes"].keys() != now["nodes"].keys()
        return (
            _only_begins(step)
            or changed <= WORDS
            or (_lists_again(step) and not brings)
            or self._told_in_the_end(pair)
        )

    def _told_in_the_end(self, pair: Pair) -> bool:
        """Whether it says why nothing more is found, or lists what the result is, and tells nothing
        of gold: the result says that again.
        """
        step, before, now = self._step(pair), *(self.at[one["t"]] for one in pair)
        why = stopped(self.plot.steps, self.plot.last) if self.plot.cast.gold else ""
        if isinstance(step, Said):
            return bool(why) and step.ends == why
        if not isinstance(step, Pooled) or now.t != len(self.plot.steps) - 1:
            return False
        if len(step.of) > 1:
            return False
        same = [hit.passage_id for hit in step.hits[: len(self.plot.last.hits)]]
        result = [hit.passage_id for hit in self.plot.last.hits]
        return same == result and not news(before, now, [*self.plot.cast.gold])

    def _ranks_anew(self, before: Pair, pair: Pair) -> bool:
        """Whether right behind a search all that was found is ranked."""
        return before[1] is pair[0] and isinstance(self._step(pair), Pooled)

    def _asks_what_was_said(self, pair: Pair) -> bool:
        said, asked = (self.plot.steps[one["t"] - 1] for one in pair)
        return isinstance(said, Said) and isinstance(asked, Asked) and said.text == asked.query

    def _name(self, pair: Pair, seen: set[bool]) -> Name:
        """Of the looks of one kind, in `seen`, the first stands alone, as it shows what they are:
        one that takes something, and as long as it is open what becomes of gold one that does not.
        """
        step, now = self._step(pair), self.at[pair[1]["t"]]
        search = self._searches.get(now.t)
        one = search and (search.flat or search.again or self.level >= SEARCHES)
        if search and one and not step.told.by_hand:
            return "search", search.asked.id
        where = now.asked.id if now.asked else ""
        if isinstance(step, Spread):
            settles = now.round and (_as_before(*pair) or self._settles(pair))
            return ("spreads", where) if settles else ALONE
        if not isinstance(step, Offered) or not now.round:
            return ALONE
        if self._narrows(step, pair):
            of_it = takewhile(lambda one: one is not now.round, reversed(self.plot.steps[: now.t]))
            place = sum(isinstance(one, Offered) for one in of_it)
            alone = now.t if self.level == LOOKS else ""
            return "narrows", f"{where} {now.round.name} {place} {alone}"
        if step.at not in now.round.waiting:
            return ALONE
        takes, open_ = bool(step.taken), now.t <= self._last_news[where]
        shows = self._brings(pair) if takes else step.offers and open_
        if self._matters(step, pair) or (self.level == LOOKS and shows and takes not in seen):
            seen.add(takes)
            return ALONE
        return "looks", self._where(pair)

    def _narrows(self, step: Offered, pair: Pair) -> bool:
        """Whether one round of several takes some of many things, and tells nothing of gold."""
        before, now = (self.at[one["t"]] for one in pair)
        things = all(self.plot.cast.kind(offer.target) != "passage" for offer in step.offers)
        several = now.round and now.round.number and step.at not in now.round.waiting
        tells = now.t in self.decisive or news(before, now, [*self.plot.cast.gold])
        return bool(several and step.taken and things and not step.told.by_hand and not tells)

    @cached_property
    def _last_news(self) -> Mapping[str, int]:
        """By question the last step of its walk that tells of gold; the end where none does."""
        found: dict[str, int] = defaultdict(lambda: len(self.at))
        gold = [*self.plot.cast.gold]
        for before, now in pairwise(self.at):
            tells = now.t in self.decisive or news(before, now, gold)
            if now.asked and isinstance(now.step, Offered) and tells:
                found[now.asked.id] = now.t
        return found

    def _settles(self, pair: Pair) -> bool:
        """Whether it goes on with what spreads, and no gold comes to be ranked or over the line."""
        was, is_ = (self._places(one["t"]) for one in pair)
        first = not isinstance(self.plot.steps[pair[0]["t"] - 1], Spread)
        return (
            not first
            and was.keys() == is_.keys()
            and all(row.kept == is_[gold].kept for gold, row in was.items())
        )

    def _places(self, t: int) -> dict[str, Standing]:
        """Where gold ranks."""
        rows = {row.hit.passage_id: row for row in self.at[t].standings}
        return {gold: rows[gold] for gold in self.plot.cast.gold if gold in rows}

    def _matters(self, step: Offered, pair: Pair) -> bool:
        """Whether a look tells of gold, or leads to some, or was chosen by hand."""
        before, now = (self.at[one["t"]] for one in pair)
        return bool(
            step.told.by_hand
            or now.t in self.decisive
            or news(before, now, [*self.plot.cast.gold])
            or self._leads(step, before)
        )

    def _leads(self, step: Offered, before: Frame) -> bool:
        """Whether it reaches gold, or what led there, for the first time."""
        taken = (offer.target for offer in step.taken)
        return any(node in self._gold and before.roles.get(node) in UNREACHED for node in taken)

    @cached_property
    def _gold(self) -> frozenset[str]:
        """Gold and what led there."""
        return frozenset(node for end in self.plot.cast.gold for node in self.plot.path(end))


def _only_begins(step: Step) -> bool:
    """Or has an empty list; at a node of a walk that is a dead end."""
    return isinstance(step, Began) or (
        isinstance(step, Offered) and step.at == ROOT and not (step.entry or step.offers)
    )


def _lists_again(step: Step) -> bool:
    """Whether one list is told as it is: where it brings no node, those before have told of it."""
    return isinstance(step, Pooled) and len(step.of) == 1


def _as_before(
    before: FrameData,
    now: FrameData,
    lists: Sequence[Literal["board", "ranking"]] = ("board", "ranking"),
) -> bool:
    """Whether gold stands where it stood, and the first of each of these `lists` do."""
    stand = all(_first(before[part]) == _first(now[part]) for part in lists)
    return before["gold"] == now["gold"] and stand


def _first(board: BoardData | None) -> list[int | None]:
    return [row.get("node") for row in board["rows"][:FIRST]] if board else []
