"""The command line: `hoprag`, or `python -m core`, with a command for each thing that it does.

Results go to standard output, progress and remarks to standard error. A mistake of the user ends
with one line and code 2, any other error that can be mended with 1, a budget that is used up with
3, Ctrl-C with 130.
"""

from core.cli.app import app
from core.cli.asking import ask
from core.cli.ceiling import ceiling
from core.cli.changing import add, build, remove
from core.cli.editing import edit
from core.cli.evaluating import evaluate
from core.cli.funnel import funnel
from core.cli.marking import gold
from core.cli.retrievers import retrievers
from core.cli.runs import runs
from core.cli.searching import search_settings
from core.cli.serving import app as serve
from core.cli.shelving import make, shelf
from core.cli.showing import export, info
from core.cli.spans import spans
from core.cli.studying import study

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
