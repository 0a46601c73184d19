"""The review panel of a result; every change is saved at once."""

from collections.abc import Callable
from html import escape

import streamlit as st

from core.funnel.evidence_chain import chain_summary, positions
from core.funnel.stages import stage_words
from core.marks import asked_text, level_told
from core.playback.wording import ended as sentence
from core.reviews import VERDICTS, Review, Verdict, first_loss
from core.reviews.codes import of_same_label, selectable_codes
from core.reviews.losses.first_loss import stages_to_choose
from core.reviews.losses.lost_gold import titled
from core.reviews.pivot import NO_LOSS
from core.reviews.review import LONGEST_NAME
from core.runs import Row
from core.runs.gold import level_of
from pages.components.errors import keyboard, review_actions
from pages.components.errors.fixes.fix_effect import fix_elsewhere
from pages.components.errors.fixes.fix_search import show_fixes
from pages.components.errors.review.end_of_list import show_end_of_list
from pages.components.errors.review.note import note, tell_if_left
from pages.components.errors.review.saving import key_of, say
from pages.components.errors.review.undo import redo_button, undo_button
from pages.components.errors.review_context import Bench
from pages.components.errors.status_message import tell_here, tell_then
from pages.components.passages.highlighting import fact
from pages.components.runs.result_list import change
from pages.components.shell import layout
from pages.components.shell.glossary import hint

TITLES = {"pass": ("Pass", "y"), "fail": ("Fail", "x"), "defer": ("Defer", "d")}
_NEW = "errors_new_label"
_DIGITS = 10
_FACT = 240  # characters of evidence
_NAMELESS = "Enter your name first. Verdicts are saved under it."


def verdict(bench: Bench, row: Row) -> None:
    """Draw the review panel; its widgets are disabled until the reviewer has a name."""
    review = bench.review(row)
    _progress(bench)
    _verdicts(bench, row, review)
    tell_if_left(bench, row)
    tell_here()
    _go_on(bench, row, review)
    _to_unjudged(bench, review)
    show_end_of_list(bench)
    if told := bench.judged_on(review, row):
        st.caption(layout.literal(told[0].upper() + told[1:]))
    _labels(bench, row, review)
    note(bench, row, review)
    # What may be long stands below what one writes in: it pushes nothing out of view.
    _stage(bench, row, review)
    show_fixes(bench, row)
    fix_elsewhere(bench, row)
    _keys()
    if not bench.blind:
        _show_other_reviews(bench, row)


def _progress(bench: Bench) -> None:
    """Show how many results have a verdict: in the list and, if filtered, in the run."""
    with st.container(
        horizontal=True, vertical_alignment="center", gap="xsmall", key="errors_progress"
    ):
        share = bench.done / bench.total if bench.total else 0
        done, total = bench.of_run
        of_run = f"{done:,} of {total:,} in this run · " if bench.narrowed else ""
        st.html(
            f"<div class='hop-progress'><b>{bench.done:,} of {bench.total:,}</b> "
            f"{'shown judged' if bench.narrowed else 'judged'}"
            f"<i><u style='width:{100 * share:.1f}%'></u></i>"
            f"<small>{of_run}{level_told(level_of(bench.run))}</small></div>"
        )
        with st.container(key="errors_undoing", gap="xxsmall", width="content"):
            undo_button(bench)
            redo_button(bench)


def _verdicts(bench: Bench, row: Row, review: Review) -> None:
    """Draw a button for each verdict; the current one is highlighted."""
    with st.container(horizontal=True, gap="xsmall", key="errors_verdicts"):
        for name in VERDICTS:
            title, key = TITLES[name]
            st.button(
                title,
                key=f"errors_{name}",
                help=f"{title}: {key}" if bench.reviewer else _NAMELESS,
                type="primary" if review.verdict == name else "secondary",
                disabled=not bench.reviewer,
                on_click=_judge,
                args=(bench, row, name),
                width="stretch",
            )


