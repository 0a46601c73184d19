"""Model calls of a command: forecast before, metered during, and reported after."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli.common import note
from core.errors import LlmError
from core.settings import settings

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from core.artefacts.workbench import Workbench
    from core.models.leave import Leave
    from core.models.money.budget import Budget
    from core.playback.decided import Decided
    from core.retrievers import Spec

AskAgainFlag = Annotated[
    bool,
    typer.Option(
        "--ask-again",
        help="Call the model again where its earlier replies were unusable.",
    ),
]
_MEND = (
    "Fix the problem and run the command again. Usable replies are cached. --ask-again also "
    "retries unusable replies."
)


@contextmanager
def paying(workbench: "Workbench", leave: "Leave", budget: "Budget") -> "Iterator[Workbench]":
    """Provide the workbench with its model metered by `leave` and `budget`.

    At the end, the cost is printed even after an error.

    Raises
    ------
    InputError : the budget is money and no price is known.
    """
    from core.jobs.maker import metered

    endpoint = settings().endpoint
    if workbench.oracle is None or endpoint is None:
        yield workbench
        return
    oracle, meter = metered(workbench.index.path, endpoint, leave, budget)
    try:
        yield workbench.with_oracle(oracle)
    finally:
        if meter.spending.calls:
            note(f"Cost: {meter.spending}.")


def say_price(
    workbench: "Workbench",
    spec: "Spec",
    questions: "Sequence[str]",
    *,
    again: bool = False,
    answered: "Collection[str]" = (),
    judge: bool = False,
) -> None:
    """Print how many model calls `questions` will need, before any is made.

    Parameters
    ----------
    answered : the questions that the model also answers; with `judge`, it also judges the
        answers.
    """
    from core.retrievers import make
    from core.retrievers.cost_forecast import forecast_all
    from core.runs.answers import AnsweringRetriever

    retriever, prices = make(spec, workbench), settings().prices
    if answered:
        retriever = AnsweringRetriever(retriever, workbench, frozenset(answered), judge)
    calls = forecast_all([retriever], questions[:1], prices, again=again)
    # A retriever without model calls for the first question makes none, and rehearsing takes time.
    if calls.asks or answered:
        calls = forecast_all([retriever], questions, prices, again=again)
    if not workbench.oracle and spec.asks_model:
        note(f"No language model for {spec}: it uses rules. {spec.substitute}")
    if not calls.asks or not workbench.oracle:
        return
    model = workbench.oracle.named if answered else workbench.oracle.llm.model
    asked = f"{spec} and its answers" if answered else str(spec)
    of_all = "" if len(questions) == 1 else f" for {len(questions):,} questions"
    note(f"{asked} by {model}{of_all}: {calls}." if of_all else f"{model}: {calls}.")


def need_decided(name: str, model: "Decided") -> None:
    """Raise LlmError if the model made none of the decisions that `name` relies on."""
    if model.nothing:
        reason = model.why[0][0]
        raise LlmError(
            f"This is not a result of {name}: the model made no decision. {reason} {_MEND}"
        )
