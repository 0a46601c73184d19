"""The map of the current index: stored with it, or computed when it is first opened."""

import json
from dataclasses import dataclass
from hashlib import sha256

import streamlit as st

from core import OpenIndex
from core.api.showing import drawn_map
from core.artefacts.workbench import Workbench
from core.maps.map_data import MapData
from core.maps.pyvis_network import network_data
from core.maps.regions import CorpusMap
from core.progress import Progress
from pages.components.shell.visitors.visitor import visitor


@dataclass(frozen=True, slots=True, eq=False)
class OpenMap:
    """A map with its drawing data, as Python data and as JSON; `version` covers both."""

    made: CorpusMap
    data: MapData
    drawn: str
    version: str

    @property
    def openable(self) -> bool:
        """Return whether passages are drawn, not only regions."""
        return "title" in self.data["units"]


def open_map(bench: Workbench) -> OpenMap:
    """Return the map of an index, computed once for all sessions."""
    index = bench.index
    version = f"{index.path} {index.meta.finished_at}"
    many = f"{len(index.ids):,}"
    with st.spinner(f"Drawing the map of {many} passages. This happens once per index."):
        return _load_map(bench, version, visitor().may_edit)


@st.cache_resource(max_entries=6, show_spinner=False)
def _load_map(_bench: Workbench, version: str, keep: bool) -> OpenMap:
    """Compute or load the map, and serialise it once for all sessions."""
    made, data = drawn_map(OpenIndex(_bench), _ignore_progress, keep=keep)
    drawn = json.dumps({**data, "network": network_data(data)}, separators=(",", ":"))
    # The path of an index is not for everybody's browser.
    return OpenMap(made, data, drawn, sha256(version.encode()).hexdigest()[:16])


def _ignore_progress(_: Progress) -> None:
    """Ignore progress, since a spinner shows the activity."""
