"""The context of the Errors page: a run, a retriever, the list, and the reviewer."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import cast

import streamlit as st

from core.artefacts.workbench import Workbench
from core.evaluation.outcomes import LOST_GOLD
from core.funnel.stages import STAGES
from core.marks.store import question_key
from core.places import Place
from core.retrievers import Spec
from core.reviews import (
    Act,
    Change,
    Cluster,
    Code,
    Codes,
    Key,
    Review,
    Reviews,
    by_id,
    judged,
    pivot,
)
from core.reviews.pivot import BYS, By, Pivot
from core.runs import Order, Other, Row, Run, Runs, Where, Won
from core.runs.analysis.stage_flows import questions_at
from core.runs.gold_ranks import TOP_K
from core.types import Query
from pages.components.errors.loss_groups import groups_of
from pages.components.runs.result_list import LISTED, PAIRED, Wish, split

_WON: dict[str, Won] = {"regressions": "worse", "gains": "better"}
_NONE = ("",)  # no question has this id


@dataclass(frozen=True)
class Bench:
    """One column of `run`, and the reviews by `reviewer`; `blind` hides those of others."""

    workbench: Workbench
    run: Run
    wish: Wish
    reviewer: str
    blind: bool

    @property
    def retriever(self) -> str:
        return self.wish.retriever

    @cached_property
    def spec(self) -> Spec | None:
        """Return the retriever; None for imported rankings, whatever their name."""
        own = self.run.configuration(self.retriever)
        return Spec.known(self.retriever) if own else None

    @cached_property
    def is_traced(self) -> bool:
        """Return whether the stages of loss come from recorded steps, own or imported."""
        return bool(self.spec or self.runs.traced(self.run.id, self.retriever))

    @property
    def top_k(self) -> int:
        """Return how many passages count as retrieved."""
        return int(str(self.spec.values["top_k"])) if self.spec else TOP_K

    @cached_property
    def runs(self) -> Runs:
        return Runs(self.workbench.index.path)

    @cached_property
    def reviews(self) -> Reviews:
        return Reviews(self.workbench.index.path)

    @cached_property
    def reviewers(self) -> dict[str, int]:
        """Return everyone who has reviewed, with their number of results, in all runs."""
        return dict(sorted(Counter(one.reviewer for one in self.reviews.all()).items()))

    @cached_property
    def codes(self) -> dict[int, Code]:
        return by_id(Codes(self.reviews).all())

    @cached_property
    def questions(self) -> dict[str, Query]:
        """Return the run's questions, by their text."""
        return _questions(self.workbench.index.path, self.run.id)

    @cached_property
    def types(self) -> dict[str, str]:
        """Return question types, by question text."""
        return {words: query.type for words, query in self.questions.items()}

    @cached_property
    def mine(self) -> dict[Key, Review]:
        """Return the reviewer's own reviews."""
        return {one.key: one for one in self.reviews.all(self.reviewer)} if self.reviewer else {}

    @cached_property
    def told(self) -> list[Review]:
        """Return the reviews to count: everybody's, or only the reviewer's own in blind review."""
        return list(self.mine.values()) if self.blind else self.reviews.all()

    @cached_property
    def last(self) -> Act:
        """Return the reviewer's last change in view or to labels, which Undo would revert."""
        return self.reviews.last(self.reviewer, self.in_view)

    @cached_property
    def undone(self) -> list[Review]:
        """Return the reviewer's last undone change in view, which Redo would repeat."""
        return self.reviews.undone(self.reviewer, self.in_view)

    @property
    def in_view(self) -> list[Key]:
        """Return the column's results, ignoring filters."""
        return [(question, self.retriever) for question in self.questions]

    @cached_property
    def groups(self) -> list[Cluster]:
        """Return the groups of questions that lost gold, by cause."""
        return groups_of(self.workbench.index, self.run.id, self.retriever)

    @cached_property
    def where(self) -> Where:
        """Return the filter of rows for the list."""
        wish = self.wish
        lost = wish.which == "lost" and not wish.label and wish.order not in _WON
        found = Where(
            stages=split(wish.stage),
            outcomes=(wish.outcome,) if wish.outcome else LOST_GOLD if lost else (),
            text=wish.text,
            fields=((wish.field, wish.has),) if wish.field else (),
            other=self._compared_column,
            won=self._won_filter,
            measured_by=wish.measure,
        )
        if wish.beside:
            stages = (self.retriever, found.stages), (wish.beside, split(wish.there))
            ids = questions_at(self.runs, self.run.id, *stages)
            found = replace(found, stages=(), questions=ids or _NONE)
        if wish.label:
            asked = wish.label, wish.by, wish.value, wish.axial
            labelled = self._fixed_ids("label", asked, lambda: self.ids(self._cell()))
            found = replace(found, questions=tuple(labelled) or _NONE)
        elif wish.group:
            found = replace(found, questions=self._group_ids(wish.group) or _NONE)
        if wish.said and self.reviewer:
            within = found.questions
            said = self._fixed_ids("said", (wish.said,), self._ids_by_review)
            listed = tuple(one for one in said if not within or one in within)
            found = replace(found, questions=listed or _NONE)
        return found

    def _fixed_ids(
        self, name: str, asked: tuple[object, ...], ids_now: Callable[[], Collection[str]]
    ) -> Collection[str]:
        """Return the ids of the listed questions, as they were when the filter `asked` was chosen.

        A verdict or label does not remove a result from the list under review.
        """
        of = self.run.id, self.retriever, self.reviewer, self.blind, *asked
        listed: dict[str, tuple[object, Collection[str]]]
        listed = st.session_state.setdefault(LISTED, {})
        if name not in listed or listed[name][0] != of:
            listed[name] = of, ids_now()
        return listed[name][1]

    def _ids_by_review(self) -> frozenset[str]:
        """Return ids of questions with a note, a given verdict, or no verdict of the reviewer."""
        said = self.wish.said
        if said == "note":
            return frozenset(self.ids(one.key for one in self.mine.values() if one.note))
        if said != "none":
            return frozenset(self.ids(one.key for one in self.mine.values() if one.verdict == said))
        judged_ = {*self.ids(judged(self.mine.values()))}
        return frozenset(one.id for one in self.questions.values() if one.id not in judged_)

    @property
    def _won_filter(self) -> Won:
        if not self._compared_column:
            return ""
        return _WON.get(self.wish.order, cast(Won, self.wish.won))

    @property
    def order(self) -> Order:
        """Return the chosen order; `worst` if it needs a second column and there is none."""
        order = self.wish.order
        if order == "gains":
            order = "apart"
        return "worst" if order in PAIRED and self._compared_column is None else order

    @cached_property
    def total(self) -> int:
        return self.runs.count(self.run.id, self.retriever, self.where)

    @cached_property
    def labelled(self) -> tuple[str, ...]:
        """Return the label names of the column's results; merged labels have their common name."""
        return tuple(self.pivot("verdict", axial=True).rows)

    @cached_property
    def at_stages(self) -> dict[str, int]:
        """Return how many listed questions have gold at each stage, ignoring the stage filter."""
        wide = replace(self.where, stages=())
        found = {
            str(stage): self.runs.count(self.run.id, self.retriever, replace(wide, stages=(stage,)))
            for stage in STAGES
        }
        return {stage: number for stage, number in found.items() if number}

    @cached_property
    def done(self) -> int:
        """Return how many listed results have the reviewer's verdict."""
        ids = self.ids(judged(self.mine.values()))
        if self.where.questions:
            ids = tuple({*ids} & {*self.where.questions})
        if not ids:
            return 0
        wanted = replace(self.where, questions=ids)
        return self.runs.count(self.run.id, self.retriever, wanted)

    @cached_property
    def of_run(self) -> tuple[int, int]:
        """Return how many results of the column have a verdict, and how many there are."""
        ids = self.ids(judged(self.mine.values()))
        done = self.runs.count(self.run.id, self.retriever, Where(questions=ids)) if ids else 0
        return done, self.runs.count(self.run.id, self.retriever)

    @property
    def narrowed(self) -> bool:
        """Return whether filters hide results of the column."""
        return self.total < self.of_run[1]

    def unjudged(self, at: int) -> int | None:
        """Return the place of the next result without the reviewer's verdict, after `at` or from
        the start.
        """
        judged_ = {*self.ids(judged(self.mine.values()))}
        ids = [row.question.id for row in self.rows(0, self.total)]
        order = [*range(at, len(ids)), *range(at - 1)]
        return next((place + 1 for place in order if ids[place] not in judged_), None)

    def rows(self, first: int, number: int) -> list[Row]:
        """Return `number` rows of the list from the position `first`, which counts from 0."""
        return self.runs.rows(
            *(self.run.id, self.retriever, self.where),
            order=self.order,
            seed=self.wish.seed,
            limit=number,
            offset=first,
        )

    def row(self, at: int) -> Row | None:
        """Return the row at a position of the list, from 1."""
        found = self.rows(at - 1, 1) if at >= 1 else []
        return found[0] if found else None

    def place(self, question: str) -> int | None:
        """Return a question's position in the list, from 1; None if it is not listed."""
        return self.runs.place(
            *(self.run.id, self.retriever, question, self.where),
            order=self.order,
            seed=self.wish.seed,
        )

    def review(self, row: Row) -> Review:
        """Return the reviewer's review of a row."""
        key = question_key(row.question.text), row.retriever
        return self.mine.get(key) or Review(self.reviewer, *key)

    def review_now(self, row: Row) -> Review:
        """Return the review from the file, which another window may have changed."""
        said = self.reviews.of(row.question.text, row.retriever)
        mine = (one for one in said if one.reviewer == self.reviewer)
        return next(mine, self.review(row))

    def said_before(self, review: Review) -> Review | None:
        """Return the reviewer's last verdict or labels in this run, except for `review`."""
        asked = self.run.retrievers
        return next(
            (
                one
                for one in reversed(self.mine.values())
                if (one.verdict or one.labels) and one.key != review.key
                if one.retriever in asked and one.question in self.questions
            ),
            None,
        )

    def change(self, row: Row, **said: object) -> Change:
        on = {"run": self.run.id, "gold": row.question.gold}
        return Change(row.question.text, row.retriever, **on, **said)  # type: ignore[arg-type]

    def judged_on(self, review: Review, row: Row) -> str:
        """Return `judged on Run 2` if a review has another run or other gold; else empty."""
        if not review.run:
            return ""
        told = []
        if review.run != self.run.id:
            name = next((one.name for one in self.runs.all() if one.id == review.run), "")
            told = [f"judged on {name or 'a deleted run'}"]
        if {*review.gold} != {*row.question.gold}:
            told.append("with other gold" if told else "judged with other gold")
        return " ".join(told)

    def ids(self, keys: Iterable[Key]) -> tuple[str, ...]:
        """Return the ids of the run's questions that `keys` of this retriever are about."""
        words = (question for question, retriever in keys if retriever == self.retriever)
        return tuple(self.questions[one].id for one in words if one in self.questions)

    def pivot(self, by: By, *, axial: bool) -> Pivot:
        """Count the labels by `by`, for this retriever.

        With `by="retriever"`, count them for all retrievers of the run.
        """
        asked = self.run.retrievers if by == "retriever" else (self.retriever,)
        counted = (
            one for one in self.told if one.retriever in asked and one.question in self.questions
        )
        return pivot(counted, self.codes, by, axial=axial, types=self.types)

    def _group_ids(self, number: int) -> tuple[str, ...]:
        """Return question ids of a group, which counts from 1; none if there is no such group."""
        found = self.groups
        return found[number - 1].questions if 0 < number <= len(found) else ()

    def _cell(self) -> tuple[Key, ...]:
        """Return the results of the chosen cell of the label table, or of its row."""
        wish = self.wish
        by: By = next((one for one in BYS if one == wish.by), "stage")
        found = self.pivot(by, axial=bool(wish.axial))
        if wish.value:
            return found.cells.get((wish.label, wish.value), ())
        return found.of_row(wish.label)

    @property
    def _compared_column(self) -> Other | None:
        wish = self.wish
        return Other(wish.other_run, wish.other) if wish.other else None


@st.cache_resource(max_entries=10, show_spinner=False)
def _questions(path: Place, run: str) -> dict[str, Query]:
    return {question_key(query.text): query for query in Runs(path).questions(run)}
