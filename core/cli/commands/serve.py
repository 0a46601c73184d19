"""Start the app from the command line."""

import os
import sys
from typing import Annotated

import typer

from core.settings import APP

Port = Annotated[
    int | None, typer.Option(min=0, max=65535, help="Port of the server; 8501 by default.")
]
Address = Annotated[
    str | None,
    typer.Option(
        help="Address to listen on. If other machines can reach it, visitors must sign in."
    ),
]


def app(port: Port = None, address: Address = None) -> None:
    """Start the app in this terminal; Ctrl-C stops it."""
    command = [sys.executable, "-m", "streamlit", "run", str(APP / "app.py")]
    options = {"port": port, "address": address}
    given = [f"--server.{name}={value}" for name, value in options.items() if value is not None]
    os.execv(sys.executable, [*command, *given])  # noqa: S606
