"""The browser's half of the graph drawing, registered with Streamlit; it is in `assets/graph`.

The library that draws is vis-network, the file in PyVis' wheel.
"""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pyvis
import streamlit as st

from core.settings import ASSETS

HTML = """
<section class="hop" aria-label="Graph">
  <div class="hop-canvas" role="img"></div>
  <div class="hop-hint" hidden>Click the graph or hold Ctrl to zoom</div>
  <div class="hop-foot">
    <div class="hop-legend" role="group" aria-label="Legend: press an entry to pick it out"></div>
    <div class="hop-tools" role="toolbar" aria-label="Graph tools"></div>
  </div>
  <div class="hop-tip" role="tooltip" hidden></div>
</section>
"""
SCRIPTS = ("shapes.js", "looks.js", "labels.js", "panel.js", "network.js", "frame.js", "graph.js")


@cache
def components() -> tuple[Callable[..., Any], Callable[..., Any]]:
    """The two registered components. The library goes with the structure only (500 KB)."""
    folder = ASSETS / "graph"
    library = Path(pyvis.__file__).parent / "templates" / "lib" / "vis-9.1.2" / "vis-network.min.js"
    scripts = [library, *(folder / name for name in SCRIPTS)]
    structure = st.components.v2.component(
        "hop_graph",
        html=HTML,
        css=(folder / "graph.css").read_text(encoding="utf-8"),
        js="\n".join(path.read_text(encoding="utf-8") for path in scripts),
    )
    painter = st.components.v2.component(
        "hop_graph_painter", js=(folder / "painter.js").read_text(encoding="utf-8")
    )
    return structure, painter
