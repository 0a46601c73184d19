"""File uploads: the ids issued to each session, and the bytes stored for each visitor.

The server keeps uploaded files in memory, so every byte is counted while it arrives. An upload is
accepted only under an id that a page issued to the session, from the browser that the session
belongs to, and only once.
"""

from collections import Counter, OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from secrets import token_hex
from threading import RLock

MOST_SESSIONS = 10_000
MOST_FILES = 10_000
"""Files that a session may hold or have asked for; older ids that were not used expire."""
_SESSION_FACTOR, _PERSON_FACTOR = 3, 5


class UploadRefused(Exception):
    """An upload that is not accepted.

    Parameters
    ----------
    status : the HTTP status of the response.
    reason : what happened and what to do, for the person who uploads.
    """

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason


@dataclass(frozen=True, slots=True)
class UploadLimits:
    """The most bytes of one file, and of all files of a session and of a person."""

    file: int
    session: int
    person: int

    @classmethod
    def of_file(cls, size: int) -> "UploadLimits":
        """Return the limits if one file may have `size` bytes."""
        return cls(size, _SESSION_FACTOR * size, _PERSON_FACTOR * size)


@dataclass(slots=True)
class _Session:
    """A session: its visitor, and the files it has or has requested."""

    person: str
    may_upload: bool
    credential: str
    issued: OrderedDict[str, None] = field(default_factory=OrderedDict)
    held: dict[str, int] = field(default_factory=dict)
    total: int = 0