def _judge(bench: Bench, row: Row, verdict: Verdict) -> None:
    """Set the verdict; pressing the same verdict again changes nothing.

    If another window had saved another verdict, say so: undo restores it.
    """
    shown, now = bench.review(row).verdict, bench.review_now(row).verdict
    say(bench, row, verdict=verdict)
    if now not in (shown, verdict):
        tell_then(
            f"Saved {TITLES[verdict][0]}. {_other_window_message(now)} Press u to restore that."
        )


def _other_window_message(verdict: Verdict) -> str:
    """Describe the change of the verdict in another window."""
    if verdict:
        return f"Another window had saved {verdict}."
    return "Another window had removed the verdict."


def _stage(bench: Bench, row: Row, review: Review) -> None:
    """Draw the choice of the stage that lost the gold, with an explanation of the traced stage."""
    loss = first_loss(row.fates)
    found = str(loss.stage) if loss else ""
    key = key_of("errors_stage", row)
    st.session_state[key] = "" if review.stage == found else review.stage
    source = "as traced" if bench.is_traced else "from its rank"
    told = f"{stage_words(found, bench.top_k)} ({source})" if found else NO_LOSS

    def said(stage: str) -> str:
        return stage_words(stage) if stage else told

    def chosen() -> None:
        say(bench, row, stage=st.session_state[key])

    st.selectbox(
        "Where gold was lost",
        ["", *(stage for stage in stages_to_choose() if stage != found)],
        key=key,
        format_func=said,
        disabled=not bench.reviewer,
        on_change=chosen,
        help=hint("stage", "Shows the earliest stage, from the trace or as you set it."),
    )
    if loss and not review.stage:
        title = titled(loss, row, bench.workbench.index)
        evidence = asked_text(row.question, loss.gold)
        held = fact(evidence.text, _FACT) if evidence and loss.passage else ""
        placed = positions(row.question).get(loss.gold)
        chain = chain_summary(row.question, [fate.gold for fate in row.fates if fate.lost])
        parts = (str(placed) if placed else "", loss.details, chain)
        how = escape(" ".join(map(sentence, filter(None, parts))))
        st.html(
            f"<div class='hop-loss'><p dir='auto'><b>{escape(title)}</b> {how}</p>"
            f"<p dir='auto'>{held}</p></div>"
        )


def _labels(bench: Bench, row: Row, review: Review) -> None:
    """Draw the labels as pills with their number keys, and a field for a new label."""
    known = selectable_codes(bench.codes.values(), review.labels)
    key = key_of("errors_labels_of", row)
    given = [code.id for code in known if code.id in review.labels]
    st.session_state[key] = given
    digits = {code.id: f" `key {(n + 1) % 10}`" for n, code in enumerate(known[:_DIGITS])}

    def chosen() -> None:
        now, before = {*st.session_state[key]}, {*given}
        gone = {same for one in before - now for same in of_same_label(one, bench.codes)}
        say(bench, row, on=tuple(sorted(now - before)), off=tuple(sorted(gone)))

    with st.container(key="errors_labels"):
        if known:
            st.pills(
                "Labels",
                [code.id for code in known],
                selection_mode="multi",
                key=key,
                format_func=lambda one: (
                    layout.literal(bench.codes[one].shown) + digits.get(one, "")
                ),
                on_change=chosen,
                disabled=not bench.reviewer,
                label_visibility="collapsed",
            )
    st.text_input(
        "New label",
        key=_NEW,
        placeholder="New label (press Enter)",
        max_chars=LONGEST_NAME,
        disabled=not bench.reviewer,
        label_visibility="collapsed",
        on_change=_add_label,
        args=(bench, row),
    )


