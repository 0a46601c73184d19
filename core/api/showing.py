"""A retrieval as a walkthrough and a corpus as a map, in a notebook or as a file."""

from dataclasses import dataclass, field
from html import escape
from pathlib import Path

from core.api.opening import OpenIndex
from core.api.progress import progress_bars
from core.api.retrieving import Hits
from core.funnel.lists import Lists
from core.maps.export import to_html
from core.maps.map_data import MapData, map_data
from core.maps.messages import Said
from core.maps.regions import CorpusMap
from core.maps.stored import map_of
from core.marks import Gold
from core.progress import Progress, Report
from core.store.index import Index
from core.traces import Trace
from core.walkthroughs.contract import WalkthroughData
from core.walkthroughs.making import make_walkthrough, with_fix
from core.walkthroughs.story import Framing, story


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
        """Return the page in a sandboxed frame, as notebooks display it."""
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
    return Page(story(walkthrough_data(hits)))


def walkthrough_data(hits: Hits, gold: Gold | None = None) -> WalkthroughData:
    """Return the drawing data of `walkthrough`.

    Parameters
    ----------
    gold : what is gold now; that of the trace if left out.
    """
    bench = hits.opened.workbench
    return make_walkthrough(hits.trace, gold, bench.index, Lists(bench))


def story_of(
    trace: Trace,
    gold: Gold | None = None,
    index: Index | None = None,
    lists: Lists | None = None,
    *,
    fix: str = "",
    framing: Framing | None = None,
) -> bytes:
    """Return the page that plays a trace, which may come from a file without its index.

    Parameters
    ----------
    gold, index, lists : as of `core.walkthroughs.making.make_walkthrough`.
    fix : the smallest change that retrieves what was missed, for the last stop.
    """
    return story(with_fix(make_walkthrough(trace, gold, index, lists), fix), framing or Framing())


def corpus_map(index: OpenIndex) -> Page:
    """Return the map of a corpus: communities of passages as named regions, zoomable to passages.

    It is computed once for each version of the index and kept with it.
    """
    with progress_bars() as bars:
        task = bars.add_task("Drawing the map", visible=False)

        def told(progress: Progress) -> None:
            bars.update(task, completed=progress.done, total=progress.total, visible=True)

        _, data = drawn_map(index, told)
    return Page(map_page(index.index, data))


def drawn_map(index: OpenIndex, told: Report, *, keep: bool = True) -> tuple[CorpusMap, MapData]:
    """Return the map of a corpus, and what is drawn of it.

    Parameters
    ----------
    keep : keep a map that is computed now with the index.
    """
    made = map_of(index.workbench, told, keep=keep)
    return made, map_data(index.index, made)


def map_page(index: Index, data: MapData, said: Said | None = None) -> bytes:
    """Return the page that shows a map.

    Parameters
    ----------
    said : what is chosen, filtered and coloured on it.
    """
    texts = [one.text for one in index.passages] if "title" in data["units"] else []
    return to_html(data, f"{index.name} · map", texts, said)