class Uploads:
    """The uploads of all sessions of a server. Safe to share between threads.

    Parameters
    ----------
    limits : bytes of a file, a session and a person. People who are not told apart are one person.
    """

    def __init__(self, limits: UploadLimits) -> None:
        self.limits = limits
        self._sessions: OrderedDict[str, _Session] = OrderedDict()
        self._totals: Counter[str] = Counter()  # bytes by person
        self._lock = RLock()

    def admit(
        self, session: str, person: str = "", *, may_upload: bool, credential: str = ""
    ) -> None:
        """Record that `session` belongs to `person`.

        Parameters
        ----------
        credential : what the requests of that person's browser carry: the name that a proxy sends,
            or the cookie of the sign-in. Empty where visitors are not told apart.
        """
        with self._lock:
            known = self._sessions.get(session)
            if known is None or (known.person, known.credential) != (person, credential):
                files = dict(known.held) if known else {}
                self.forget(session)
                known = self._sessions[session] = _Session(person, may_upload, credential)
                for file_id, size in files.items():
                    self._set(known, file_id, size)
            known.may_upload = may_upload
            self._sessions.move_to_end(session)
            self._forget_oldest()

    def belongs_to_another(self, session: str, credential: str) -> bool:
        """Return whether `session` is known and its visitor does not have `credential`."""
        with self._lock:
            known = self._sessions.get(session)
            return known is not None and known.credential != credential

    def issue(self, session: str, count: int) -> Sequence[str]:
        """Return up to `count` new file ids; none for a session that may not upload."""
        with self._lock:
            known = self._sessions.get(session)
            if known is None or not known.may_upload:
                return ()
            ids = [token_hex(16) for _ in range(min(count, MOST_FILES - len(known.held)))]
            known.issued.update(dict.fromkeys(ids))
            while len(known.issued) > MOST_FILES:
                known.issued.popitem(last=False)
            return ids

    def check_session(self, session: str, credential: str) -> None:
        """Raise UploadRefused unless `session` may upload and has `credential`."""
        with self._lock:
            self._own_session(session, credential)

    def begin(
        self, session: str, file_id: str, credential: str = "", length: int | None = None
    ) -> "Upload":
        """Begin to receive a file of `length` bytes, None where the request does not say.

        Raises
        ------
        UploadRefused : the session may not upload, the id was not issued to it, or the file would
            pass a limit.
        """
        with self._lock:
            known = self._own_session(session, credential)
            if file_id not in known.issued:
                raise UploadRefused(
                    403,
                    "This upload is not expected here, or is already complete. Reload the "
                    "page and choose the file again.",
                )
            self._check_room(known, length or 0, length or 0)
            if len(known.held) >= MOST_FILES:
                raise UploadRefused(
                    413, f"A page accepts at most {MOST_FILES:,} files. Upload them as a zip file."
                )
            del known.issued[file_id]
            self._set(known, file_id, 0)
            return Upload(self, session, file_id)

    def held(self, session: str) -> int:
        """Return the bytes of the files of `session`."""
        with self._lock:
            known = self._sessions.get(session)
            return known.total if known else 0

    def sessions_with_files(self) -> Sequence[str]:
        """Return the ids of the sessions that have files."""
        with self._lock:
            return [name for name, known in self._sessions.items() if known.held]

    def keep(self, session: str, file_id: str, size: int) -> bool:
        """Record the size of a received file, without its multipart framing.

        Returns whether it may be stored: not if its session has ended meanwhile.
        """
        with self._lock:
            known = self._sessions.get(session)
            if known is None or file_id not in known.held:
                return False
            self._set(known, file_id, size)
            return True

    def release(self, session: str, file_id: str) -> None:
        """Record that a file is no longer held."""
        with self._lock:
            if known := self._sessions.get(session):
                self._set(known, file_id, None)

    def forget(self, session: str) -> None:
        """Record that a session has ended: its ids are void and it has no files."""
        with self._lock:
            if known := self._sessions.pop(session, None):
                self._totals[known.person] -= known.total

    def _add_bytes(self, session: str, file_id: str, count: int) -> None:
        """Add `count` received bytes to a file, if the limits allow it."""
        with self._lock:
            known = self._sessions.get(session)
            if known is None or file_id not in known.held:
                raise UploadRefused(403, "This upload session has expired. Reload the page.")
            self._check_room(known, known.held[file_id] + count, count)
            self._set(known, file_id, known.held[file_id] + count)

    def _return(self, session: str, file_id: str) -> None:
        """Make the id of an upload that failed valid again."""
        with self._lock:
            known = self._sessions.get(session)
            if known and file_id in known.held:
                self._set(known, file_id, None)
                known.issued[file_id] = None

    def _own_session(self, session: str, credential: str) -> _Session:
        """Return the session of `credential`; UploadRefused if it is not, or may not upload."""
        known = self._sessions.get(session)
        if known is None or known.credential != credential:
            raise UploadRefused(
                403, "This session is not yours, or it has ended. Sign in and reload the page."
            )
        if not known.may_upload:
            raise UploadRefused(403, "Only editors of this server may upload files.")
        return known

    def _check_room(self, known: _Session, file: int, more: int) -> None:
        """Raise UploadRefused if a file of `file` bytes, `more` of them new, passes a limit."""
        limits = self.limits
        remedy = "Remove earlier uploads, or close other tabs."
        for size, limit, message in (
            (file, limits.file, "A file may be at most {}. Split it."),
            (
                known.total + more,
                limits.session,
                f"A session may have at most {{}} of uploads. {remedy}",
            ),
            (
                self._totals[known.person] + more,
                limits.person,
                f"A person may have at most {{}} of uploads. {remedy}",
            ),
        ):
            if size > limit:
                raise UploadRefused(413, message.format(_in_units(limit)))

    def _set(self, known: _Session, file_id: str, size: int | None) -> None:
        """Record that a file has `size` bytes; None: that it is gone."""
        change = (size or 0) - known.held.pop(file_id, 0)
        if size is not None:
            known.held[file_id] = size
        known.total += change
        self._totals[known.person] += change

    def _forget_oldest(self) -> None:
        """Forget the least recently seen sessions without files."""
        if len(self._sessions) > MOST_SESSIONS:
            empty = [name for name, known in self._sessions.items() if not known.held]
            for name in empty[: len(self._sessions) - MOST_SESSIONS]:
                del self._sessions[name]


def _in_units(size: int) -> str:
    """Format a number of bytes in the largest unit that fits, as Streamlit does.

    >>> _in_units(200 * 2**20), _in_units(1536), _in_units(99)
    ('200 MB', '1.5 kB', '99 bytes')
    """
    for unit, power in (("GB", 30), ("MB", 20), ("kB", 10)):
        if size >= 2**power:
            return f"{size / 2**power:,.4g} {unit}"
    return f"{size:,} byte{'s' * (size != 1)}"


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that is being received."""

    _uploads: Uploads
    _session: str
    _file_id: str

    def receive(self, count: int) -> None:
        """Count `count` further bytes; UploadRefused if they pass a limit."""
        self._uploads._add_bytes(self._session, self._file_id, count)

    def fail(self) -> None:
        """Record that the file was not stored; its id may be used again."""
        self._uploads._return(self._session, self._file_id)
