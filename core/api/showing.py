"""A retrieval as a walkthrough and a corpus as a map, in a notebook or as a file."""

from dataclasses import dataclass, field
from html import escape
from pathlib import Path

from core.api.opening import OpenIndex
from core.api.progress import progress_bars
from core.api.retrieving import Hits
from core.funnel.lists import Lists
from core.maps.export import to_html
from core.maps.map_data import map_data
from core.maps.stored import map_of
from core.progress import Progress
from core.walkthroughs.making import make_walkthrough
from core.walkthroughs.story import story


@dataclass(frozen=True, slots=True)
class Page:
    """An interactive page that needs no server and no network.

    Parameters
    ----------
    html : the page in UTF-8.
    height : its height in a notebook, in pixels.
    """

    html: bytes = field(repr=False)
    height: int = 720

    def _repr_html_(self) -> str:
        # The page keeps its own origin, so that a text in it cannot reach the notebook.
        page = escape(self.html.decode("utf-8"), quote=True)
        return (
            f'<iframe srcdoc="{page}" sandbox="allow-scripts allow-downloads" '
            f'style="width: 100%; height: {self.height}px; border: 0"></iframe>'
        )

    def save(self, path: str | Path) -> None:
        """Write the page to a file.

        Raises
        ------
        OSError : it cannot be written.
        """
        Path(path).write_bytes(self.html)


def walkthrough(hits: Hits) -> Page:
    """Return the walkthrough of a retrieval: every step, with the text that was followed and why.

    It plays with the arrow keys and ends with the evidence chain.
    """
    bench = hits.opened.workbench
    return Page(story(make_walkthrough(hits.trace, index=bench.index, lists=Lists(bench))))


def corpus_map(index: OpenIndex) -> Page:
    """Return the map of a corpus: communities of passages as named regions, zoomable to passages.

    It is computed once for each version of the index and kept with it.
    """
    with progress_bars() as bars:
        task = bars.add_task("Drawing the map", visible=False)

        def told(progress: Progress) -> None:
            bars.update(task, completed=progress.done, total=progress.total, visible=True)

        made = map_of(index.workbench, told, keep=True)
    data = map_data(index.index, made)
    texts = [one.text for one in index.index.passages] if "title" in data["units"] else []
    return Page(to_html(data, f"{index.name} · map", texts))
