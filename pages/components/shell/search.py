"""Search over everything: a dialog that Ctrl-K or the button in the header opens."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from typing import Any

import streamlit as st
from typing_extensions import TypedDict

from core.bundles import bundle
from core.errors import HopRagError
from core.library.catalogue import Listed
from core.runs import Runs
from core.settings import ASSETS
from core.site_search import (
    Entry,
    Group,
    IndexTexts,
    IndexTitles,
    help_entries,
    index_entries,
    method_entries,
    run_entries,
    search,
    setting_entries,
)
from pages.components.shell import index_listing, nav, resources
from pages.components.shell.client_input.component_events import expect
from pages.components.shell.visitors.visitor import visitor

_KEY = "site_search"
_FOUND = "site_search_found"
_LONGEST = 200  # characters of what is typed
_MOST_OTHERS = 8
"""Other indexes that are searched, too, the newest."""
_MOST_PASSAGES = 20_000
"""Passages of such an index: its titles are read at the first search."""


class _Choice(TypedDict):
    text: str
    at: int


@st.fragment
def search_dialog() -> None:
    """Mount the button and its dialog, except in presenter mode."""
    if st.query_params.get("present") == "1":
        return
    text, groups = st.session_state.get(_FOUND, ("", ()))
    if not groups and not text:
        groups = search("", _pages(), visitor())
        st.session_state[_FOUND] = (text, groups)
    expect(_KEY, typed=str, go=_Choice)
    with st.container(key="hop_search"):
        result = _component()(
            key=_KEY,
            data={"text": text, "groups": _groups_json(groups), "scope": _scope()},
            on_typed_change=_search,
            on_go_change=lambda: None,
            height="content",
        )
    if result.go:
        _open_result(result.go)


def _search() -> None:
    """Search for the typed text, and store the results."""
    text = str(st.session_state[_KEY]["typed"] or "")[:_LONGEST]
    entries = index_listing.entries()
    finished = [entry for entry in entries if entry.meta]
    runs = [one for entry in finished for one in run_entries(entry.name, _runs(entry))]
    rest = [*help_entries(), *method_entries(), *setting_entries()]
    rest += index_entries(entry.name for entry in finished)
    texts = _texts(finished) if text.strip() else None
    others = _other_titles(finished) if text.strip() else ()
    found = search(text, [*_pages(), *runs, *rest], visitor(), texts, others)
    st.session_state[_FOUND] = (text, found)


def _runs(entry: Listed) -> Sequence[Any]:
    """Return the runs of an index, none if they cannot be read: its own page says why."""
    try:
        return Runs(entry.path).all()
    except HopRagError:
        return ()


def _texts(finished: Sequence[Listed]) -> IndexTexts | None:
    """Return the texts of the current index; None if it cannot be opened."""
    entry = _current(finished)
    if entry is None or entry.meta is None:
        return None
    try:
        bench = resources.workbench(entry)
    except HopRagError:
        return None
    return _prepared(str(entry.path), entry.meta.finished_at, bench)


def _current(finished: Sequence[Listed]) -> Listed | None:
    """Return the current index, or else the first one."""
    name = resources.index_name()
    return next((one for one in finished if name in (one.name, None)), None)


def _is_small(entry: Listed) -> bool:
    return bool(entry.meta and entry.meta.counts.vertices <= _MOST_PASSAGES)


def _other_titles(finished: Sequence[Listed]) -> list[IndexTitles]:
    """Return the titles of the other indexes that are small enough and can be opened."""
    current, found = _current(finished), []
    others = [one for one in finished if one != current and _is_small(one)]
    for entry in others[:_MOST_OTHERS]:
        finished_at = entry.meta.finished_at if entry.meta else ""
        with suppress(HopRagError):
            found.append(_titles(str(entry.path), finished_at, entry))
    return found


@st.cache_resource(show_spinner=False, max_entries=2 * _MOST_OTHERS)
def _titles(path: str, finished_at: str, _entry: Listed) -> IndexTitles:  # noqa: ARG001
    return IndexTitles.at(_entry.path, _entry.meta)


def _scope() -> str:
    """Return which index is searched whole, in words; empty if there is none."""
    try:
        current = _current([one for one in index_listing.entries() if one.meta])
    except HopRagError:  # the page says why
        return ""
    if not current:
        return ""
    return f"Passages of index '{current.name}' are searched whole, those of others by title."


@st.cache_resource(show_spinner=False, max_entries=3)
def _prepared(path: str, finished_at: str, _bench: Any) -> IndexTexts:  # noqa: ARG001
    return IndexTexts(_bench)


def _pages() -> list[Entry]:
    """Return a search entry for each page."""
    return [
        Entry("page", title, (), name, editors_only=name in nav.EDITORS_ONLY)
        for name, title in nav.TITLES.items()
    ]


def _groups_json(groups: Sequence[Group]) -> list[dict[str, Any]]:
    """Convert the groups of search results to JSON values for the browser."""
    return [
        {
            "title": group.title,
            "entries": [{"title": one.title, "detail": _detail(one)} for one in group.entries],
        }
        for group in groups
    ]


def _detail(entry: Entry) -> list[tuple[str, bool]]:
    """Return the second line of an entry; it begins with the index if it leads to another one."""
    index = entry.params.get("index")
    if entry.kind not in ("question", "passage") or index == resources.index_name():
        return list(entry.detail)
    return [(f"in index {index}" + (" · " if entry.detail else ""), False), *entry.detail]


def _open_result(choice: _Choice) -> None:
    """Open the chosen entry, if it is one of those that were shown last."""
    text, groups = st.session_state.get(_FOUND, ("", ()))
    shown = [one for group in groups for one in group.entries]
    if choice["text"] != text or not 0 <= choice["at"] < len(shown):
        return
    entry = shown[choice["at"]]
    del st.session_state[_FOUND]
    index = entry.params.get("index") or resources.index_name() or ""
    if index:
        resources.select_index(index)
    nav.go(entry.page, **{"index": index, **entry.params})


@cache
def _component() -> Callable[..., Any]:
    """Return the search component from its HTML, style sheet and script."""
    folder = ASSETS / "search"
    html, css = (
        (folder / f"search.{kind}").read_text(encoding="utf-8") for kind in ("html", "css")
    )
    script = bundle("search/search_dialog")
    return st.components.v2.component("hop_search", html=html, css=css, js=script)
