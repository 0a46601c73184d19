"""The cheapest rescue of a group of questions, and what asking all of them with it does."""

from collections.abc import Sequence

import streamlit as st

from core.evaluate.paired import Difference
from core.models.money.budget import NO_BUDGET
from core.places import Place
from core.playback.wording import begun
from core.retrievers import Spec
from core.reviews import Cluster
from core.reviews.mend import Effect, Mend, effect, mend
from core.runs import Row, Run, Runs, Where
from core.runs.store import MAX_NAME
from pages.components.errors.bench import Bench
from pages.components.errors.exporting import look
from pages.components.errors.wish import change
from pages.components.evaluate.progress import running
from pages.components.shell import acts, frame
from pages.components.shell.figures import show_words
from pages.components.shell.visitor import visitor
from pages.components.shell.words import count

_LOOKED = "errors_mends"
_AT_ONCE = 500
MEANING = (
    "The cheapest rescue is the one change that would have kept lost gold with the fewest further "
    "judgements, the places where a walk chooses: a setting raised, or an edge taken. Each change "
    "is tried by asking again."
)


def rescuing(bench: Bench, group: Cluster, number: int) -> None:
    """A button that looks for it; then what it is, and what it does, if all were asked with it."""
    spec = Spec.known(bench.retriever)
    if spec is None or spec.asks_model or not visitor().may_edit:
        return
    looked: dict[object, Mend | None] = st.session_state.setdefault(_LOOKED, {})
    about = bench.workbench.content, bench.run.id, bench.retriever, group.questions
    if about not in looked:
        if st.button("Look for the cheapest rescue", key=f"errors_rescue_{number}"):
            with frame.mendable():
                looked[about] = _look(bench, group)
                st.rerun()
        return
    found = looked[about]
    if found is None:
        st.caption(
            "No single setting keeps any of it: an edge would have to be taken, or nothing helps."
        )
        return
    share = f"{found.kept:,} of {count(found.losses, 'lost gold', 'lost gold')}"
    cost = f"{found.extra:.1f} more judgements a question" if found.extra else "no more judgements"
    st.caption(frame.literal(f"{begun(found.change)}: that keeps {share}, with {cost}."))
    again = _asked_with(bench, found.retriever)
    if again:
        _tell(bench, group, found, again, number)
        return
    st.button(
        f"Ask all {bench.run.questions:,} questions with this change",
        key=f"errors_mend_{number}",
        disabled=running(bench.workbench.index) is not None,
        on_click=_ask_all,
        args=(bench, found),
    )


def _look(bench: Bench, group: Cluster) -> Mend | None:
    rows = bench.runs.rows(
        bench.run.id,
        bench.retriever,
        Where(questions=group.questions),
        order="asked",
        limit=len(group.questions),
    )
    return mend(look(bench, rows))


def _asked_with(bench: Bench, retriever: str) -> Run | None:
    """The newest run that asked `retriever` the same of the same content, to its end."""
    run = bench.run
    for other in bench.runs.all():
        same = (other.question_set, other.questions, other.content) == (
            *(run.question_set, run.questions, run.content),
        )
        if same and other.state == "finished" and retriever in other.retrievers:
            return other
    return None


def _ask_all(bench: Bench, found: Mend) -> None:
    """In a process of its own, as a run like any other."""
    with frame.mendable():
        acts.evaluate(
            bench.workbench,
            bench.runs.questions(bench.run.id),
            [Spec.parse(found.retriever)],
            name=f"{bench.run.name[:40]}, {found.change}"[:MAX_NAME],
            question_set=bench.run.question_set,
            budget=NO_BUDGET,
        )


def _tell(bench: Bench, group: Cluster, found: Mend, again: Run, number: int) -> None:
    path = bench.workbench.index.path
    done = _effect(path, bench.run.id, bench.retriever, again.id, found.retriever, group.questions)
    show_words(
        [
            *_line("in this group", done.inside),
            *_line("everywhere else", done.elsewhere),
            ("judgements", f"{done.judgements[0]:.1f} to {done.judgements[1]:.1f} a question"),
        ],
        "Share of the gold that is kept, paired by question",
    )
    with st.container(horizontal=True, gap="small"):
        for which, ids in (("gains", done.won), ("regressions", done.lost)):
            said = f"{count(len(ids), 'question')} {'won' if which == 'gains' else 'lost'}"
            st.button(
                said,
                key=f"errors_mend_{which}_{number}",
                disabled=not ids,
                on_click=change,
                kwargs={
                    "run": again.id,
                    "retriever": found.retriever,
                    "other_run": bench.run.id,
                    "other": bench.retriever,
                    "order": which,
                    "which": "all",
                    "group": 0,
                    "show": "review",
                },
            )


def _line(where: str, told: Difference | None) -> list[Sequence[str]]:
    if told is None:
        return []
    between = f" ({told.low:+.1f} to {told.high:+.1f})" if told.low is not None else ""
    return [
        (
            f"{where}, {count(told.n, 'question')}",
            f"{told.mean:+.1f} points{between}",
            f"{told.better:,} better, {told.equal:,} the same, {told.worse:,} worse",
            f"p = {told.p:.3f}",
        )
    ]


@st.cache_resource(max_entries=50, show_spinner=False)
def _effect(
    path: Place, run: str, retriever: str, again: str, other: str, group: tuple[str, ...]
) -> Effect:
    return effect(_all(path, run, retriever), _all(path, again, other), set(group))


def _all(path: Place, run: str, retriever: str) -> list[Row]:
    runs = Runs(path)
    return [
        row
        for offset in range(0, runs.count(run, retriever), _AT_ONCE)
        for row in runs.rows(run, retriever, order="asked", limit=_AT_ONCE, offset=offset)
    ]
