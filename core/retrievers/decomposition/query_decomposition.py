"""Query decomposition: search for each sub-question, and merge the ranked lists."""

import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from core.artefacts.lexical.keywords import KEYWORDS
from core.artefacts.workbench import Workbench
from core.retrievers.base import KEPT, TOP_K, Card, Retriever
from core.retrievers.decomposition.answering import answer_question, replacement_text
from core.retrievers.decomposition.planning import part, plan_questions, plan_step
from core.retrievers.first_step import first_step
from core.retrievers.list_merging import (
    IN_TURN,
    JOINED,
    SUMMED,
    Lists,
    by_reciprocal_ranks,
    by_turns,
    concatenate,
)
from core.retrievers.nesting import question, run_nested
from core.retrievers.settings import Setting
from core.retrievers.spec import Spec, make
from core.steps import ROOT, Began, Cost, Pooled, Ranked, Step, Told
from core.text.decomposition.placeholders import filled, levels, places
from core.text.decomposition.rules import MOST
from core.types import Hit

_WHOLE = "whole question"


@dataclass(frozen=True, slots=True)
class QueryDecomposition:
    """Search for each sub-question in turn, and merge the ranked lists.

    A sub-question refers to an earlier answer as `#1`, which is replaced by that answer; only
    answers that another sub-question refers to are determined.

    Parameters
    ----------
    count : sub-questions that the model writes; 0 for as many as it needs.
    answered : whether every sub-question is answered, even if no other refers to it, and a reader
        gets the answers.
    whole : whether the whole query has its own list (ours: a wrong sub-question costs less).
    k0 : of reciprocal ranks. The usual 60 makes the first of a list hardly better than its tenth,
        and here each list has one passage that counts.
    """

    workbench: Workbench
    top_k: Annotated[int, TOP_K] = KEPT
    over: Annotated[Spec, Setting("retriever used for each sub-question")] = Spec("hybrid")
    merge: Annotated[
        Literal["turns", "rrf", "joined"],
        Setting("how result lists are merged: in turns, by reciprocal rank, or joined in order"),
    ] = "turns"
    whole: Annotated[bool, Setting("whether to search with the whole query too")] = True
    each: Annotated[int, Setting("passages per sub-question", least=1, most=100)] = 20
    read: Annotated[int, Setting("passages read to answer a sub-question", least=1, most=20)] = 5
    count: Annotated[
        int,
        Setting(
            "sub-questions that the model writes",
            least=0,
            most=MOST,
            title="number of sub-questions",
            zero="as many as needed",
        ),
    ] = 0
    answered: Annotated[bool, Setting("whether every sub-question is answered")] = False
    k0: Annotated[
        float, Setting("rank constant; higher values reduce the advantage of top ranks", least=0)
    ] = 1

    card = Card(
        key="decomposition",
        title="Query decomposition",
        badge="QD",
        family="decomposition",
        summary="Splits the query into sub-questions, searches for each, and merges the results.",
        paper="Min et al. 2019, arXiv 1906.02916; Trivedi et al. 2022, arXiv 2108.00573",
        needs=(KEYWORDS,),
        asks_model=True,
        substitute="Without a model, rules split the query into sub-questions, and the "
        "best-matching name, date or number answers each.",
        parts={
            _WHOLE: ("b", "from the results for the whole query"),
            "#1": ("a", "from the results for the first sub-question"),
            "#2": ("c", "from the results for the second sub-question"),
            "#3": ("d", "from the results for the third sub-question"),
        },
    )

    def retrieve(self, query: str) -> Iterator[Step]:
        """Yield the plan, the search of each sub-question, and last the merged ranking."""
        yield first_step(self, query)
        started = time.perf_counter()
        parts, told = plan_questions(
            self.workbench, query, self.card.substitute, exactly=self.count
        )
        yield plan_step(parts, told)
        inner = make(self.over, self.workbench, top_k=self.each)
        lists, answers = yield from self._search_parts(inner, parts)
        if self.whole and len(parts) > 1:
            yield Began(_WHOLE, 0)
            ranked = yield from run_nested(inner, query, len(parts) + 1)
            lists = {_WHOLE: _ids(ranked.hits), **lists}
        hits, how = self._merge(lists), ""
        if len(lists) > 1:
            yield Began("merging", 0)
            how = self._merge_description(len(lists))
        of = tuple("the whole question" if name == _WHOLE else name for name in lists)
        yield Pooled(of, hits, told=Told(reason=how))
        told = Told(Cost(time.perf_counter() - started))
        findings = _findings(answers) if self.answered else ()
        yield Ranked(hits[: self.top_k], hits[self.top_k :], told=told, findings=findings)

    def _search_parts(
        self, inner: Retriever, parts: Sequence[str]
    ) -> Generator[Step, None, tuple[dict[str, list[str]], dict[str, str]]]:
        """Search for every part, in order of dependency.

        Returns the ranked lists, and the answers that were found, by sub-question.
        """
        lists: dict[str, list[str]] = {}
        answers: dict[int, str] = {}
        found: dict[str, str] = {}
        wanted = {number for text in parts for number in places(text)}
        if self.answered and len(parts) > 1:
            wanted = set(range(1, len(parts) + 1))
        for number in _in_order(parts):
            text = parts[number - 1]
            asked = filled(text, answers)
            yield Began("part", len(lists) + 1)
            known = tuple(map(question, places(text)))
            parents = (part(number), *known) if len(parts) > 1 else (ROOT,)
            ranked = yield from run_nested(inner, asked, number, parents)
            lists[question(number)] = _ids(ranked.hits)
            if number in wanted:
                answer, said = answer_question(
                    *(self.workbench, asked, question(number), ranked.hits[: self.read]),
                    *(self.card.substitute, ranked.findings),
                )
                answers[number] = replacement_text(asked, answer.text)
                found |= {asked: answer.text} if answer.text else {}
                yield said
        return lists, found

    def _merge(self, lists: Lists) -> tuple[Hit, ...]:
        if self.merge == "joined":
            return concatenate(lists, self._share(len(lists)))
        return by_turns(lists) if self.merge == "turns" else by_reciprocal_ranks(lists, self.k0)

    def _share(self, lists: int) -> int:
        """Return the number of passages per concatenated list: the top k, divided among `lists`."""
        return self.top_k // max(lists, 1) + 1

    def _merge_description(self, lists: int) -> str:
        """Return how lists are merged, in a sentence."""
        if self.merge == "joined":
            return JOINED.format(self._share(lists))
        return IN_TURN if self.merge == "turns" else SUMMED.format(self.k0)


def _in_order(parts: Sequence[str]) -> list[int]:
    return [number for level in levels(parts) for number in level]


def _findings(answers: Mapping[str, str]) -> tuple[str, ...]:
    """Return each sub-question with its answer, for the reader."""
    return tuple(f"{asked} {answer}" for asked, answer in answers.items())


def _ids(hits: Sequence[Hit]) -> list[str]:
    return [hit.passage_id for hit in hits]
