"""The files that a session has chosen for a corpus: uploads, and paths on the server."""

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from secrets import token_hex
from typing import Protocol
from weakref import WeakSet

import streamlit as st

from core import jobs
from core.corpus.formats import ending_of, names
from core.corpus.server_paths import server_paths
from core.errors import StoreError
from core.library.uploads import sweep_uploads
from core.places import Place
from core.settings import make_folder, settings
from core.text.display.plurals import counted
from core.visitors.hosts import listens_beyond_loopback
from pages.components.shell import layout
from pages.components.shell.actions import permissions
from pages.components.shell.formatting import cropped
from pages.components.shell.visitors.uploads import release

_CHOSEN = "corpus_chosen"
_FOLDER = "corpus_folder"
_ROUND = "corpus_round"
_PATHS = "corpus_paths"
_USED = "corpus_used"
GOLD_NAMES = "corpus_gold_names"
"""Session key of the titles that were chosen for names in the gold of the files."""

_NAMED, _NAME = 3, 60  # files that are named, and characters of a name


@dataclass(frozen=True, slots=True)
class ChosenFile:
    """A file or folder on this machine, and what the user calls it."""

    path: Path
    name: str


class _Upload(Protocol):
    name: str

    def getbuffer(self) -> memoryview: ...


class _Held:
    """A session's folder of uploads, forgotten when the session ends."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        _open.add(self)


_open: WeakSet[_Held] = WeakSet()


@dataclass(frozen=True, slots=True)
class _Used:
    """The files that a job on `index` reads, and the titles chosen for names in their gold.

    `held` keeps the folder of uploads while the session is open. `is_aside` is true once the job
    has succeeded and its files are no longer chosen.
    """

    index: Place
    files: tuple[ChosenFile, ...]
    names: Mapping[str, str]
    held: _Held | None
    is_aside: bool = False


@st.cache_resource(ttl=3600, show_spinner=False)
def sweep() -> None:
    """Delete uploads of sessions that closed long ago; check at most once an hour."""
    live = {held.folder for held in list(_open)}
    sweep_uploads(settings().uploads, settings().indexes, live)


def chosen_files() -> tuple[ChosenFile, ...]:
    """Return the files that this session has chosen so far, in order."""
    files: tuple[ChosenFile, ...] = st.session_state.get(_CHOSEN, ())
    return files


def choose_files() -> None:
    """Draw the widgets that add files to those chosen."""
    if not settings().roots:
        _upload()
        return
    upload, server = st.tabs(["Upload", "Path on the server"])
    with upload:
        _upload()
    with server:
        _server()


def forget_files() -> None:
    """Clear the chosen files; uploads that a job reads stay on the disk."""
    held: _Held | None = st.session_state.pop(_FOLDER, None)
    if held and not st.session_state.get(_used_key(held.folder)):
        shutil.rmtree(held.folder, ignore_errors=True)
    st.session_state.pop(_CHOSEN, None)
    st.session_state.pop(GOLD_NAMES, None)


def keep_files(index: Place) -> None:
    """Keep the uploads when this session closes, because a job on `index` reads them."""
    held = st.session_state.get(_FOLDER)
    if held:
        st.session_state[_used_key(held.folder)] = True
    names = st.session_state.get(GOLD_NAMES, {})
    st.session_state[_USED] = _Used(index, chosen_files(), names, held)


def set_used_files_aside() -> None:
    """Remove the files that a job has put into an index from the chosen files.

    Chosen still, they would all be added again, with what was removed from the index since.
    """
    used: _Used | None = st.session_state.get(_USED)
    if used is None or used.is_aside or (state := jobs.state(used.index)) is None:
        return
    if state.status == "finished":
        left = tuple(each for each in chosen_files() if each not in used.files)
        st.session_state[_CHOSEN] = left
        st.session_state.pop(GOLD_NAMES, None)
        st.session_state.pop(_FOLDER, None)
        st.session_state[_USED] = replace(used, is_aside=True)


def show_used_files() -> None:
    """Say which files the last job used, and offer to choose them again."""
    used: _Used | None = st.session_state.get(_USED)
    if used is None or not used.is_aside:
        return
    many = counted(len(used.files), "file was", "files were")
    with st.container(horizontal=True, vertical_alignment="center", key="corpus_used_files"):
        st.caption(
            layout.literal(f"{many} used for {used.index.name}: {_listed_names(used.files)}")
        )
        st.button("Choose them again", key="corpus_choose_again", on_click=_restore_used_files)


def _restore_used_files() -> None:
    used: _Used = st.session_state.pop(_USED)
    st.session_state[_CHOSEN] = (*used.files, *chosen_files())
    st.session_state[GOLD_NAMES] = {**used.names, **st.session_state.get(GOLD_NAMES, {})}


def _listed_names(files: Sequence[ChosenFile]) -> str:
    names = ", ".join(cropped(each.name, _NAME) for each in files[:_NAMED])
    return f"{names}{', …' if len(files) > _NAMED else ''}"


def held_folder() -> Path:
    """Return the folder of this session's uploads, which is deleted when the session closes."""
    held: _Held = st.session_state.setdefault(_FOLDER, _Held(settings().uploads / token_hex(6)))
    return held.folder


