"""The group of commands, and how their errors look."""

import sys
from typing import Any

import typer
from typer.core import TyperGroup

from core.errors import BudgetReached, Cancelled, HopRagError, InputError


class _Group(TyperGroup):
    """Shows an error that the user can mend as one line, without a traceback."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except HopRagError as error:
            sys.stderr.write(f"Error: {' '.join(str(error).split())}\n")
            raise typer.Exit(_code(error)) from error
        except KeyboardInterrupt as error:
            sys.stderr.write(
                "Stopped. The model's replies are cached: run the same command again to resume.\n"
            )
            raise typer.Exit(130) from error


def _code(error: HopRagError) -> int:
    if isinstance(error, InputError):
        return 2
    if isinstance(error, BudgetReached):
        return 3
    return 130 if isinstance(error, Cancelled) else 1


app = typer.Typer(
    cls=_Group,
    help="Build a HopRAG index from documents, query it, and evaluate retrievers.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
