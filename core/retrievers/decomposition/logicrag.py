"""LogicRAG (arXiv 2508.06105): a graph of sub-questions, searched level by level."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated

from core.artefacts.lexical.keywords import KEYWORDS
from core.artefacts.workbench import Workbench
from core.retrievers.base import KEPT, TOP_K, Card
from core.retrievers.decomposition.answering import replacement_text
from core.retrievers.decomposition.memory_answer import memory_answer
from core.retrievers.decomposition.planning import needs, part, plan_questions, plan_step
from core.retrievers.decomposition.remembering import Memory
from core.retrievers.first_step import first_step
from core.retrievers.list_merging import by_turns
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
from core.text.decomposition.placeholders import filled, levels
from core.types import Hit

_MOST = 100  # passages that a retriever can return


@dataclass(frozen=True, slots=True)
class LogicRag:
    """Search the levels of a dependency graph of sub-questions, one after the other.

    The sub-questions of one level are merged into one search (the paper's graph pruning), no
    sub-question is searched twice (without replacement), and the findings are kept as one short
    memory (its context pruning). Retrieval ends when the memory answers the query, after the last
    level, or after `rounds`; after the last level, the model may add a sub-question.

    Parameters
    ----------
    each : passages per search (3 in the paper, 5 by default in its code).
    rounds : maximum number of searches (3 in the paper's code, 5 in its README).
    repeats : whether a search may find passages of an earlier one, as in the paper. Its code has
        the opposite as an option.
    separate : whether each sub-question has its own search (without graph pruning).
    unpruned : whether the model reads every passage found so far instead of the memory, and a
        reader gets no memory (without context pruning).
    memory_only : whether the reader answers from the memory alone, as in the paper.
    """

    workbench: Workbench
    top_k: Annotated[int, TOP_K] = KEPT
    over: Annotated[Spec, Setting("retriever used for each level")] = Spec("hybrid")
    each: Annotated[int, Setting("passages per search", least=1, most=20)] = 5
    rounds: Annotated[int, Setting("searches at most", least=1, most=10)] = 5
    repeats: Annotated[bool, Setting("whether searches may find the same passages")] = True
    separate: Annotated[bool, Setting("one search for each sub-question")] = False
    unpruned: Annotated[
        bool, Setting("whether the model reads all passages found so far instead of a memory")
    ] = False
    memory_only: Annotated[
        bool, Setting("whether the reader gets only the memory, without passages")
    ] = False

    card = Card(
        key="logicrag",
        title="LogicRAG",
        badge="LR",
        family="decomposition",
        place=1,
        summary="Orders sub-questions by dependency and searches level by level.",
        paper="Chen et al. 2025, arXiv 2508.06105",
        needs=(KEYWORDS,),
        asks_model=True,
        substitute="Without a model, rules split the query into sub-questions, the "
        "best-matching name, date or number answers each, and the memory consists of the "
        "sentences with these answers.",
        parts={
            "#1": ("a", "retrieved by the first search"),
            "#2": ("c", "retrieved by the second search"),
            "#3": ("d", "retrieved by the third search"),
        },
    )

    def retrieve(self, query: str) -> Iterator[Step]:
        """Yield the plan, the search and verdict of each level, and last the merged ranking."""
        yield first_step(self, query)
        started = time.perf_counter()
        plan, told = plan_questions(self.workbench, query, self.card.substitute)
        yield plan_step(plan, told)
        graph, memory = (
            Graph.of(plan, separate=self.separate),
            Memory(query, pruned=not self.unpruned),
        )
        lists: dict[str, list[str]] = {}
        hits: tuple[Hit, ...] = ()
        for number in range(1, self.rounds + 1):
            level = graph.waiting.pop(0)
            yield Began("level", number)
            yield from self._search_level(number, level, graph, memory, lists)
            had, hits = hits, by_turns(lists)
            if hits != had:
                yield Pooled(tuple(lists), hits)
            verdict = _verdict_step(number, graph, memory, last=number == self.rounds)
            yield verdict
            if verdict.ends:
                break
        told = Told(Cost(time.perf_counter() - started))
        findings = (f"Memory: {memory.text}",) if memory.text and not self.unpruned else ()
        if self.memory_only and (answer := memory_answer(self.workbench, memory, findings)):
            yield answer
        yield Ranked(hits[: self.top_k], hits[self.top_k :], told=told, findings=findings)

    def _read(self, new: list[str], lists: dict[str, list[str]]) -> list[str]:
        """Return the passages that the model reads: new ones, or all found so far."""
        if not self.unpruned:
            return new
        return list(dict.fromkeys(passage for found in lists.values() for passage in found))

    def _search_level(
        self,
        number: int,
        level: tuple[int, ...],
        graph: "Graph",
        memory: Memory,
        lists: dict[str, list[str]],
    ) -> Iterator[Step]:
        """Search once for all parts of a level, and add the results to the memory."""
        earlier = {n: one for n, one in graph.parts.items() if n not in level}
        known = {n: replacement_text(one, memory.answers.get(n, "")) for n, one in earlier.items()}
        asked = {n: filled(graph.parts[n], known) for n in level}
        found_before = {passage for found in lists.values() for passage in found}
        before: set[str] = set() if self.repeats else found_before
        inner = make(self.over, self.workbench, top_k=min(_MOST, self.each + len(before)))
        found = yield from run_nested(inner, " ".join(asked.values()), number, graph.parents(level))
        new = [hit.passage_id for hit in found.hits if hit.passage_id not in before][: self.each]
        lists[question(number)] = new
        if found.hits:
            yield _search_step(question(number), found.hits, new, before)
        had, index = memory.text, self.workbench.index
        told = memory.learn(
            self.workbench,
            asked,
            [index.passage(name) for name in self._read(new, lists)],
            [index.passage(hit.passage_id) for hit in found.hits[: self.each]],
            self.card.substitute,
        )
        text = f"After level {number}: {memory.text}"
        if memory.text == had:
            text = f"Nothing new about: {' '.join(asked.values())}"
        by = speaker("memory", told)
        yield Said(by, question(number), text, rests_on=memory.rests_on, told=told)


@dataclass(slots=True)
class Graph:
    """The sub-questions by number, the levels still to search, and those shown in the trace."""

    parts: dict[int, str]
    waiting: list[tuple[int, ...]]
    shown: set[int]

    @staticmethod
    def of(plan: Sequence[str], *, separate: bool = False) -> "Graph":
        """Sort the sub-questions of a plan into levels; with `separate`, one level for each."""
        parts = dict(enumerate(plan, start=1))
        waiting = list(levels(plan))
        if separate:
            waiting = [(number,) for level in waiting for number in level]
        return Graph(parts, waiting, set(parts) if len(plan) > 1 else set())

    def parents(self, level: Sequence[int]) -> tuple[str, ...]:
        return tuple(part(n) for n in level if n in self.shown) or (ROOT,)

    def add(self, text: str) -> int:
        """Add a part as the next level and return its number."""
        number = len(self.parts) + 1
        self.parts[number] = text
        self.waiting.append((number,))
        return number


def _search_step(
    question_id: str, hits: Sequence[Hit], new: Sequence[str], known: set[str]
) -> Offered:
    """Return the step with the results of a search, and why some were not used."""
    offers = []
    for hit in hits:
        taken = hit.passage_id in new
        why = "already retrieved" if hit.passage_id in known else "over the limit per search"
        notes = () if taken else ((LEFT_OUT, why),)
        offers.append(Offer(hit.passage_id, hit.score, hit.parts, taken, notes=notes))
    return Offered(question_id, "passages", tuple(offers))


def _verdict_step(number: int, graph: Graph, memory: Memory, *, last: bool) -> Said:
    """Return the step that decides whether to go on, with a part that the model adds."""
    answered = {n: answer for n, answer in sorted(memory.answers.items()) if answer}
    answers = " ".join(f"Sub-question {n}: {answer}." for n, answer in answered.items())
    text = f"After level {number}: {answers or 'no sub-question is answered.'}"
    ends = ""
    things: tuple[Thing, ...] = ()
    ties: tuple[Tie, ...] = ()
    if memory.enough:
        ends = "the memory answers the query"
    elif last:
        ends = "the search limit is reached"
    elif not graph.waiting and memory.next:
        added = graph.add(memory.next)
        text = f"{text} Still to ask: {memory.next}"
        things = (Thing(part(added), "query", memory.next),)
        ties = tuple(
            tie for tie in needs(added, memory.next) if tie.target in map(part, graph.shown)
        )
        graph.shown.add(added)
    elif not graph.waiting:
        left = graph.parts.keys() - answered.keys()
        ends = "every sub-question has been searched" if left else "every sub-question is answered"
    return Said("judge", question(number), text, ends=ends, things=things, ties=ties)
