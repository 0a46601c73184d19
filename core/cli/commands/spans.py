"""Commands that receive and save OpenTelemetry spans of pipelines: spans serve, spans save."""

import json
import secrets
from pathlib import Path
from typing import Annotated

import typer

from core.cli.common import check_place, note, write_file

spans = typer.Typer(
    help="Receive spans from your own pipeline, to open on Trace or import into runs.",
    no_args_is_help=True,
)


@spans.command()
def serve(
    port: Annotated[int, typer.Option(min=1, max=65535, help="Port on 127.0.0.1.")] = 4318,
    token: Annotated[
        str,
        typer.Option(
            envvar="HOPRAG_SPANS_TOKEN",
            help="Bearer token that pipelines send. Omit it to generate a new one.",
        ),
    ] = "",
) -> None:
    """Receive OTLP over HTTP on the loopback address until Ctrl-C. Trace lists received spans.

    Set OTEL_EXPORTER_OTLP_TRACES_ENDPOINT and OTEL_EXPORTER_OTLP_HEADERS where the pipeline runs.
    """
    from core.settings import make_folder, settings
    from core.spans.received import Received
    from core.spans.server import HOST, PATH
    from core.spans.server import serve as accept

    home, given = settings().home, token or secrets.token_urlsafe(24)
    make_folder(home)
    note(f"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=http://{HOST}:{port}{PATH}")
    if not token:
        note(f"OTEL_EXPORTER_OTLP_HEADERS=authorization=Bearer%20{given}")
    accept(Received(home), given, port)


@spans.command()
def save(
    out: Annotated[Path, typer.Argument(metavar="OUT.jsonl", help="The file to write.")],
) -> None:
    """Write the received spans as OTLP JSON Lines, which `runs import` reads."""
    from core.settings import settings
    from core.spans.received import Received

    check_place(out)
    lines = [json.dumps(one) + "\n" for one in Received(settings().home).requests()]
    write_file(out, "".join(lines).encode())
    note(f"Wrote {len(lines):,} requests to {out}.")
