"""The command line `hoprag`, also run as `python -m core`, with one module per command.

Results go to standard output, progress and remarks to standard error. A mistake of the user ends
with one line and code 2, any other expected error with 1, a budget that is used up with
3, Ctrl-C with 130.
"""

from core.cli.app import app
from core.cli.commands.artefacts import make, shelf
from core.cli.commands.ask import ask
from core.cli.commands.build import add, build, remove
from core.cli.commands.ceiling import ceiling
from core.cli.commands.edit import edit
from core.cli.commands.evaluate import evaluate
from core.cli.commands.funnel import funnel
from core.cli.commands.gold import gold
from core.cli.commands.info_and_export import export, info
from core.cli.commands.retrievers import retrievers
from core.cli.commands.runs import runs
from core.cli.commands.search_settings import search_settings
from core.cli.commands.serve import app as serve
from core.cli.commands.spans import spans
from core.cli.commands.study import study

for command in (
    build,
    add,
    remove,
    edit,
    make,
    shelf,
    ask,
    evaluate,
    search_settings,
    study,
    ceiling,
    funnel,
    retrievers,
    gold,
    export,
    info,
):
    app.command()(command)
app.command("app")(serve)
app.add_typer(runs, name="runs")
app.add_typer(spans, name="spans")

__all__ = ["app"]
