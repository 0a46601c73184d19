"""The command that measures retrievers: evaluate.

It measures as the Evaluate page does. With `--run` the run is stored beside the index.
"""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from core.cli.answers import need_model, say_usage
from core.cli.build_budget import BudgetOption, BudgetTokensOption
from core.cli.commands.artefacts import build_first
from core.cli.commands.gold import by_hand
from core.cli.commands.runs_transfer import ForceFlag, LevelChoice, LevelOption
from core.cli.common import (
    GoldChoice,
    GoldOption,
    IndexOption,
    RunNameOption,
    check_place,
    check_questions,
    console,
    note,
    open_workbench,
    plain,
    set_of,
    write_file,
)
from core.cli.evaluation_tables import answers_table, costs_table, measures_table, paired_table
from core.cli.measuring import measure_named, measure_unnamed
from core.cli.model_calls import AskAgainFlag, need_decided, paying, say_price
from core.cli.tables import unknown_gold_text
from core.errors import InputError

if TYPE_CHECKING:
    from core.evaluation import Evaluation
    from core.retrievers import Spec


def evaluate(
    index: IndexOption,
    questions: Annotated[
        Path | None,
        typer.Argument(
            metavar="[QUESTIONS]",
            help="JSONL file with {id, question, answer, gold: \\[ids], dataset, type} on each "
            "line, or any question file that a build reads. Default: the questions of the index.",
        ),
    ] = None,
    retrievers: Annotated[
        str,
        typer.Option(
            metavar="SPEC,SPEC,...",
            help="Retrievers, separated by commas. Default: one of each family that needs no "
            "language model.",
        ),
    ] = "",
    baseline: Annotated[
        str,
        typer.Option(
            metavar="SPEC", help="Retriever to compare the others with. Default: the first."
        ),
    ] = "",
    answers: Annotated[
        bool,
        typer.Option(
            "--answers",
            help="Generate answers with the model from each result, and measure EM, F1 and "
            "string accuracy.",
        ),
    ] = False,
    judge: Annotated[
        bool,
        typer.Option(
            "--judge",
            help=(
                "With --answers: also have the model judge each answer, with one call per answer."
            ),
        ),
    ] = False,
    gold: GoldOption = GoldChoice.evidence,
    top_k: Annotated[
        int | None,
        typer.Option(
            "--top-k",
            metavar="K",
            help="Number of passages each retriever returns, unless its SPEC sets top_k.",
        ),
    ] = None,
    budget: BudgetOption = None,
    budget_tokens: BudgetTokensOption = None,
    ask_again: AskAgainFlag = False,
    run: RunNameOption = "",
    trec: Annotated[
        Path | None,
        typer.Option("--trec", metavar="DIR", help="Write TREC run files and qrels."),
    ] = None,
    level: LevelOption = LevelChoice.passage,
    import_run: Annotated[
        list[Path] | None,
        typer.Option(
            "--import-run",
            metavar="FILE",
            help="Results from another pipeline, added to the run as a column (see runs import).",
        ),
    ] = None,
    force: ForceFlag = False,
    as_json: Annotated[
        Path | None, typer.Option("--json", metavar="OUT.json", help="Write the measures as JSON.")
    ] = None,
) -> None:
    """Measure retrievers on questions with gold: recall, nDCG, RR, AP, time, differences.

    The JSON has more: precision, F1, Hits, AP@10, RR@10, and recall within a token budget.
    """
    from core.evidence import level_of_questions
    from core.models.leave import Leave
    from core.models.money.budget import Budget
    from core.retrievers import default_retrievers
    from core.retrievers.spec_syntax import split
    from core.runs.measuring import check_answers
    from core.runs.question_sets import OWN

    if judge and not answers:
        raise InputError("--judge needs answers to judge. Add --answers.")
    if (trec or import_run) and not run:
        raise InputError("TREC files need a stored run. Name it with --run.")
    check_questions(questions)
    specs = [with_default_top_k(text, top_k) for text in split(retrievers) or default_retrievers()]
    reference = with_default_top_k(baseline, top_k) if baseline else specs[0]
    allowed = Budget(budget, budget_tokens)
    if answers:
        need_model()
    check_place(as_json)
    workbench = open_workbench(index)
    own = workbench.index
    asked = set_of(questions, own, gold.value)
    if answers:
        check_answers(asked)
    wanted = list(dict.fromkeys([*specs, reference]))  # each is asked once
    build_first(workbench, [need for spec in wanted for need in spec.needs])
    read = [each.text for each in asked if each.is_answer_known] if answers else []
    for spec in wanted:
        texts = [each.text for each in asked]
        say_price(workbench, spec, texts, again=ask_again, answered=read, judge=judge)
    if read and import_run:
        most = len(read) * len(import_run)
        note(f"Answers from imported results without answers of their own: at most {most:,} calls.")
    with paying(workbench, Leave("the command evaluate", ask_again), allowed) as workbench:
        source = questions.name if questions else OWN
        if run:
            report = measure_named(
                workbench,
                asked,
                wanted,
                run,
                source,
                str(reference),
                import_run or [],
                trec,
                level.value,
                force=force,
                answers=answers,
                judge=judge,
            )
        else:
            report = measure_unnamed(workbench, asked, wanted, source, answers=answers, judge=judge)
    if report.answering:
        say_usage(report.answering)
    gold_remarks = {
        "gold": level_of_questions(asked),
        "gold_by_hand": by_hand(asked, workbench.index),
    }
    _show(report, str(reference), as_json, gold_remarks)
    if report.stopped:
        raise report.stopped
    for key in report.keys:
        need_decided(key, report.model(key))


def with_default_top_k(text: str, top_k: int | None) -> "Spec":
    """Return the retriever that `text` names, with `top_k` if it has that setting and `text` does
    not give it.

    Raises
    ------
    InputError : there is no such retriever or setting, or `top_k` is no value of it.
    """
    from core.retrievers import Spec
    from core.retrievers.spec_syntax import read

    spec = Spec.parse(text)
    said = {name for name, _ in read(text).settings}
    if top_k is None or "top_k" in said or "top_k" not in spec.values:
        return spec
    return spec.with_settings(top_k=top_k)


def _show(report: "Evaluation", reference: str, as_json: Path | None, gold: dict[str, Any]) -> None:
    """Write the JSON file and print the tables of a report, which may be partial.

    Parameters
    ----------
    gold : JSON fields that say what counts as gold, and which gold was marked by hand.
    """
    from core.evaluation import pair

    if report.unknown_gold:
        note(f"{unknown_gold_text(report.unknown_gold)}, such as {report.unknown_gold[0]}")
    paired = pair(report, reference) if reference in report.keys else None
    if as_json:
        remarks = {**gold, "paired": paired.to_json() if paired else None}
        written = {**report.to_json(), **remarks}
        write_file(as_json, json.dumps(written, indent=1).encode())
    console().print(measures_table(report))
    if by := answers_table(report):
        console().print(by)
    if took := costs_table(report):
        console().print(took)
    for key in report.keys:
        if report.model(key).turned_to:
            console().print(f"{key}: {plain(str(report.model(key)))}", soft_wrap=True)
    if paired and any(paired.overall.values()):
        console().print(paired_table(paired, report.called))