def _go_on(bench: Bench, row: Row, review: Review) -> None:
    """Draw the buttons for the previous and next result, and the one that repeats a review."""
    at = bench.wish.at
    before = bench.said_before(review)
    with st.container(horizontal=True, gap="xsmall", key="errors_go_on"):
        _button("‹", "before", "Previous: k", lambda: change(at=at - 1), off=at <= 1)
        _button(
            "Next ›",
            "next",
            "Next: j",
            lambda: change(at=at + 1),
            off=at >= bench.total,
            main=True,
        )
        _button(
            "Repeat",
            "again",
            "Applies your last verdict and labels to a result without a verdict, then goes to the "
            "next (.)",
            lambda: _repeat(bench, row, before),
            off=before is None,
        )


def _to_unjudged(bench: Bench, review: Review) -> None:
    """Draw the button to the next result without a verdict, or say that there is none."""
    left = bench.total - bench.done
    own = 0 if review.verdict else 1
    more = left - own
    _button(
        f"Next without a verdict ({more:,})" if more else "All other results have verdicts",
        "unjudged",
        "Next result without a verdict, wrapping around at the end (g)",
        lambda: change(at=bench.unjudged(bench.wish.at) or bench.wish.at),
        off=more <= 0 or not bench.reviewer,
        wide=True,
    )


def _keys() -> None:
    told = "".join(f"<dt>{escape(key)}</dt><dd>{escape(what)}</dd>" for key, what in keyboard.HELP)
    st.html(f"<dl class='hop-keys'>{told}</dl>")


def _button(
    title: str,
    name: str,
    hint: str,
    act: Callable[[], None],
    *,
    off: bool,
    main: bool = False,
    wide: bool = False,
) -> None:
    """Draw a button of the review panel; `off` disables it, `main` highlights it."""
    st.button(
        title,
        key=f"errors_{name}",
        help=hint,
        type="primary" if main else "secondary",
        disabled=off,
        on_click=act,
        width="stretch" if main or wide else "content",
    )


def _show_other_reviews(bench: Bench, row: Row) -> None:
    """List the verdicts, labels and notes of the other reviewers."""
    said = bench.reviews.of(row.question.text, row.retriever)
    lines = "".join(
        f"<li><b>{escape(one.reviewer)}</b> {escape(_review_in_words(bench, one, row))}</li>"
        for one in said
        if one.reviewer != bench.reviewer
    )
    if lines:
        st.html(f"<ul class='hop-others' dir='auto'>{lines}</ul>")


def _review_in_words(bench: Bench, review: Review, row: Row) -> str:
    """Describe a review: verdict, run, stage, labels, note."""
    labels = [bench.codes[one].name for one in review.labels if one in bench.codes]
    return " · ".join(
        filter(
            None,
            (
                *(review.verdict, bench.judged_on(review, row), stage_words(review.stage)),
                *(", ".join(labels), review.note),
            ),
        )
    )


def _add_label(bench: Bench, row: Row) -> None:
    """Create the typed label and give it to the result."""
    name, st.session_state[_NEW] = st.session_state[_NEW], ""
    if name.strip():
        with layout.mendable():
            code = review_actions.add_code(bench.workbench.index, name)
            say(bench, row, on=(code.id,))


def _repeat(bench: Bench, row: Row, before: Review | None) -> None:
    """Repeat the last review here and go on; a result judged in any window is left unchanged."""
    now = bench.review_now(row)
    if now.verdict:
        tell_then(_skip_judged(bench, now.verdict))
    elif before:
        say(bench, row, verdict=before.verdict, on=before.labels)
        if bench.wish.at < bench.total:
            change(at=bench.wish.at + 1)


def _skip_judged(bench: Bench, verdict: Verdict) -> str:
    """Go to the next result without a verdict; return a message on the kept verdict."""
    to = bench.unjudged(bench.wish.at)
    if to is None:
        return f"Kept the verdict of this result, {verdict}. All other results have verdicts."
    at = bench.wish.at
    change(at=to)
    return (
        f"Kept the verdict of result {at:,}, {verdict}. This is the next result without a verdict."
    )
