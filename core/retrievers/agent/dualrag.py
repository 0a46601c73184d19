"""DualRAG (arXiv 2504.18243): a reasoner requests names, and each name gets a search and a note."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from core.artefacts.lexical.keywords import KEYWORDS
from core.artefacts.lexical.postings import LEXICON
from core.artefacts.workbench import Workbench
from core.retrievers.agent.demanding import Demand, Named, ask_demand
from core.retrievers.agent.noting import write_note
from core.retrievers.base import KEPT, TOP_K, Card
from core.retrievers.first_step import first_step
from core.retrievers.list_merging import by_reciprocal_ranks, by_turns
from core.retrievers.model_replies import speaker
from core.retrievers.nesting import question, run_nested
from core.retrievers.settings import Setting
from core.retrievers.spec import Spec, make
from core.steps import (
    LEFT_OUT,
    ROOT,
    Began,
    Cost,
    Offer,
    Offered,
    Pooled,
    Ranked,
    Said,
    Step,
    Thing,
    Tie,
    Told,
)
from core.text.entities.mentions import entity_key
from core.types import Hit

_K0 = 60  # of the searches for one name (Cormack et al., 2009)


@dataclass(frozen=True, slots=True)
class DualRag:
    """Alternate between a reasoner, which names missing entities, and notes on the results.

    Each name has its own searches, whose passages are merged, and one note, which is rewritten
    after each of them. Retrieval ends when the notes suffice, when the reasoner names nothing new,
    or after `rounds`.

    Parameters
    ----------
    rounds : maximum number of rounds (5 in the paper).
    names : maximum number of names per round.
    each : passages kept per name (10 in the paper's code, behind a reranker).
    """

    workbench: Workbench
    top_k: Annotated[int, TOP_K] = KEPT
    over: Annotated[Spec, Setting("retriever used for each name")] = Spec("hybrid")
    rounds: Annotated[int, Setting("rounds at most", least=1, most=10)] = 3
    names: Annotated[int, Setting("names per round", least=1, most=10)] = 4
    each: Annotated[int, Setting("passages per name", least=1, most=20)] = 5

    card = Card(
        key="dualrag",
        title="DualRAG",
        badge="DR",
        family="agent",
        summary="Lists the entities it still needs, searches for each, and keeps a note on each.",
        paper="Cheng et al. 2025, arXiv 2504.18243",
        needs=(KEYWORDS, LEXICON),
        asks_model=True,
        substitute="Without a model, there is no reasoning: it searches for the names in the "
        "query, then for those in the notes, and builds each note from retrieved sentences.",
    )

    def retrieve(self, query: str) -> Iterator[Step]:
        """Yield each round's missing names, their searches and notes, and last the ranking."""
        yield first_step(self, query)
        run = _Run(self, query, time.perf_counter())
        hits: tuple[Hit, ...] = ()
        for number in range(1, self.rounds + 1):
            yield Began("round", number)
            demand, told = ask_demand(
                *(self.workbench, query, run.notes, run.names, run.thoughts),
                *(self.names, self.card.substitute),
            )
            said = run.demand_step(demand, told)
            yield said
            if said.ends:
                break
            last = "the round limit is reached" if number == self.rounds else ""
            for named in demand.names:
                yield from run.learn(named, ends=last if named is demand.names[-1] else "")
            had, hits = hits, by_turns(run.lists)
            if hits != had:
                yield Pooled(tuple(run.lists), hits)
        told = Told(Cost(time.perf_counter() - run.started))
        yield Ranked(hits[: self.top_k], hits[self.top_k :], told=told, findings=run.findings)


class _Run:
    """The state of one retrieval: the note, passages and trace node of each name."""

    def __init__(self, settings: DualRag, query: str, started: float) -> None:
        self._settings = settings
        self._bench = settings.workbench
        self._query = query
        self._things: dict[str, Thing] = {}  # by the name's normal form
        self._searches = 0
        self.started = started
        self.lists: dict[str, list[str]] = {}
        self.notes: dict[str, str] = {}
        self.thoughts: list[str] = []

    @property
    def names(self) -> list[str]:
        """The names searched for so far."""
        return [thing.label for thing in self._things.values()]

    @property
    def findings(self) -> tuple[str, ...]:
        """The notes, then the thoughts, in the order they were made."""
        notes = (f"Note on {name}: {note}" for name, note in self.notes.items() if note)
        return (*notes, *(f"Thought: {thought}" for thought in self.thoughts))

    def demand_step(self, demand: Demand, told: Told) -> Said:
        """Return the step that says what is missing, with the new names and their origins."""
        by = speaker("reasoner", told)
        if demand.thought and by == "reasoner":
            self.thoughts.append(demand.thought)
        if demand.enough:
            enough = (
                "the notes answer the query" if self.notes else ("the model requested no search")
            )
            ends = enough if by == "reasoner" else "no names are left to search for"
            return Said(by, ROOT, demand.thought or "(nothing)", ends=ends, told=told)
        new: dict[str, Named] = {}  # a name in two spellings is one
        for named in demand.names:
            if _key(named) not in self._things:
                new.setdefault(_key(named), named)
        ties = tuple(
            Tie(f"names:{key}", self._source(one.name), _id(one), "names")
            for key, one in new.items()
        )
        things = tuple(map(self._thing, new.values()))
        self._things |= dict(zip(new, things, strict=True))
        return Said(by, ROOT, demand.thought or "(nothing)", things=things, ties=ties, told=told)

    def _thing(self, named: Named) -> Thing:
        is_query = named.name == self._query
        return Thing(_id(named), "query" if is_query else "entity", named.name)

    def _list_name(self, thing: Thing) -> str:
        """Return the label of a name's passages in scores, numbered if searched again."""
        name = "query" if thing.kind == "query" else thing.label
        again = sum(one == name or one.startswith(f"{name} · ") for one in self.lists)
        return f"{name} · {again + 1}" if again else name

    def _source(self, name: str) -> str:
        """Return the first name whose note mentions `name`, or the question."""
        sources = (one.id for one in self._things.values() if name in self.notes.get(one.label, ""))
        return next(sources, ROOT)

    def learn(self, named: Named, ends: str = "") -> Iterator[Step]:
        """Yield the searches for a name, the new passages, and the note on it."""
        settings = self._settings
        thing = self._things[_key(named)]
        inner = make(settings.over, self._bench, top_k=4 * settings.each)
        lists: dict[str, list[str]] = {}
        for text in dict.fromkeys(named.queries):
            self._searches += 1
            ranked = yield from run_nested(inner, text, self._searches, (thing.id,))
            lists[question(self._searches)] = [hit.passage_id for hit in ranked.hits]
        before = {passage for passages in self.lists.values() for passage in passages}
        merged = by_reciprocal_ranks(lists, _K0)[: settings.each]
        if merged:
            yield Offered(thing.id, "passages", tuple(_offer(hit, before) for hit in merged))
        kept = [hit.passage_id for hit in merged]
        self.lists[self._list_name(thing)] = kept
        passages = [self._bench.index.passage(name) for name in kept]
        old = self.notes.get(thing.label, "")
        substitute = settings.card.substitute
        note = write_note(self._bench, self._query, thing.label, old, passages, substitute)
        self.notes[thing.label] = note.text
        text = f"{thing.label}: {note.text or '(nothing)'}"
        by = speaker("note-taker", note.told)
        yield Said(by, thing.id, text, rests_on=note.rests_on, ends=ends, told=note.told)


def _offer(hit: Hit, before: set[str]) -> Offer:
    new = hit.passage_id not in before
    notes = () if new else ((LEFT_OUT, "already retrieved"),)
    return Offer(hit.passage_id, hit.score, hit.parts, new, notes=notes)


def _key(named: Named) -> str:
    return entity_key(named.name) or named.name


def _id(named: Named) -> str:
    return f"name:{_key(named)}"
