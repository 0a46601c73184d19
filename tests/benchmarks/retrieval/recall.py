"""How much gold each retriever finds, with titles and without, on data of your own.

    python tests/benchmarks/retrieval/recall.py CORPUS.jsonl[.gz] QUESTIONS.jsonl
        [--retrievers SPEC,SPEC,...] [--index DIR] [--index-without-titles DIR] [--markdown]

Prints a row for every retriever that works without a model, with the median time of a question
after its embedding and what was built for it; then recall by data set, how `hoprag-coverage`
differs from every other retriever question by question, and what it costs to empty every title of
the corpus. An index that is there is opened, one that is not is built; what retrievers stand on
likewise.
`--with-titles-only` leaves the second index out.
"""

import argparse
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean

from rich.progress import Progress as Bars
from rich.progress import TaskID

sys.path.insert(0, str(Path(__file__).parents[3]))

from core.api.progress import progress_bars
from core.artefacts.base import in_order
from core.artefacts.workbench import Workbench
from core.cli.common import quiet
from core.corpus.file_contents import content_hash
from core.corpus.files import read_files
from core.corpus.types import Corpus
from core.errors import HopRagError, InputError
from core.evaluation import Difference, Evaluation, differences, read_questions
from core.indexing.updates import build
from core.models.embedder import Embedder, load_embedder
from core.progress import Progress, Report
from core.retrievers import CARDS, Spec
from core.retrievers.spec_syntax import split
from core.runs.measuring import evaluate
from core.settings import BUNDLED_EMBEDDER
from core.store.artefact_tables import shelved
from core.store.index import Index
from core.store.tables import last_meta
from core.types import Query
from tests.benchmarks.printing import Grid, grid, machine, show

OFFLINE = tuple(key for key, card in CARDS.items() if card.retrieves and not Spec(key).needs_model)
OURS = "hoprag-coverage"
MEASURES = ("R@2", "R@5", "R@10", "R@20", "all@20")
TOLD = ("R@2", "R@5", "all@20")
PAIRED = ("R@2", "R@5", "R@20", "all@20")


def untitled(corpus: Corpus) -> Corpus:
    """The same documents under the same ids, with every title emptied."""
    return replace(corpus, documents=tuple(replace(d, title="") for d in corpus.documents))


def workbench(folder: Path, corpus: Corpus, embedder: Embedder, bars: Bars) -> Workbench:
    """The index in `folder`, which is built if it is not there.

    Raises
    ------
    InputError : the index is there and was made of other documents.
    """
    if last_meta(folder) is None:
        task = bars.add_task("Building")

        build(folder, corpus, embedder, telling(bars, task))
    index = Index.open(folder, embedder.info)
    made_of = {document.id: document.content_hash for document in index.documents}
    if made_of != {document.id: content_hash(document) for document in corpus.documents}:
        raise InputError(f"{folder} was not made of this corpus; name a folder that is not there.")
    return Workbench(index, embedder, making=telling(bars, bars.add_task("Making")))


def telling(bars: Bars, task: TaskID) -> Report:
    """Shows how far a build, or the making of an artefact, is."""

    def report(progress: Progress) -> None:
        stage = f"Building, {progress.stage}"
        bars.update(task, description=stage, completed=progress.done, total=progress.total)

    return report


def measured(
    questions: Sequence[Query], bench: Workbench, specs: Sequence[Spec], bars: Bars
) -> Evaluation:
    """All retrievers on all questions."""
    task = bars.add_task("Asking")
    return evaluate(
        questions,
        bench,
        specs,
        on_progress=lambda done, total: bars.update(task, completed=done, total=total),
    )


def summary_grid(title: str, report: Evaluation, bench: Workbench) -> Grid:
    """A row a retriever: recall in each data set and in their mean, time, what was built for it."""
    shelf = shelved(bench.index.path)
    rows = []
    for spec in map(Spec.parse, report.keys):
        found = [report.measures(str(spec), name).to_dict() for name in report.datasets]
        parts = [" / ".join(_percent([part[m]]) for m in TOLD) for part in found]
        mean = " / ".join(_percent([part[m] for part in found]) for m in TOLD)
        built = [need.name for need in in_order(spec.needs) if need.name in shelf]
        stands_on = ", ".join(f"{name} {shelf[name].seconds:,.0f} s" for name in built)
        rows.append(
            (f"`{spec}`", *parts, mean, f"{_after_embedding(report, spec):.0f} ms", stands_on)
        )
    columns = ("retriever", *report.datasets, "mean", "a question", "built for it")
    return grid(f"{title}: {' / '.join(TOLD)}", columns, rows)


def _after_embedding(report: Evaluation, spec: Spec) -> float:
    """Median time of a question without that of its embedding, in ms."""
    found = report.measures(str(spec)).to_dict()
    return 1000 * ((found["seconds_p50"] or 0) - (found["embed_seconds_p50"] or 0))


