"""Commands that ask an index: ask, evaluate."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from core.cli.answering import (
    answer_all,
    answer_json,
    answer_of,
    evidence_of,
    need_model,
    print_answer,
    reader_of,
)
from core.cli.common import (
    IndexOption,
    JsonFlag,
    console,
    note,
    open_workbench,
    print_json,
    progress_bars,
    write_file,
)
from core.cli.shelving import build_first
from core.cli.tables import hits_table, measures_table, paired_table
from core.errors import InputError
from core.settings import settings
from core.steps import result

if TYPE_CHECKING:
    from core.answers import Answer, Evidence
    from core.artefacts.workbench import Workbench
    from core.retrievers import Retriever, Spec
    from core.store.index import Index
    from core.traces import Trace
    from core.types import Hit


def ask(
    question: Annotated[str, typer.Argument(help="The question.")],
    index: IndexOption,
    retriever: Annotated[
        str,
        typer.Option(
            metavar="SPEC",
            help="A key, with settings like bm25(top_k=10) if they are to differ; the command "
            "retrievers lists all there are.",
        ),
    ] = "hoprag-coverage",
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="A setting; may be given several times."),
    ] = None,
    top_k: Annotated[
        int | None, typer.Option(min=1, help="Passages that are kept, 20 by default.")
    ] = None,
    hops: Annotated[
        int | None,
        typer.Option(min=1, help="Rounds of the walk, 4 by default; for hoprag-… only."),
    ] = None,
    trace: Annotated[
        Path | None,
        typer.Option(metavar="FILE.jsonl", help="Write all steps, to be played in the browser."),
    ] = None,
    answer: Annotated[
        bool,
        typer.Option(
            "--answer",
            help="Answer from the passages by the model; without one, the sentences that bear on "
            "the question.",
        ),
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Ask a question and print the ranked passages; gold is marked for the index's own."""
    from core.artefacts.workbench import check_question
    from core.models.leave import Leave
    from core.retrievers import make
    from core.traces import dump, record

    check_question(question)
    spec = _spec(retriever, set_ or [], top_k, hops)
    workbench = open_workbench(index)
    gold = _gold(question, workbench.index)
    build_first(workbench, spec.needs)
    _say_price(make(spec, workbench), question)
    workbench = workbench.allowed(Leave("the command ask"))
    recorded = record(make(spec, workbench), question, workbench.index, gold)
    if trace:
        write_file(trace, dump(recorded))
    hits = _hits(recorded)
    answered = _answered(workbench, question, hits) if answer else None
    if as_json:
        said = answer_json(*answered) if answered else {}
        print_json({**_as_json(recorded, hits, workbench.index), **said})
    else:
        console().print(hits_table(hits, workbench.index, gold))
        if not hits:
            note("Nothing was found: no passage has a word of the question.")
        if answered:
            print_answer(*answered)


def evaluate(
    questions: Annotated[
        Path,
        typer.Argument(
            metavar="QUESTIONS.jsonl",
            help="{id, question, answer, gold: \\[ids], dataset, type} a line.",
        ),
    ],
    index: IndexOption,
    retrievers: Annotated[
        str,
        typer.Option(
            metavar="SPEC,SPEC,...",
            help="Which ones, with commas; else all that ask no language model.",
        ),
    ] = "",
    baseline: Annotated[
        str,
        typer.Option(metavar="SPEC", help="The one the others are paired with; else the first."),
    ] = "",
    answers: Annotated[
        bool,
        typer.Option(
            "--answers",
            help="Have the model answer from what each finds, and measure EM and F1.",
        ),
    ] = False,
    as_json: Annotated[
        Path | None, typer.Option("--json", metavar="OUT.json", help="Write the measures as JSON.")
    ] = None,
) -> None:
    """Measure retrievers on questions with gold: recall, seconds, judgements, differences."""
    from core.evaluate import check_answers, pair, read_questions
    from core.evaluate import evaluate as measured
    from core.models.leave import Leave
    from core.retrievers import MODEL_FREE, Spec, make
    from core.retrievers.written import split

    asked = read_questions(questions)
    specs = [Spec.parse(text) for text in split(retrievers) or MODEL_FREE]
    reference = Spec.parse(baseline) if baseline else specs[0]
    if answers:
        check_answers(asked)
        need_model()
    workbench = open_workbench(index)
    wanted = dict.fromkeys([*specs, reference])
    build_first(workbench, [need for spec in wanted for need in spec.needs])
    for spec in wanted:
        _say_price(make(spec, workbench), asked[0].text, len(asked))
    workbench = workbench.allowed(Leave("the command evaluate"))
    reader = reader_of(workbench) if answers else None
    with progress_bars() as bars:
        task = bars.add_task("Asking")
        report = measured(
            asked,
            workbench,
            [*specs, reference],  # each is asked once, however often it is named
            progress=lambda done, total: bars.update(task, completed=done, total=total),
        )
        if reader:
            task = bars.add_task("Answering")
            report = answer_all(
                report,
                workbench,
                reader,
                progress=lambda done, total: bars.update(task, completed=done, total=total),
            )
    if report.unknown_gold:
        note(
            f"{len(report.unknown_gold):,} gold ids are not in this index and count as missed, "
            f"such as {report.unknown_gold[0]}"
        )
    paired = pair(report, str(reference))
    if as_json:
        written = {**report.to_json(), "paired": paired.to_json()}
        write_file(as_json, json.dumps(written, indent=1).encode())
    console().print(measures_table(report))
    if any(paired.overall.values()):
        console().print(paired_table(paired))


