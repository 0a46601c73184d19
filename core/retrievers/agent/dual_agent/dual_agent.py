"""HiGraAgent (Luu et al. 2026): a Seeker asks, a Librarian searches and answers, in turns."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from core.artefacts.lexical.keywords import KEYWORDS
from core.artefacts.workbench import Workbench
from core.models.server.window import in_order
from core.retrievers.agent.dual_agent.seeking import Dialogue, rephrase_as_question, seeker_step
from core.retrievers.base import KEPT, TOP_K, Card
from core.retrievers.decomposition.answering import SubAnswer, answer_question
from core.retrievers.decomposition.planning import plan_questions, plan_step
from core.retrievers.first_step import first_step
from core.retrievers.list_merging import by_turns
from core.retrievers.model_replies import speaker
from core.retrievers.nesting import question, run_nested
from core.retrievers.settings import Setting
from core.retrievers.spec import Spec, make
from core.steps import Began, Cost, Pooled, Ranked, Said, Step, Told
from core.types import Hit


@dataclass(frozen=True, slots=True)
class HigraAgent:
    """Passages that the Librarian retrieves for the Seeker's questions, merged in turns.

    The Seeker splits the query into sub-questions. The first turn asks those that depend on no
    other answer. After each turn the Seeker asks further questions or answers the query, without
    seeing a passage. The Librarian sees only the current question.

    Parameters
    ----------
    over : the Librarian's retriever; with any other than HiGraRetriever, this is the paper's
        Dual-Agent.
    turns : maximum number of turns (the paper does not state it).
    asks : maximum number of questions per turn.
    each, read : passages retrieved per question, and passages that the Librarian reads of them.
    others : maximum number of alternative answers per question, for the Seeker to pursue (the
        paper sets no limit).
    """

    workbench: Workbench
    top_k: Annotated[int, TOP_K] = KEPT
    over: Annotated[Spec, Setting("retriever the Librarian uses")] = Spec("higra")
    turns: Annotated[int, Setting("turns at most", least=1, most=10)] = 4
    asks: Annotated[int, Setting("questions per turn", least=1, most=6)] = 4
    each: Annotated[int, Setting("passages per question", least=1, most=100)] = 20
    read: Annotated[int, Setting("passages read per answer", least=1, most=20)] = 10
    others: Annotated[int, Setting("other answers per question", least=0, most=5)] = 3

    card = Card(
        key="higra-agent",
        title="HiGraAgent",
        badge="DA",
        family="agent",
        place=1,
        summary=(
            "One agent (the Seeker) asks questions; another (the Librarian) searches and answers."
        ),
        paper="Luu et al. 2026, Findings of EACL",
        needs=(KEYWORDS,),
        asks_model=True,
        substitute="Without a model, there is no dialogue: rules split the query into "
        "sub-questions, ask them one by one, and take the best-matching name, date or number "
        "as the answer.",
        parts={
            "#1": ("a", "retrieved for the first question"),
            "#2": ("c", "retrieved for the second question"),
            "#3": ("d", "retrieved for the third question"),
        },
    )

    def retrieve(self, query: str) -> Iterator[Step]:
        """Yield the plan, the searches and answers of each turn, and last the ranking."""
        yield first_step(self, query)
        started, substitute = time.perf_counter(), self.card.substitute
        meant, said = rephrase_as_question(self.workbench, query, substitute)
        if said:
            yield said
        plan, told = plan_questions(self.workbench, meant, substitute)
        yield plan_step(plan, told)
        dialogue = Dialogue(plan)
        numbers = dialogue.next(self.asks)
        lists: dict[str, list[str]] = {}
        hits: tuple[Hit, ...] = ()
        for turn in range(1, self.turns + 1):
            yield Began("turn", turn)
            yield from self._search_and_answer(dialogue, numbers, lists)
            had, hits = hits, by_turns(lists)
            if hits != had:
                yield Pooled(tuple(lists), hits)
            most = self.asks if turn < self.turns else 0
            said, numbers = seeker_step(self.workbench, meant, dialogue, turn, most, substitute)
            yield said
            if said.ends:
                break
        told = Told(Cost(time.perf_counter() - started))
        kept, cut = hits[: self.top_k], hits[self.top_k :]
        yield Ranked(kept, cut, told=told, findings=dialogue.findings)

    def _search_and_answer(
        self, dialogue: Dialogue, numbers: Sequence[int], lists: dict[str, list[str]]
    ) -> Iterator[Step]:
        """Search for each question, then answer all of them in parallel, as the Librarian.

        The passages that support an answer are moved to the front of its question's list.
        """
        inner = make(self.over, self.workbench, top_k=self.each)
        rankings: dict[int, Ranked] = {}
        asked = {number: dialogue.asked(number) for number in numbers}
        for number, text in asked.items():
            rankings[number] = yield from run_nested(inner, text, number, dialogue.parents(number))
        oracle = self.workbench.oracle
        replies = in_order(
            lambda n: self._answer(asked[n], n, rankings[n]),
            numbers,
            oracle.llm.at_once if oracle else 1,
        )
        for number, (answer, said) in zip(numbers, replies, strict=True):
            yield said
            dialogue.answers[number] = answer.text
            dialogue.evidence[number] = answer.evidence
            dialogue.others[number] = answer.others
            ids = [hit.passage_id for hit in rankings[number].hits]
            lists[question(number)] = list(dict.fromkeys((*said.rests_on, *ids)))

    def _answer(self, text: str, number: int, found: Ranked) -> tuple[SubAnswer, Said]:
        """Answer one question from its search results, as the Librarian."""
        answer, said = answer_question(
            *(self.workbench, text, question(number), found.hits[: self.read]),
            *(self.card.substitute, found.findings, self.others),
        )
        return answer, replace(said, by=speaker("librarian", said.told))
