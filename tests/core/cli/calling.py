from collections.abc import Callable
from typing import Any

import typer
from click.testing import Result

from core.cli import app

Cli = Callable[..., Result]


def commands() -> dict[str, Any]:
    return dict(typer.main.get_command(app).commands)  # type: ignore[attr-defined]
