"""The frames of a film: what the screen shows at each stop of a grain."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from core.film import boards, standing
from core.film.data import BoardData, FrameData, LineRole, NodeRole, TravelData
from core.film.fading import Fading
from core.film.gold import standings as gold_standings
from core.film.leading import leading, led
from core.film.looks import line_roles, node_roles, sizes
from core.film.news import caption, news
from core.film.paths import best_paths
from core.film.plot import NEVER, Plot
from core.film.scores import Tones
from core.film.sentences import sentence
from core.funnel.data import Fate
from core.playback import DrawnLine, Frame, Grain, Label, stops
from core.playback.calling import kind_of
from core.playback.layers import WORDS
from core.playback.rounds import Round, round_at, round_sentence
from core.playback.wording import TITLE, TWO_LINES, begun, cropped
from core.steps import Asked, Offered, Spread

MOVES = (
    "What moves is the share of the {} that is on another node after this round: "
    "the less it is, the less the ranks still change."
)


@dataclass(frozen=True)
class Scenes:
    """All frames of a film are made of these.

    `at` are the frames of every t from 0, `names` the names of the steps, `known` the parts of
    the retriever's card, `ending` is what the last frame says where something is gold, `lost` lists
    there what of it was lost, `fates` say what became of that.
    `beside` says by step what is told there of gold that no step named. `rounds` say what
    happens in a round, by its name, where the retriever's card does.
    """

    plot: Plot
    at: Sequence[Frame]
    names: Sequence[Label]
    known: Tones
    ending: str
    lost: BoardData | None
    fates: Mapping[str, Fate]
    beside: Mapping[int, str]
    rounds: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def queued(self) -> bool:
        """Whether nodes wait in this film."""
        return any(isinstance(step, Offered) and step.arrivals for step in self.plot.steps)

    @cached_property
    def _led(self) -> frozenset[str]:
        return frozenset(leading(self.plot))

    @cached_property
    def _led_at(self) -> dict[int, list[tuple[str, str]]]:
        return led(self.plot)

    @cached_property
    def top(self) -> float:
        """The largest share that a node ever holds of what is spread."""
        spread = (step.hits[:1] for step in self.plot.steps if isinstance(step, Spread))
        return max((hit.score for hits in spread for hit in hits), default=0.0)

    @cached_property
    def _paths(self) -> dict[int, list[str]]:
        return best_paths(self.plot.steps, self.plot.cast.lines)

    @cached_property
    def _fading(self) -> Fading:
        return Fading(self.plot)

    @cached_property
    def _gold(self) -> dict[str, list[str]]:
        """Where each gold passage stands, at every t from 0."""
        gold = self.plot.cast.gold
        return {name: list(gold_standings(self.at, name, self.fates.get(name))) for name in gold}

    @cached_property
    def brought(self) -> dict[int, list[tuple[int, DrawnLine]]]:
        """Lines that are no edges of the index, by the step at which they were followed."""
        found: dict[int, list[tuple[int, DrawnLine]]] = {}
        for number, line in enumerate(self.plot.cast.lines):
            if not line.of_graph and line.taken:
                found.setdefault(line.taken, []).append((number, line))
        return found

    def of(self, grain: Grain) -> Iterator[FrameData]:
        """A frame for each stop of `grain`."""
        before = 0
        for t in stops(self.plot.steps, grain):
            whole = round_at(self.plot.steps, t) if grain != "event" else None
            yield self.frame(self.at[before], self.at[t], whole)
            before = t

    def frame(self, before: Frame, now: Frame, whole: Round | None) -> FrameData:
        """What the screen shows at `now`, of which the stop `before` is the one it comes from; who
        is drawn only at times comes to it later (`core.film.seats`).
        """
        cast, steps = self.plot.cast, self.plot.steps
        past = steps[: now.t]
        nodes, lines = self._nodes(now, whole), self._lines(now, whole)
        return {
            "t": now.t,
            "round": self.names[now.t - 1].round,
            "caption": self._caption(before, now, whole),
            "means": self._means(now),
            "nodes": {cast.key[name]: role for name, role in nodes.items()},
            "lines": {self._key(name): role for name, role in lines.items()},
            "guests": {},
            "aside": {},
            "faded": {
                "nodes": {cast.key[name]: 1 for name in self._fading.nodes(now, whole, nodes)},
                "lines": {self._key(name): 1 for name in self._fading.lines(now, whole, lines)},
            },
            "counts": {cast.key[name]: count for name, count in now.counter.items() if count > 1},
            "sizes": {cast.key[n]: size for n, size in sizes(now, self.top).items()},
            "taken": [] if whole else cast.numbers(self._taken(before, now, lines)),
            "queue": standing.queue(cast, before, now, whole) if self.queued else None,
            "board": self._board(now, whole),
            "ranking": standing.ranking(
                *(cast, now, self.known, self.plot.places, self.plot.lost, self.fates)
            ),
            "gold": {cast.key[name]: told[now.t] for name, told in self._gold.items()},
            "answers": {
                str(number): one.answer
                for number, one in enumerate(now.questions.values())
                if one.answer
            },
            "questions": sum(isinstance(step, Asked) for step in past),
            "said": len(now.said),
            "asked": sum(step.told.exchange is not None for step in past),
            "travels": self._travels(now, whole),
        }

    def _caption(self, before: Frame, now: Frame, whole: Round | None) -> str:
        rounds = whole and isinstance(now.step, Offered) and whole.began.waiting
        if self.ending and now.t == len(self.plot.steps) and not rounds:
            return self.ending
        text = sentence(self.plot, before, now)
        if whole and rounds:
            cast, said = self.plot.cast, round_sentence(whole, kind_of(whole.looked_at, now))
            text = caption(
                *(lambda *_: said, news(before, now, [*cast.gold], self.plot.places), now),
                *(cast.title, [*cast.gold]),
            )
        return text if whole else self.with_beside(text, before.t, now.t)

    def with_beside(self, text: str, since: int, t: int) -> str:
        """`text` of the steps behind `since` up to `t`, with what is told of gold there that no
        step named, and where there is room of what leads to gold: before why something is taken.
        """
        passed = range(since + 1, t + 1)
        told = " ".join([text, *(self.beside[at] for at in passed if at in self.beside)])
        leads = self._leads(passed, told)
        brief = told.replace(f" {self.plot.steps[t - 1].told.reason}".rstrip(), "")
        for way in (told, brief) if leads else ():
            if len(whole := " ".join([way, *leads])) < TWO_LINES:
                return whole
        for one in leads:
            told = f"{told} {one}" if len(told) + len(one) < TWO_LINES else told
        return told

    def _leads(self, passed: Sequence[int], told: str) -> list[str]:
        """What of the things taken in these steps leads to gold, where `told` does not say so."""
        cast, found = self.plot.cast, list[str]()
        for end, gold in (pair for at in passed for pair in self._led_at.get(at, ())):
            name = f"'{cropped(cast.bare(end), TITLE)}'"
            noun = begun(WORDS.get(cast.kind(end), cast.noun(end)))
            if f"{name} leads" not in told:
                found.append(f"{noun} {name} leads to gold '{cropped(cast.title(gold), TITLE)}'.")
        return found

    def _means(self, now: Frame) -> str:
        """What happens in its round, and what is counted there."""
        moves = MOVES.format(now.step.of) if isinstance(now.step, Spread) else ""
        return " ".join(filter(None, (self._round(now), moves)))

    def _round(self, now: Frame) -> str:
        """Of the round that its step is called by; the result stands in none."""
        named = self.names[now.t - 1].round
        return self.rounds.get(now.round.name, "") if now.round and named else ""

    def _board(self, now: Frame, whole: Round | None) -> BoardData | None:
        """Where a word for a round first stands it is said what happens in that."""
        if now.t == len(self.plot.steps):
            return self.lost
        made = boards.step_board(
            self.plot.cast, now, whole, self.known, self.plot.places, self._led
        )
        told = self._round(now) if now.round and now.round.number == 1 else ""
        if made is None or not told:
            return made
        return {**made, "rows": [{"text": told}, *made["rows"]]}

    def _nodes(self, now: Frame, whole: Round | None) -> dict[str, NodeRole]:
        roles = node_roles(now, self.plot.lost, whole)
        if now.t >= self.plot.haunted_from:
            roles |= dict.fromkeys(sorted(self.plot.ghosts - roles.keys()), "ghost")
        drawn = self.plot.columns.of
        return {name: role for name, role in roles.items() if name in drawn}

    def _lines(self, now: Frame, whole: Round | None) -> dict[str, LineRole]:
        cast = self.plot.cast
        roles = line_roles(now, cast.lines, self.plot.again, whole)
        if (path := self._paths.get(now.t)) and isinstance(now.step, Offered):
            roles |= {one.tie: "walked" if one.taken else "plain" for one in now.step.offers}
            roles |= dict.fromkeys(path, "chosen")
        if now.t == len(self.plot.steps):
            roles |= {line.id: "ghost" for line in cast.lines if line.offered == NEVER}
            refused = {one.tie for one in self.fates.values() if one.stage == "refused"}
            roles |= {tie: "missed" for tie in refused if roles.get(tie) == "refused"}
        known = cast.line_number
        return {name: role for name, role in roles.items() if name in known}

    def _taken(self, before: Frame, now: Frame, lines: Mapping[str, LineRole]) -> list[str]:
        """What is taken of what was there before, where no line leads to it now."""
        step = now.step
        if not isinstance(step, Offered) or step.entry or now.t in self._paths:
            return []
        there = self._nodes(before, None)
        chosen = (line for line in self.plot.cast.lines if lines.get(line.id) == "chosen")
        led = {end for line in chosen for end in (line.source, line.target)}
        return [one.target for one in step.taken if one.target in there and one.target not in led]

    def _key(self, line: str) -> str:
        return str(self.plot.cast.line_number[line])

    def _travels(self, now: Frame, whole: Round | None) -> list[TravelData]:
        """What was taken, along its line; what a walk starts with, out of nowhere."""
        step, cast = now.step, self.plot.cast
        if isinstance(step, Offered) and step.entry:
            nodes = cast.numbers(arrival.id for arrival in step.arrivals)
            return [{"line": None, "source": None, "target": node} for node in nodes]
        taken = [(step.at, offer) for offer in step.taken] if isinstance(step, Offered) else []
        found: dict[int, TravelData] = {}
        for at, offer in whole.followed if whole else taken:
            line = cast.line_number.get(offer.tie)
            if line is not None:
                found[line] = {
                    "line": line,
                    "source": cast.number.get(at),
                    "target": cast.number[offer.target],
                }
        for number, drawn in self.brought.get(now.t, ()):
            if number not in found:
                ends = cast.number[drawn.source], cast.number[drawn.target]
                source, target = reversed(ends) if drawn.backwards else ends
                found[number] = {"line": number, "source": source, "target": target}
        return list(found.values())
