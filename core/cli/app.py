"""The command group of the program, and how it prints errors."""

import sys
from typing import Any

import typer
from typer.core import TyperGroup

from core.errors import BudgetReached, Cancelled, HopRagError, InputError


class _Group(TyperGroup):
    """A command group that prints a HopRagError as one line and exits with its code."""

    def invoke(self, ctx: Any) -> Any:
        """Run a command; turn our own errors and Ctrl-C into a message and an exit code."""
        try:
            return super().invoke(ctx)
        except HopRagError as error:
            sys.stderr.write(f"Error: {' '.join(str(error).split())}\n")
            raise typer.Exit(_exit_code(error)) from error
        except KeyboardInterrupt as error:
            sys.stderr.write(
                "Stopped. The model's replies are cached: run the same command again to resume.\n"
            )
            raise typer.Exit(130) from error


def _exit_code(error: HopRagError) -> int:
    """Choose the exit code: 2 bad input, 3 budget reached, 130 cancelled, 1 any other error."""
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
