"""The command `runs`: list, show, compare and delete the stored runs of an index."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli.common import (
    IndexOption,
    JsonFlag,
    console,
    index_place,
    note,
    plain,
    print_json,
    stored_index,
)
from core.cli.evaluation_tables import (
    chain_table,
    cross_index_table,
    cross_index_title,
    difference_table,
    effect_table,
    measures_table,
    runs_table,
)
from core.cli.measuring import say_partial
from core.errors import InputError
from core.text.display.plurals import number

if TYPE_CHECKING:
    from core.runs import Run, Runs
    from core.runs.analysis.chain_slices import Slice
    from core.runs.analysis.cross_index import Side

runs = typer.Typer(
    help="Manage the stored evaluation runs of an index: list, show, rename, delete, compare.",
    no_args_is_help=True,
)
RunArgument = Annotated[str, typer.Argument(metavar="RUN", help="Name or id of a run.")]


@runs.command("list")
def list_runs(index: IndexOption, as_json: JsonFlag = False) -> None:
    """List the runs of an index, newest first."""
    stored = runs_of(index).all()
    if as_json:
        print_json([_run_json(run) for run in stored])
        return
    console().print(runs_table(stored))


@runs.command()
def show(run: RunArgument, index: IndexOption, as_json: JsonFlag = False) -> None:
    """Print the results of a run, as `evaluate` does, and the digests of its configurations."""
    from core.marks import level_told
    from core.runs.evaluation_report import report_of
    from core.runs.gold import level_of

    kept = runs_of(index)
    known = kept.get(run)
    report = report_of(kept, known)
    say_partial(report, known)
    chain = _by_hop(kept, known)
    if as_json:
        slices = {hop: asdict(each) for hop, each in chain.items()}
        by_hop = {"by_chain_position": slices} if slices else {}
        print_json({**_run_json(known), **report.to_json(), **by_hop})
        return
    console().print(
        f"{plain(known.name)}: {number(known.questions, 'question')} of "
        f"{plain(known.question_set)}, {known.state}, {known.made_at} "
        f"({known.id}). {level_told(level_of(known))}"
    )
    for column in known.columns:
        console().print(f"  {column.configuration or 'elsewhere':10}  {plain(column.retriever)}")
    if report.rows:
        console().print(measures_table(report))
    if chain:
        from core.runs.analysis.chain_slices import DEEPEST

        console().print(f"R@{DEEPEST} of the evidence at each position of the reasoning chain:")
        console().print(chain_table(chain, known.retrievers))


def _by_hop(kept: "Runs", run: "Run") -> "dict[str, Slice]":
    """Return recall by position in the reasoning chain; empty if fewer than two are known."""
    from core.runs.analysis.chain_slices import chain_slices, has_chain

    if not has_chain(kept, run):
        return {}
    return {each.value: each for each in chain_slices(kept, run)}


@runs.command()
def rename(
    run: RunArgument,
    name: Annotated[str, typer.Argument(metavar="NAME", help="New name.")],
    index: IndexOption,
) -> None:
    """Rename a run."""
    runs_of(index).rename(run, name)


@runs.command()
def delete(run: RunArgument, index: IndexOption) -> None:
    """Delete a run and its results. Reviews stay with the index."""
    from core.reviews import Reviews
    from core.reviews.reviews_of_run import staying

    kept = runs_of(index)
    gone = kept.get(run)
    kept_reviews = staying(gone, kept, Reviews(kept.path.parent).all())
    kept.delete(gone.id)
    note(str(kept_reviews))


@runs.command("remove-column")
def remove_column(
    run: RunArgument,
    retriever: Annotated[
        str, typer.Argument(metavar="RETRIEVER", help="The retriever, as `runs show` lists it.")
    ],
    index: IndexOption,
) -> None:
    """Remove one retriever and its results from a run. Reviews stay with the index."""
    kept = runs_of(index)
    known = kept.get(run)
    kept.remove_column(known.id, retriever)
    note(f"Removed {retriever} from {known.name}.")


@runs.command()
def compare(
    run: RunArgument,
    before: Annotated[str, typer.Argument(metavar="BEFORE", help="The run to compare with.")],
    index: IndexOption,
    measure: Annotated[
        str, typer.Option(metavar="MEASURE", help="Measure, such as R@5. Default: R@20.")
    ] = "",
    with_index: Annotated[
        str,
        typer.Option(
            metavar="DIR",
            help="Index of run BEFORE, if it differs (same corpus). Compares evidence recall and "
            "tokens to read.",
        ),
    ] = "",
    as_json: JsonFlag = False,
) -> None:
    """Compare each retriever of a run with the same retriever in another run, by question."""
    if with_index:
        if measure:
            raise InputError("--with-index compares all measures. Omit --measure.")
        _compare_indexes(_side(index, run), _side(with_index, before), as_json=as_json)
        return
    from core.runs.analysis.leaderboard import between

    kept = runs_of(index)
    ours, theirs = kept.get(run), kept.get(before)
    differences = between(kept, ours, theirs, measure or "R@20")
    if not differences:
        raise InputError(f"{ours.name} and {theirs.name} share no retriever or no question.")
    if as_json:
        print_json({key: each.to_dict() for key, each in differences.items()})
        return
    console().print(difference_table(differences, f"{plain(ours.name)} minus {plain(theirs.name)}"))


@runs.command()
def effect(
    trial: Annotated[str, typer.Argument(metavar="TRIAL", help="A trial: a run with one change.")],
    index: IndexOption,
    as_json: JsonFlag = False,
) -> None:
    """Print the net effect of a change on all questions, as on the Errors page.

    Questions that lost gold before, and the others, are described but not tested, because
    they were selected by their outcome.
    """
    from core.reviews.losses.change_effect import effect_of, of_trial

    kept = runs_of(index)
    run = kept.get(trial)
    parents = of_trial(run, kept.all())
    if not parents:
        raise InputError(
            f"{run.name} is not a trial of another run. Start a trial on Errors, or compare two "
            "runs: python -m core runs compare"
        )
    effects = {
        (before, after): effect_of(kept, (parent, before), (run, after))
        for parent, before in parents
        for after in run.retrievers
    }
    if as_json:
        print_json([{"before": b, "after": a, **asdict(each)} for (b, a), each in effects.items()])
        return
    for (before, after), each in effects.items():
        console().print(effect_table(each, f"{plain(after)} minus {plain(before)}"))


def _side(index: str, run: str) -> "Side":
    """Return a run of an index, which is opened without its embedder."""
    from core.runs.analysis.cross_index import Side

    kept = runs_of(index)
    return Side(stored_index(index), kept.get(run))


def _compare_indexes(ours: "Side", theirs: "Side", *, as_json: bool) -> None:
    """Print how the results of two runs differ whose indexes are not the same."""
    from core.runs.analysis.cross_index import compare_indexes

    differences = compare_indexes(ours, theirs)
    if as_json:
        print_json(differences.to_json())
        return
    console().print(cross_index_title(differences), soft_wrap=True)
    console().print(cross_index_table(differences))
    console().print(plain(str(differences.scope)), soft_wrap=True)


def runs_of(index: str) -> "Runs":
    """Return the runs of an index, which `--index` names."""
    from core.runs import Runs
    from core.store.metadata import require_finished

    folder = index_place(index)
    require_finished(folder)
    return Runs(folder)


def _run_json(run: "Run") -> dict[str, object]:
    """Describe a stored run for --json: state, questions, index version, configurations."""
    from core.runs.gold import level_of

    return {
        "id": run.id,
        "name": run.name,
        "made_at": run.made_at,
        "state": run.state,
        "message": run.message,
        "question_set": run.question_set,
        "questions": run.questions,
        "gold": level_of(run),
        "content": run.content,
        "graph": run.graph,
        "settings": dict(run.settings),
        "configurations": {each.retriever: each.configuration for each in run.columns},
    }