def _spec(text: str, changes: list[str], top_k: int | None, hops: int | None) -> "Spec":
    """The retriever that the options say together."""
    from core.retrievers import Spec

    spec = Spec.parse(text)
    for change in changes:
        name, sign, value = change.partition("=")
        if not sign:
            raise InputError(f"--set {change[:40]!r} sets nothing: write --set name=value.")
        spec = spec.with_settings(**{name.strip(): value.strip()})
    if top_k is not None:
        spec = spec.with_settings(top_k=top_k)
    if hops is None:
        return spec
    if "n_hop" not in spec.values:
        raise InputError(f"{spec} makes no hops: leave --hops out, or ask hoprag-….")
    return spec.with_settings(n_hop=hops)


def _answered(
    workbench: "Workbench", question: str, hits: "tuple[Hit, ...]"
) -> "tuple[Answer | None, Evidence | None]":
    ranking = [workbench.index.passage(hit.passage_id) for hit in hits]
    found = answer_of(workbench, question, ranking)
    return found, evidence_of(workbench, question, ranking, found)


def _say_price(retriever: "Retriever", question: str, questions: int = 1) -> None:
    """How often a model will be asked, before it is; of several, `question` is the first."""
    from core.retrievers import spec_of
    from core.retrievers.foreseeing import forecast

    calls = forecast(retriever, question, settings().prices)
    if not calls.asks or not (oracle := retriever.workbench.oracle):
        return
    if questions == 1:
        note(f"{oracle.llm.model}: {calls}.")
        return
    note(
        f"{spec_of(retriever)} by {oracle.llm.model}: {calls.times(questions)}, if each of the "
        f"{questions:,} questions takes what the first one does."
    )


def _gold(question: str, index: "Index") -> tuple[str, ...]:
    """Gold of the index's own question with this text."""
    same = (query for query in index.questions if query.text.strip() == question.strip())
    return next((query.gold for query in same), ())


def _hits(trace: "Trace") -> "tuple[Hit, ...]":
    return result(trace.steps).hits


def _as_json(trace: "Trace", hits: "tuple[Hit, ...]", index: "Index") -> dict[str, Any]:
    from core.playback.account import account

    cost = account(trace.steps)
    return {
        "question": trace.query,
        "retriever": trace.retriever,
        "index": str(index.path),
        "gold": list(trace.gold),
        "seconds": cost.embed_seconds + cost.seconds,
        "hits": [_hit(rank, hit, trace, index) for rank, hit in enumerate(hits, start=1)],
    }


def _hit(rank: int, hit: "Hit", trace: "Trace", index: "Index") -> dict[str, Any]:
    passage = index.passage(hit.passage_id)
    return {
        "rank": rank,
        "id": passage.id,
        "document": passage.document_id,
        "title": passage.title,
        "text": passage.text,
        "score": hit.score,
        "parts": {part.name: part.value for part in hit.parts},
        "gold": not {passage.id, passage.document_id}.isdisjoint(trace.gold),
    }