def recall_grid(title: str, report: Evaluation) -> Grid:
    """A row for each retriever and data set, then over all questions, then the plain mean of the
    data sets, in which each weighs the same."""
    rows = []
    for key in report.keys:
        parts = {name: report.measures(key, name).to_dict() for name in report.datasets}
        whole = {**parts, "all questions": report.measures(key).to_dict()}
        for name, found in whole.items():
            percents = (_percent([found[m]]) for m in MEASURES)
            rows.append((key, name, f"{found['n']:,}", *percents))
        means = (_percent([part[m] for part in parts.values()]) for m in MEASURES)
        rows.append((key, "mean of the data sets", "", *means))
    return grid(title, ("retriever", "questions", "n", *MEASURES), rows)


def paired_grid(title: str, report: Evaluation) -> Grid:
    """What `hoprag-coverage` finds more than each other retriever, by data set and in all."""
    rows = [
        (other, name or "all questions", *cells(differences(report.of(OURS, name), against)))
        for other in report.keys
        if other != OURS
        for name in (*report.datasets, None)
        if (against := report.of(other, name))
    ]
    return grid(title, (f"{OURS} minus", "questions", *PAIRED), rows)


def titles_grid(title: str, with_titles: Evaluation, without: Evaluation) -> Grid:
    """What each retriever finds more without titles than with them; below 0 is what they bring."""
    rows = [
        (key, *cells(differences(without.of(key), with_titles.of(key)))) for key in without.keys
    ]
    return grid(title, ("retriever", *PAIRED), rows)


def shelf_grid(bench: Workbench) -> Grid:
    """What retrievers stand on that was built for them: seconds, and size on disk."""
    rows = [
        (row.name, f"{row.seconds:,.0f} s", f"{row.size / 2**20:,.0f} MB")
        for row in shelved(bench.index.path).values()
    ]
    return grid("Built for retrievers", ("artefact", "making it took", "on disk"), rows)


def cells(found: Sequence[Difference]) -> list[str]:
    """A cell a measure: points with half the 95% interval, and p."""
    by_measure = {each.measure: each for each in found}
    return [_cell(by_measure[name]) if name in by_measure else "-" for name in PAIRED]


def _cell(found: Difference) -> str:
    margin = "" if found.high is None else f" ± {found.high - found.mean:.1f}"
    return f"{found.mean:+z.1f}{margin}, p {found.p:.4f}"  # z: never -0.0


def _percent(values: Sequence[float | None]) -> str:
    known = [value for value in values if value is not None]
    return f"{fmean(known):.1f}" if known else "-"


def run(given: argparse.Namespace, scratch: Path) -> None:
    quiet()
    embedder = load_embedder(BUNDLED_EMBEDDER)
    questions = read_questions(given.questions)
    titled = read_files([given.corpus])
    for rejected in titled.rejected:
        raise rejected
    # `hoprag-coverage` is what the others are set against.
    named = [*(split(given.retrievers) or OFFLINE), OURS]
    specs = list(dict.fromkeys(Spec.parse(text) for text in named))
    with progress_bars() as bars:
        bench = workbench(given.index or scratch / "titled", titled, embedder, bars)
        with_titles = measured(questions, bench, specs, bars)
        without = None
        if not given.with_titles_only:
            folder = given.index_without_titles or scratch / "untitled"
            plain = workbench(folder, untitled(titled), embedder, bars)
            without = measured(questions, plain, specs, bars)
    about = (
        f"{len(questions):,} questions, {len(titled.documents):,} documents, no language model, "
        f"{embedder.info.name}; {machine(embedder.info.precision)}. After ± is half the 95% "
        "interval, after p the two-sided p of a paired randomization test."
    )
    tables = [
        summary_grid("With titles, in percent", with_titles, bench),
        recall_grid("With titles, in percent", with_titles),
        paired_grid("With titles, difference in points", with_titles),
        shelf_grid(bench),
    ]
    if without:
        tables += [
            recall_grid("Without titles, in percent", without),
            paired_grid("Without titles, difference in points", without),
            titles_grid("Without titles minus with titles, in points", with_titles, without),
        ]
    show(about, tables, markdown=given.markdown)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus", type=Path)
    parser.add_argument("questions", type=Path)
    parser.add_argument("--index", type=Path, help="index of the corpus; a fresh one if not given")
    parser.add_argument("--index-without-titles", type=Path, help="the same with titles emptied")
    parser.add_argument("--retrievers", default="", help="which ones; else all that need no model")
    parser.add_argument("--with-titles-only", action="store_true", help="leave the other index out")
    parser.add_argument("--markdown", action="store_true", help="print tables for a README")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        try:
            run(given, Path(scratch))
        except HopRagError as error:
            parser.error(str(error))


if __name__ == "__main__":
    main()