def write_upload(upload: _Upload, path: Path) -> None:
    """Write an upload as the file `path`.

    Raises
    ------
    StoreError : the folder cannot be written.
    """
    try:
        make_folder(path.parent)
        path.write_bytes(upload.getbuffer())
    except OSError as error:
        raise StoreError(
            f"Could not save the uploads in {path.parent} ({error.strerror}). Free some space "
            "there, or set HOPRAG_HOME to another folder and restart the app."
        ) from error


def save_uploads(uploads: Sequence[_Upload], folder: Path, first: int) -> list[ChosenFile]:
    """Write uploads as `folder`/0007.jsonl and so on, numbered from `first`.

    Nothing of the name that the browser sent reaches the path but a known ending.

    Raises
    ------
    StoreError : the folder cannot be written.
    """
    saved = []
    for number, upload in enumerate(uploads, start=first):
        path = folder / f"{number:04d}{ending_of(upload.name)}"
        write_upload(upload, path)
        saved.append(ChosenFile(path, upload.name))
    return saved


def _upload() -> None:
    """Draw the upload field, under a new key after each upload so that it is empty again."""
    # Under a new key the widget is empty again.
    key = f"corpus_upload_{st.session_state.setdefault(_ROUND, 0)}"
    st.file_uploader(
        "Corpus files, and question files if you have any",
        accept_multiple_files=True,
        key=key,
        on_change=_take_uploads,
        args=(key,),
        help=f"{names()}.",
    )


def _take_uploads(key: str) -> None:
    """Store uploads in the session's folder and add them to the chosen files."""
    uploads = st.session_state[key]
    if not uploads:
        return
    before = chosen_files()
    with layout.mendable():
        permissions.need_editor()
        st.session_state[_CHOSEN] = (
            *before,
            *save_uploads(uploads, held_folder(), len(before) + 1),
        )
    release(uploads)
    st.session_state[_ROUND] += 1


def _server() -> None:
    """Draw the form that adds files by server path, unless other machines can reach this server."""
    if listens_beyond_loopback(st.get_option("server.address")):
        st.info(
            "Server paths are disabled, because other machines can reach this server. Start it "
            "with server.address = 127.0.0.1, or upload the files."
        )
        return
    with st.form("corpus_server", border=False):
        st.text_area(
            "Files or folders on the server, one per line",
            key=_PATHS,
            height=94,
            placeholder="\n".join(str(root) for root in settings().roots[:3]),
            help="Under " + ", ".join(layout.literal(str(root)) for root in settings().roots),
        )
        read = st.form_submit_button("Read them")
    if read:
        with layout.mendable():
            permissions.need_editor()
            paths = server_paths(st.session_state[_PATHS], settings().roots)
            known = {each.path for each in chosen_files()}
            fresh = [ChosenFile(path, path.name) for path in paths if path not in known]
            st.session_state[_CHOSEN] = (*chosen_files(), *fresh)
            st.rerun()


def _used_key(folder: Path) -> str:
    return f"corpus_used_{folder.name}"
