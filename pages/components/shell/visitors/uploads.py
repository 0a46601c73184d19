"""Uploads by the sessions of this server: which are accepted, and when their memory is freed."""

import asyncio
import time
from collections.abc import Iterable, Sequence
from functools import cache

import streamlit as st
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit.runtime import Runtime, memory_uploaded_file_manager
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import (
    UploadedFile,
    UploadedFileRec,
    UploadFileUrlInfo,
)

from core.visitors.uploads import UploadLimits, Uploads
from pages.components.shell.streamlit_internals import missing, private

_AFFECTED = "upload limits and permissions are not enforced"


@cache
def uploads() -> Uploads:
    """Return the upload store of this process; a file may have `server.maxUploadSize` megabytes."""
    return Uploads(UploadLimits.of_file(st.get_option("server.maxUploadSize") * 2**20))


class IssuedFiles(MemoryUploadedFileManager):
    """Streamlit's uploaded files, under ids that `uploads` issues."""

    def get_upload_urls(
        self, session_id: str, file_names: Sequence[str]
    ) -> list[UploadFileUrlInfo]:
        """Return an upload URL with a fresh id for each file, as Streamlit requests them."""
        urls = (
            (file_id, f"{self.endpoint}/{session_id}/{file_id}")
            for file_id in uploads().issue(session_id, len(file_names))
        )
        return [UploadFileUrlInfo(file_id, url, url) for file_id, url in urls]

    def add_file(self, session_id: str, file: UploadedFileRec) -> None:
        if uploads().keep(session_id, file.file_id, len(file.data)):
            super().add_file(session_id, file)

    def remove_file(self, session_id: str, file_id: str) -> None:
        super().remove_file(session_id, file_id)
        uploads().release(session_id, file_id)

    def remove_session_files(self, session_id: str) -> None:
        super().remove_session_files(session_id)
        uploads().forget(session_id)


def _problem() -> str:
    """Return why the server must not start; empty if it keeps its uploads in `IssuedFiles`."""
    if isinstance(Runtime.instance().uploaded_file_mgr, IssuedFiles):
        return ""
    return missing(
        "streamlit.runtime.memory_uploaded_file_manager.MemoryUploadedFileManager that its server "
        "keeps uploads in",
        _AFFECTED,
    )


def issue_file_ids() -> None:
    """Make the server that is started next store its uploads in `IssuedFiles`.

    Raises
    ------
    UnsupportedStreamlit : this version of Streamlit lacks a name that this depends on.
    """
    private(memory_uploaded_file_manager, "MemoryUploadedFileManager", _AFFECTED)
    memory_uploaded_file_manager.MemoryUploadedFileManager = IssuedFiles  # type: ignore[misc]


class EndedSessions:
    """Ends sessions that have not come back in the time that Streamlit gives them.

    Streamlit itself drops them only when another session connects, and their uploads stay in
    memory until then.
    """

    def __init__(self, app: ASGIApp, *, seconds: float | None = None) -> None:
        self._app = app
        self._seconds = seconds
        self._away: dict[str, float] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan" and (problem := _problem()):
            await receive()
            await send({"type": "lifespan.startup.failed", "message": problem})
            return
        try:
            await self._app(scope, receive, send)
        finally:
            if scope["type"] == "websocket" and uploads().sessions_with_files():
                self._end_idle_sessions()
                after = self._grace() + 1
                asyncio.get_running_loop().call_later(after, self._end_idle_sessions)

    def _grace(self) -> float:
        told: float = st.get_option("server.disconnectedSessionTTL")
        return told if self._seconds is None else self._seconds

    def _end_idle_sessions(self) -> None:
        """End the sessions with files that are disconnected for long enough."""
        runtime, now = Runtime.instance(), time.monotonic()
        away = {one for one in uploads().sessions_with_files() if not _is_connected(one)}
        self._away = {one: self._away.get(one, now) for one in away}
        for session, since in list(self._away.items()):
            if now - since >= self._grace():
                runtime.close_session(session)
                # Of a session that Streamlit has dropped without ending it, the files are left.
                runtime.uploaded_file_mgr.remove_session_files(session)
                del self._away[session]


def _is_connected(session: str) -> bool:
    return Runtime.instance().is_active_session(session)


def release(files: Iterable[UploadedFile]) -> None:
    """Free the memory of this session's `files`, which have been read."""
    context = get_script_run_ctx()
    manager = context.uploaded_file_mgr if context else None
    if context and isinstance(manager, MemoryUploadedFileManager):
        for file in files:
            manager.remove_file(context.session_id, file.file_id)
