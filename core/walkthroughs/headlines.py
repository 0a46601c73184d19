"""One sentence per stop, in the present tense."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.playback import Frame
from core.playback.reasons import beaten, reason_of
from core.playback.voices import narration
from core.playback.wording import begun, called, voice, with_current_gold
from core.steps import Asked, Began, Offered, Pooled, Ranked, Said, Spread
from core.text.display.plurals import number, singular
from core.text.display.scores import both, distance
from core.walkthroughs.gold import Level
from core.walkthroughs.nodes import Nodes
from core.walkthroughs.wording import number_of, quoted, series

FEW = 3
"""Places that are named."""


@dataclass(frozen=True)
class Headlines:
    """Says what happens at each step.

    Parameters
    ----------
    positions : by passage, which gold it holds ("evidence 2 of 3").
    level : what counts as gold.
    """

    nodes: Nodes
    positions: Mapping[str, Sequence[str]]
    level: Level

    def of(self, now: Frame) -> str:
        """Return the headline of the step of a frame."""
        match now.step:
            case Asked() as step:
                return self._start_headline(step, now)
            case Began() as step:
                return self._round_headline(step)
            case Offered() as step if step.entry:
                return self._seed_headline(step)
            case Offered() as step if not step.offers:
                return self._skipped(step, now)
            case Offered() as step if step.arrivals or self._walks(step):
                return self._walk_headline(step, now)
            case Offered() as step:
                return self._listed(step)
            case Spread() as step:
                return self._spread(step, now)
            case Said() as step:
                text = narration(step, now, self.nodes.title)
                return begun(text)
            case Pooled() as step:
                return self._pooled(step, now)
            case Ranked() as step:
                return self._result_headline(step, now)
        return ""

    def name(self, node: str) -> str:
        """Return the name of a node in quotes, with its gold."""
        gold = self.positions.get(node, ())
        return quoted(self.nodes.title(node)) + (f" ({series(gold)})" if gold else "")

    def gold_among(self, nodes: Sequence[str]) -> str:
        """Return a sentence on the gold of nodes; empty if they contain none."""
        holding = [node for node in dict.fromkeys(nodes) if self.positions.get(node)]
        if not holding:
            return ""
        which = list(dict.fromkeys(one for node in holding for one in self.positions[node]))
        names = series([quoted(self.nodes.title(one)) for one in holding])
        contain = "contains" if len(holding) == 1 else "contain"
        if len(which) == 1:
            return f"{names} {contain} {which[0]}."
        if self.level == "evidence":
            return f"{names} {contain} {len(which)} pieces of evidence."
        return f"{names} are gold."

    def _start_headline(self, step: Asked, now: Frame) -> str:
        if now.depth > 1:
            return f"Search {step.id} uses {with_current_gold(step.retriever)}."
        return f"{called(step.retriever)} retrieves {number(step.top_k, 'passage')}."

    def _round_headline(self, step: Began) -> str:
        """Return the headline of the start of a round, with the size of its queue."""
        name = begun(str(step))
        if not step.waiting:
            return f"{name} begins."
        kind = self.nodes.noun(step.waiting[0])
        return f"{name} begins with {number(len(step.waiting), kind)} in the queue."

    def _seed_headline(self, step: Offered) -> str:
        """Say how many seeds enter the queue, and which gold is among them."""
        if not step.arrivals:
            return "The walk has no seeds."
        nodes = [arrival.id for arrival in step.arrivals]
        kind = self.nodes.noun(nodes[0])
        enter = "enters" if len(nodes) == 1 else "enter"
        entering = f"{number(len(nodes), f'seed {kind}')} {enter} the queue."
        return f"{entering} {self.gold_among(nodes)}".rstrip()

    def _skipped(self, step: Offered, now: Frame) -> str:
        """Describe a step without candidates: the node leaves the queue, or nothing is found."""
        name = quoted(self.nodes.title(step.at))
        if now.current is None:
            return f"No {singular(step.of)} is found."
        reason = reason_of(step)
        return f"{name} leaves the queue. {reason}".rstrip()

    def _walks(self, step: Offered) -> bool:
        """Return whether a list is of edges that lead from the place to other passages."""
        return any(offer.tie in self.nodes.plot.cast.edges for offer in step.offers)

    def about(self, now: Frame) -> str:
        """Return the passage that the headline names as what a walk has reached; empty if none."""
        step = now.step
        if not isinstance(step, Offered) or step.entry or not step.taken:
            return ""
        if not (step.arrivals or self._walks(step)):
            return ""
        taken, new = [offer.target for offer in step.taken], _new(now)
        if not new and not any(self._tells(node, new, now) for node in taken):
            return taken[0] if len(taken) == 1 else ""
        brings = self._brings(taken, now)
        if not brings:
            return taken[0]
        return max(
            brings,
            key=lambda node: (self._tells(node, new, now), node in new, len(brings[node])),
        )

    def _walk_headline(self, step: Offered, now: Frame) -> str:
        """Say how many edges are followed, and which new passage they reach."""
        noun = "edge" if self._walks(step) else singular(step.of)
        taken, best = [offer.target for offer in step.taken], self.about(now)
        share = number_of(len(taken), step.scored, noun)
        if not taken:
            return f"{share} followed{self._nearest(step, now)}."
        if not best:
            return f"{share} followed and lead back to passages already reached."
        new = _new(now)
        if not new and not self._tells(best, new, now):
            return f"{share} followed and leads back to {self.name(best)}."
        brings = self._brings(taken, now)
        if best not in brings:
            return f"{share} followed. It leads back to {self.name(best)}."
        return f"{share} followed. {self._brought(best, brings[best], new)}"

    def _brings(self, taken: Sequence[str], now: Frame) -> dict[str, list[str]]:
        """Return the query's words that each of `taken` adds to the path that leads to them."""
        way = self.nodes.path(now.current) if now.current else []
        return {node: self.nodes.added(node, way) for node in taken if node not in way}

    def _brought(self, best: str, brings: Sequence[str], new: Sequence[str]) -> str:
        """Describe the most informative reached passage and the query terms that it adds to the
        path.
        """
        words = [quoted(word) for word in brings]
        terms = "query term" if len(words) == 1 else "query terms"
        new_terms = f" and adds the {terms} {series(words)}" if words else ""
        others = {*new} - {best}
        more = ""
        if others:
            noun = number(len(others), f"other {self.nodes.noun(min(others))}")
            more = f"; {noun} {'is' if len(others) == 1 else 'are'} new"
        return f"{self.name(best)} is {'new' if best in new else 'reached again'}{new_terms}{more}."

    def _tells(self, node: str, new: Sequence[str], now: Frame) -> bool:
        """Return whether a node contains gold that is new or is reached from other gold."""
        holds = bool(self.positions.get(node))
        return holds and (node in new or bool(self.positions.get(now.current or "")))

    def _nearest(self, step: Offered, now: Frame) -> str:
        """Return how near the best candidate came, where a score decided."""
        best = beaten(step)
        if best is None or best.margin is None or now.asked is None:
            return ""
        kept = [row for row in now.ranking_rows if row.kept]
        if len(kept) < now.asked.top_k:
            name = quoted(self.nodes.title(best.target))
            return f": {name} scores {distance(best.margin)} below the cut-off"
        score, last = both(kept[-1].hit.score + best.margin, kept[-1].hit.score)
        who = "it" if step.scored == 1 else "the best"
        return f": {who} would score {score}, below the cut-off of {last} (rank {len(kept)})"

    def _listed(self, step: Offered) -> str:
        """Say how many of a list are kept, and name the first ones."""
        taken = step.taken
        share = number_of(len(taken), step.scored, singular(step.of))
        if not taken:
            return f"{share} kept."
        names = [self.name(offer.target) for offer in taken]
        if len(names) > FEW:
            return f"{share} kept; {names[0]} ranks first."
        return f"{share} kept: {series(names)}."

    def _spread(self, step: Spread, now: Frame) -> str:
        share = moved(step) if step.moved else "None"
        leads = self._leads(step, now, "has the largest share")
        return f"{begun(share)} of the {step.of} moves{leads}."

    def _pooled(self, step: Pooled, now: Frame) -> str:
        """Describe the merging of lists into one ranking."""
        leads = self._leads(step, now, "ranks first")
        if len(step.of) > 1:
            merged = number(len(step.hits), "passage")
            return f"{len(step.of)} lists are merged into a single list of {merged}{leads}."
        return f"{number(len(step.hits), 'passage')} are ranked{leads}."

    def _leads(self, step: Spread | Pooled, now: Frame, how: str) -> str:
        """Return which passage is the first of a list; empty if it has none."""
        first = next((hit.passage_id for hit in step.hits if hit.passage_id not in now.things), "")
        return f"; {self.name(first)} {how}" if first else ""

    def _result_headline(self, step: Ranked, now: Frame) -> str:
        """Say how many passages are retrieved, and which ranks first."""
        if not step.hits:
            return "No passage is retrieved."
        kept = len(step.hits)
        first = f"{self.name(step.hits[0].passage_id)} ranks first."
        if now.depth > 1:
            returned = f"The search returns {number(kept, 'passage')}"
            gold = self.gold_among([hit.passage_id for hit in step.hits])
            return f"{returned}. {gold}" if gold else f"{returned}; {first}"
        of = f" of {kept + len(step.pruned):,} ranked" if step.pruned else ""
        passages = "passage is" if kept == 1 else "passages are"
        return f"{kept:,}{of} {passages} retrieved; {first}"


def _new(now: Frame) -> list[str]:
    """Return the nodes that a step reaches for the first time."""
    return [visit.id for visit in now.arrivals if visit.new]


def moved(step: Spread) -> str:
    """Return how much score went from one node to another in a step of spreading.

    `step.moved` counts it twice: at the node that it left, and at the one that it reached.
    """
    share = step.moved / 2
    return f"{100 * share:.1f}%" if share >= 0.0005 else "less than 0.1%"


def speaker(step: Said) -> str:
    """Return the name of the speaker of a statement."""
    return begun(voice(step.by))
