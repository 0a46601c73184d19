"""The picture of each retriever, of its walkthrough of a question of the sample.

`python -m core.shipping.method_pictures` draws them anew, by `assets/scripts/pictures.js`,
which needs node. They are shipped as data, so that a page with all of them shows at once.
"""

import json
import re
import shutil
import subprocess
from base64 import b64encode
from functools import cache
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.etree import ElementTree

from core import colours
from core.artefacts.workbench import Workbench
from core.marks import gold_of
from core.models.embedder import load_embedder
from core.models.kept.replies import Replies
from core.models.llm import Llm
from core.models.oracle import Oracle
from core.models.rehearsal import Rehearsal
from core.progress import Progress
from core.retrievers import Spec, make
from core.retrievers.registry import built_in
from core.settings import ASSETS, BUNDLED_EMBEDDER, Endpoint
from core.shipping import sample
from core.store.index import Index
from core.tour import shipped_tour
from core.traces import record
from core.walkthroughs.contract import WalkthroughData
from core.walkthroughs.making import make_walkthrough

FOLDER = ASSETS / "methods" / "pictures"
_DRAWING = ASSETS / "scripts" / "pictures.js"


@cache
def picture(key: str) -> str:
    """Return the picture of a retriever as an HTML element; empty for a custom one.

    Its colours follow the `color-scheme` of the page. It is an image, as Streamlit drops SVG from
    HTML.
    """
    if key not in built_in():
        return ""
    drawn = (FOLDER / f"{key}.svg").read_text(encoding="utf-8")
    start, _, rest = drawn.partition(">")
    source = b64encode(f"{start}><style>{_style()}</style>{rest}".encode()).decode("ascii")
    label = ElementTree.fromstring(drawn).get("aria-label", "")  # noqa: S314 (our own file)
    return (
        f"<img class='hop-picture' src='data:image/svg+xml;base64,{source}' alt='{escape(label)}'>"
    )


@cache
def _style() -> str:
    """Return the style sheet of a picture, with the colours that it names."""
    rules = (ASSETS / "methods" / "picture.css").read_text(encoding="utf-8")
    ink = f"{colours.INK.light}, {colours.INK.dark}"
    named = {**colours.LETTERS, **colours.FILLS}
    return re.sub(
        r"var\(--hop-([\w-]+)\)",
        lambda found: f"light-dark({named[found[1]].light}, {named[found[1]].dark})",
        rules.replace("INK", ink),
    )


@cache
def pictured_question() -> str:
    """Return the question that all pictures show, which is that of the tour."""
    question: str = json.loads(shipped_tour())["walkthroughs"][0]["query"]
    return question


def walkthrough_for(key: str, workbench: Workbench, replies: Path) -> WalkthroughData:
    """Return the walkthrough of the tour's question that the picture of a retriever shows.

    Of what asks a language model nothing is asked: likely replies stand for those of a model.

    Parameters
    ----------
    replies : an empty folder.
    """
    question = pictured_question()
    spec, index = Spec(key), workbench.index
    if spec.needs_model:
        asked = Oracle(Llm(Endpoint("none")), Replies(replies))
        workbench = workbench.with_oracle(Rehearsal(asked, likely=True))
    trace = record(make(spec, workbench), question, index)
    return make_walkthrough(trace, gold_of(index, question), index)


def draw() -> None:
    """Draw the pictures of all retrievers."""
    embedder = load_embedder(BUNDLED_EMBEDDER)
    with TemporaryDirectory() as folder:
        sample.install(Path(folder), BUNDLED_EMBEDDER)
        index = Index.open(Path(folder) / sample.NAME, embedder.info)
        bench = Workbench(index, embedder, making=_nobody)
        drawn = {key: walkthrough_for(key, bench, Path(folder) / "replies") for key in built_in()}
    FOLDER.mkdir(exist_ok=True)
    subprocess.run(
        [shutil.which("node") or "node", str(_DRAWING), str(FOLDER)],
        input=json.dumps(drawn),
        text=True,
        check=True,
    )


def _nobody(progress: Progress) -> None:
    """Ignore the progress."""


if __name__ == "__main__":
    draw()
