"""Reviews as a report in Markdown: the run, numbers, funnel, labels, what was lost, the notes."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from core.funnel.stages import STAGES, stage_words
from core.marks import level_told
from core.playback.wording import begun, join_names
from core.reviews.agreement import Agreement, agreements
from core.reviews.codes import Code, names
from core.reviews.losses.change_effect import TOLD, counts_told, net_told
from core.reviews.losses.lost_gold import NOT_LOOKED_FOR, Case, Cases, Lost
from core.reviews.pivot import NO_LABEL, NO_LOSS, pivot
from core.reviews.report.markdown import escape, table
from core.reviews.report.run_overview import Group, Overview, Tried
from core.reviews.review import VERDICTS, Review
from core.runs.analysis.leaderboard import Interval, LeaderboardRow
from core.runs.gold import level_of
from core.runs.question_sets import OWN
from core.text.display.passage_labels import shortened
from core.text.display.plurals import counted, number

MEASURED = ("R@5", "R@20", "all@20", "nDCG@10")
"""The measures that the report has of a run."""

_FACT = 200  # characters of evidence


def report(
    title: str,
    reviews: Sequence[Review],
    codes: Mapping[int, Code],
    cases: Cases,
    *,
    listed: int,
    date: str,
    runs: Mapping[str, str] | None = None,
    fixes: str = "",
    overview: Overview | None = None,
) -> str:
    """Return a Markdown report about the reviews of a run.

    Parameters
    ----------
    title : the index and the run under review.
    codes : the labels in use, by id.
    cases : the gold that each reviewed result lost.
    listed : number of questions that were listed for review.
    date : date of the report, ISO 8601.
    runs : names of runs by id; a run without a name is shown by its id.
    fixes : summary of the fixes for the lost gold (`core.reviews.losses.common_fix.fix_summary`).
    overview : figures of the whole run, reviewed or not.
    """
    called = runs or {}
    parts = (
        [f"# Error review: {escape(title)}", f"Generated on {escape(date)}."],
        _run_section(overview) if overview else [],
        _review_counts(reviews, listed, called),
        _stage_counts(reviews),
        _label_counts(reviews, codes),
        _agreement_table(agreements(reviews, codes, axial=True)),
        ["## Fixes for the lost gold", escape(fixes)] if fixes else [],
        _lost(reviews, cases),
        _quoted_notes(reviews, codes, called),
    )
    return "\n\n".join(part for each in parts for part in each) + "\n"


def _run_section(whole: Overview) -> Iterator[str]:
    """Yield the paragraphs on the run: questions, leaderboard, gates, and groups with losses."""
    run = whole.run
    yield f"## Run: {escape(run.name)}"
    asked = "of the index" if run.question_set == OWN else f"of {escape(run.question_set)}"
    yield (
        f"{begun(number(run.questions, 'question'))} {asked}, started {escape(run.made_at[:10])}. "
        "Measures are percent, means over the questions with gold; ± is half of the 95% interval. "
        f"{level_told(level_of(run))}. A candidate list is a list from which a retriever selects, "
        "such as the edges of a passage."
    )
    yield table(
        ("retriever", "asked", "with gold", *MEASURED, "lists per question", "median time"),
        (_leaderboard_cells(one) for one in whole.leaderboard),
    )
    yield from _gates(whole)
    for retriever, groups in whole.groups.items():
        yield f"### Groups of questions where {escape(retriever)} lost gold"
        yield (
            table(
                ("questions", "lost gold", "cause", "fix"),
                map(_group, groups),
            )
            if groups
            else "There are none."
        )
        yield from _tried(retriever, whole.tried.get(retriever, ()))


def _tried(retriever: str, tried: Sequence[Tried]) -> Iterator[str]:
    """Yield the net effect of each change first.

    The halves below it are described and not tested.
    """
    if not tried:
        return
    yield f"### Fixes for {escape(retriever)}, run on all questions"
    for one in tried:
        nets = [f"{net_told(net)}; {counts_told(net)}" for net in one.effect.net]
        yield f"**{escape(begun(one.mend.change))}**"
        yield "\n".join(f"- All questions: {escape(net)}." for net in nets)
        halves = (("lost gold before", one.effect.inside), ("others", one.effect.elsewhere))
        yield table(
            ("chosen by outcome, not tested", "questions", *TOLD, "by recall"),
            (
                (name, f"{part.n:,}", *(f"{part.means[m]:+z.1f}" for m in TOLD), counts_told(part))
                for name, part in halves
                if part
            ),
        )


def _leaderboard_cells(one: LeaderboardRow) -> tuple[str, ...]:
    """Format a leaderboard row: retriever, questions, measures, judgements and median time."""
    means = [one.measures[name] for name in MEASURED]
    time = "" if one.seconds_p50 is None else f"{1000 * one.seconds_p50:,.0f} ms"
    return (
        *(escape(one.retriever), f"{one.asked:,}", f"{means[0].n:,}", *map(_mean_text, means)),
        *(f"{one.judgements:,.1f}" if time else "", time),
    )


def _mean_text(interval: Interval) -> str:
    """Format a mean and half of its 95% interval, like `61.5 ± 4.2`; empty without a mean."""
    if interval.mean is None:
        return ""
    spread = (
        ""
        if interval.low is None or interval.high is None
        else f" ± {(interval.high - interval.low) / 2:.1f}"
    )
    return f"{interval.mean:.1f}{spread}"


def _gates(whole: Overview) -> Iterator[str]:
    """Yield a row for each retriever, a column for each gate of the one that has most of them."""
    gates = max(whole.ladders.values(), key=len, default=())
    if not gates:
        return
    yield "### Gold passages remaining after each stage"
    rows = (
        (escape(name), *(left.get(gate.name, "") for gate in gates))
        for name, rungs in whole.ladders.items()
        for left in [{rung.name: f"{rung.left:,}" for rung in rungs}]
    )
    yield table(("retriever", *(gate.said for gate in gates)), rows)


def _group(group: Group) -> tuple[str, ...]:
    alike = group.alike
    texts = (alike.name, " ".join(group.kept) or NOT_LOOKED_FOR)
    return (f"{len(alike.questions):,}", f"{alike.golds:,}", *map(escape, texts))


def _review_counts(
    reviews: Sequence[Review], listed: int, runs: Mapping[str, str]
) -> Iterator[str]:
    """Yield the paragraphs that count reviews by verdict and by run.

    `listed` is the number of results that could be judged.
    """
    verdict_counts = Counter(review.verdict for review in reviews)
    people = sorted({review.reviewer for review in reviews})
    results = len({review.key for review in reviews if review.verdict})
    yield "## Reviews"
    if results:
        who = join_names([*map(escape, people)])
        judged = f"{who} judged {results:,} of {number(listed, 'result')}."
        yield f"{judged} The sections below cover only these."
    else:
        yield f"None of {number(listed, 'result')} has been judged yet."
    yield table(
        ("verdict", "reviews"), ((verdict, str(verdict_counts[verdict])) for verdict in VERDICTS)
    )
    judged_on = Counter(_run(review, runs) for review in reviews)
    yield table(("judged on", "reviews"), ((run, str(n)) for run, n in judged_on.items()))
    if verdict_counts[""]:
        have = counted(verdict_counts[""], "more review has", "more reviews have")
        yield f"{have} a label or a note but no verdict."


def _stage_counts(reviews: Sequence[Review]) -> Iterator[str]:
    """Yield the number of failed results for each stage at which the first gold was lost."""
    lost = {review.key: review.lost_at for review in reviews if review.verdict == "fail"}
    overruled = sum(bool(review.stage) and review.stage != review.found for review in reviews)
    counts = Counter(lost.values())
    yield "## Stage of loss of the first gold passage in failed results"
    known = [(words, counts[stage]) for stage, words in STAGES.items() if counts[stage]]
    other = [(NO_LOSS, counts[""])] if counts[""] else []
    yield table(
        ("stage", "failed results"), ((words, str(number)) for words, number in known + other)
    )
    if overruled:
        yield f"Reviewers changed the stage in {number(overruled, 'review')}."


def _label_counts(reviews: Sequence[Review], codes: Mapping[int, Code]) -> Iterator[str]:
    """Yield a table of labels by stage of loss, and the labels that each axial label combines."""
    counts = pivot(reviews, codes, "stage", axial=True)
    if not counts.rows:
        return
    yield "## Labels by stage"
    head = ("label", *(escape(stage_words(column)) for column in counts.columns), "all")
    yield table(
        head,
        (
            (
                escape(row),
                *(str(counts.count(row, column)) for column in counts.columns),
                str(len(counts.of_row(row))),
            )
            for row in counts.rows
        ),
    )
    merged = {
        code.axial: [one.name for one in codes.values() if one.axial == code.axial]
        for code in codes.values()
        if code.axial
    }
    for axial, held in merged.items():
        yield f"**{escape(axial)}** combines {join_names([*map(escape, held)])}."


def _agreement_table(rows: Sequence[Agreement]) -> Iterator[str]:
    """Yield the agreement of each pair of reviewers as a table; nothing if there is none."""
    if not rows:
        return
    yield "## Agreement"
    yield "Cohen's kappa for each pair of reviewers, over the results that both judged."
    yield table(
        ("reviewers", "on", "results", "agreed", "kappa"),
        (
            (
                f"{escape(row.first)} and {escape(row.second)}",
                escape(row.label) or "verdict",
                str(row.n),
                str(row.same),
                row.told,
            )
            for row in rows
        ),
    )


def _lost(reviews: Sequence[Review], cases: Cases) -> Iterator[str]:
    """Yield the lost gold of what failed, each with fix."""
    failed = dict.fromkeys(review.key for review in reviews if review.verdict == "fail")
    rows = [
        tuple(
            map(
                escape,
                (question, retriever, _title_and_evidence(one), _stage_and_fix(one), one.kept_by),
            )
        )
        for question, retriever in failed
        for one in cases.get((question, retriever), Case()).lost
    ]
    if rows:
        yield "## Lost gold in failed results"
        head = (
            "question",
            "retriever",
            "lost",
            "stage of loss",
            "fix",
        )
        yield table(head, rows)


def _title_and_evidence(lost: Lost) -> str:
    """Return the title of a lost passage, and the evidence in it."""
    return ": ".join(filter(None, (lost.title, shortened(lost.evidence, _FACT))))


def _stage_and_fix(lost: Lost) -> str:
    return ": ".join(filter(None, (lost.stage, lost.how)))


def _quoted_notes(
    reviews: Sequence[Review], codes: Mapping[int, Code], runs: Mapping[str, str]
) -> Iterator[str]:
    """Yield the notes under headings of their first axial labels, those without a label last."""
    noted = [review for review in reviews if review.note]
    if not noted:
        return
    yield "## Notes"
    groups: dict[str, list[Review]] = {}
    for review in noted:
        for label in names(review.labels, codes, axial=True)[:1] or [NO_LABEL]:
            groups.setdefault(label, []).append(review)
    for label in sorted(groups, key=lambda label: (label == NO_LABEL, label.casefold())):
        yield f"### {escape(label)}"
        for review in groups[label]:
            summary = f"{_review_summary(review)}, on {_run(review, runs)}"
            yield f"**{escape(review.question)}** ({summary})"
            yield "\n".join(f"> {escape(line)}".rstrip() for line in review.note.split("\n"))


def _review_summary(review: Review) -> str:
    stage = stage_words(review.lost_at)
    said = (review.retriever, review.verdict, stage, f"by {review.reviewer}")
    return escape(", ".join(filter(None, said)))


def _run(review: Review, runs: Mapping[str, str]) -> str:
    """Return the name of the run a review was given on."""
    return escape(runs.get(review.run, review.run)) or "an unknown run"
