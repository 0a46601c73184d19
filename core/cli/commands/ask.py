"""The command that asks an index one question: ask."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from core.cli.answers import (
    answer_json,
    answer_of,
    evidence_of,
    need_answer,
    print_answer,
    print_own_answer,
)
from core.cli.build_budget import BudgetOption, BudgetTokensOption
from core.cli.commands.artefacts import build_first
from core.cli.common import (
    IndexOption,
    JsonFlag,
    check_place,
    console,
    note,
    open_workbench,
    plain,
    print_json,
    write_file,
)
from core.cli.model_calls import AskAgainFlag, need_decided, paying, say_price
from core.cli.tables import gold_json, hits_table
from core.errors import BudgetReached, InputError
from core.steps import own_answer, result

if TYPE_CHECKING:
    from core.answers import Answer, Evidence
    from core.artefacts.workbench import Workbench
    from core.marks import Gold
    from core.retrievers import Spec
    from core.store.index import Index
    from core.traces import Trace
    from core.types import Hit


RETRIEVER = "hoprag-coverage"
RetrieverOption = Annotated[
    str,
    typer.Option(
        metavar="SPEC",
        help="A retriever, with settings if needed, such as bm25(top_k=10). Run `retrievers` "
        "to list all.",
    ),
]


def ask(
    question: Annotated[str, typer.Argument(help="The question.")],
    index: IndexOption,
    retriever: RetrieverOption = RETRIEVER,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="A setting. Repeatable."),
    ] = None,
    top_k: Annotated[
        int | None, typer.Option(min=1, help="Number of passages to retrieve, 20 by default.")
    ] = None,
    hops: Annotated[
        int | None,
        typer.Option(min=1, help="Number of hops, 4 by default. Only for hoprag-… retrievers."),
    ] = None,
    amend: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CHOICE",
            help="Override a choice of the walk: take(EDGE@VERTEX), refuse(EDGE@VERTEX), "
            "judge(EDGE@VERTEX), judge(@VERTEX), start(PASSAGE) or skip(PASSAGE), with ids "
            "from a trace. Repeatable.",
        ),
    ] = None,
    trace: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.jsonl", help="Write all steps to a trace file that the app can play."
        ),
    ] = None,
    answer: Annotated[
        bool,
        typer.Option(
            "--answer",
            help="Answer from the passages with the model. Without a model, print the relevant "
            "sentences.",
        ),
    ] = False,
    budget: BudgetOption = None,
    budget_tokens: BudgetTokensOption = None,
    ask_again: AskAgainFlag = False,
    as_json: JsonFlag = False,
) -> None:
    """Ask a question and print the ranked passages, with gold marked."""
    from core.api.retrieving import recorded
    from core.artefacts.unmatched_questions import nothing_found, unmatched
    from core.artefacts.workbench import check_question
    from core.counterfactual import outcomes, parse
    from core.evaluation.outcomes import question_outcome
    from core.marks import gold_of
    from core.models.leave import Leave
    from core.models.legible import unread_question
    from core.models.money.budget import Budget
    from core.playback.decided import decided
    from core.playback.ending import empty_told
    from core.text.near_duplicates import repeats_told
    from core.traces import dump

    check_question(question)
    spec = _spec(retriever, set_ or [], top_k, hops)
    by_hand = parse(",".join(amend or []))
    allowed = Budget(budget, budget_tokens)
    check_place(trace)
    workbench = open_workbench(index).amended(by_hand)
    gold = gold_of(workbench.index, question)
    build_first(workbench, spec.needs)
    unread = unread_question(workbench.embedder.info.name, question)
    doubt = unread or unmatched(workbench, question, words_only=spec.words_only)
    if spec.card.retrieves and doubt:
        note(doubt)
    say_price(workbench, spec, [question], again=ask_again)
    stopped = None
    answered: tuple[Answer | None, Evidence | None] | None = None
    with paying(workbench, Leave("the command ask", ask_again), allowed) as workbench:
        kept = recorded(workbench, spec, question)
        if trace:
            write_file(trace, dump(kept))
        end = result(kept.steps)
        hits, gold = end.hits, kept.measured(gold)[1]
        try:
            answered = _answer_with_evidence(workbench, kept) if answer and hits else None
        except BudgetReached as error:  # what was found before is shown all the same
            stopped = error
    for each in outcomes(kept.steps):
        if each.why:
            note(f"{each.amendment}: {each.why}")
    model = decided(kept.steps)
    if as_json:
        said = answer_json(*answered) if answered else {}
        own = {"own_answer": own_answer(kept.steps)}
        print_json({**_as_json(kept, hits, workbench.index, gold), **own, **said})
    else:
        name = model.called(kept.retriever) if model.nothing else ""
        if hits:
            console().print(hits_table(hits, kept.passages, gold, name))
        if gold:
            ranked = [hit.passage_id for hit in hits]
            console().print(plain(str(question_outcome(gold, ranked))), soft_wrap=True)
        if model.turned_to:
            console().print(plain(str(model)), soft_wrap=True)
        if repeats := repeats_told(_texts(kept)):
            note(f"{repeats} The distinct retriever removes them.")
        if not hits:
            direction, words_only = spec.card.direction, spec.words_only
            cause = nothing_found(workbench.index, direction, words_only=words_only)
            note(empty_told(kept.steps, cause))
        print_own_answer(kept.retriever, kept.steps)
        if answered:
            print_answer(*answered)
    if stopped:
        raise stopped
    need_decided(kept.retriever, model)
    need_answer(answered[0] if answered else None)


def trace_of(question: str, index: str, retriever: str) -> "Trace":
    """Retrieve for a question and return its trace; models as in the command `ask`.

    Raises
    ------
    InputError : there is no such retriever or setting, or the question is empty.
    """
    from core.api.retrieving import recorded
    from core.artefacts.workbench import check_question
    from core.models.leave import Leave
    from core.models.money.budget import NO_BUDGET
    from core.playback.decided import decided
    from core.retrievers import Spec

    check_question(question)
    spec = Spec.parse(retriever)
    workbench = open_workbench(index)
    build_first(workbench, spec.needs)
    say_price(workbench, spec, [question])
    with paying(workbench, Leave("the command export"), NO_BUDGET) as workbench:
        trace = recorded(workbench, spec, question)
    need_decided(trace.retriever, decided(trace.steps))
    return trace


def _spec(text: str, changes: list[str], top_k: int | None, hops: int | None) -> "Spec":
    """Parse the retriever, then apply --set, --top-k and --hops to its settings."""
    from core.retrievers import Spec

    spec = Spec.parse(text)
    for change in changes:
        name, sign, value = change.partition("=")
        if not sign:
            raise InputError(f"--set {change[:40]!r} has no value. Use --set name=value.")
        spec = spec.with_settings(**{name.strip(): value.strip()})
    if top_k is not None:
        spec = spec.with_settings(top_k=top_k)
    if hops is None:
        return spec
    if "n_hop" not in spec.values:
        raise InputError(f"{spec} does not hop. Omit --hops, or use a hoprag-… retriever.")
    return spec.with_settings(n_hop=hops)


def _texts(trace: "Trace") -> list[str]:
    """Return title and text of each ranked passage, best first."""
    from core.steps import result
    from core.store.schema import passage_text

    passages = (trace.passages[hit.passage_id] for hit in result(trace.steps).hits)
    return [passage_text(each.title, each.text) for each in passages]


def _answer_with_evidence(
    workbench: "Workbench", trace: "Trace"
) -> "tuple[Answer | None, Evidence | None]":
    """Return the answer to the query of a trace, and its evidence."""
    from core.steps import result

    end = result(trace.steps)
    ranking = [trace.passages[hit.passage_id] for hit in end.hits]
    answer = answer_of(workbench, trace.query, ranking, end.findings)
    return answer, evidence_of(workbench, trace.query, ranking, answer)


def _as_json(
    trace: "Trace", hits: "tuple[Hit, ...]", index: "Index", gold: "Gold"
) -> dict[str, Any]:
    """Describe the retrieval for --json: costs, settings changed by hand, and ranked hits."""
    from core.counterfactual import outcomes
    from core.playback.account import account

    cost, by_hand = account(trace.steps), outcomes(trace.steps)
    return {
        "question": trace.query,
        "retriever": cost.model.called(trace.retriever),
        "index": str(index.path),
        **gold_json(gold),
        "seconds": cost.seconds,
        "embed_seconds": cost.embed_seconds,
        "model": cost.model.to_json(),
        "amendments": [asdict(each) | {"amendment": str(each.amendment)} for each in by_hand],
        "hits": [_hit_json(rank, hit, gold, trace) for rank, hit in enumerate(hits, start=1)],
    }


def _hit_json(rank: int, hit: "Hit", gold: "Gold", trace: "Trace") -> dict[str, Any]:
    """Describe one ranked passage, with its score parts and whether it is gold.

    A passage is gold by hand if somebody marked it in the app.
    """
    passage = trace.passages[hit.passage_id]
    return {
        "rank": rank,
        "id": passage.id,
        "document": passage.document_id,
        "title": passage.title,
        "text": passage.text,
        "score": hit.score,
        "parts": {part.name: part.value for part in hit.parts},
        "gold": gold.has(passage.id),
        "gold_by_hand": gold.has(passage.id) and gold.author_of(passage.id) == "hand",
    }
