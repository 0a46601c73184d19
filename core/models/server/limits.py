"""How a server is told the limit on replies, and whether it respects the limit.

Servers know the limit as `max_tokens` or as `max_completion_tokens`. Some reject the name that they
do not know, and some ignore it: Ollama reads `max_tokens` only. The behaviour of a server is learnt
from its replies, by the connection test at the latest, and stored in the home folder for all
processes.
"""

import json
import os
import threading
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from hashlib import blake2b
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from pydantic import TypeAdapter

from core.settings import Endpoint, make_folder, settings

FILE = "model_servers.json"
LimitField = Literal["max_tokens", "max_completion_tokens"]
_OTHER: dict[LimitField, LimitField] = {
    "max_tokens": "max_completion_tokens",
    "max_completion_tokens": "max_tokens",
}
_OPENAI_HOSTS = ("api.openai.com", ".openai.azure.com")
_MOST_SERVERS = 100  # in the file, the most recent ones
_SLACK = 1.1, 16  # servers count the tokens round a reply in different ways


@dataclass(frozen=True, slots=True)
class ReplyLimit:
    """The known limit on replies of one model on one server.

    Parameters
    ----------
    field : the field of a request that holds the limit.
    ignored, rejected : the fields that the server was seen to ignore, or refuses.
    longest : tokens of the longest reply that exceeded its limit; 0 if none did, or if the server
        was seen to keep to the limit afterwards.
    """

    field: LimitField = "max_tokens"
    ignored: tuple[LimitField, ...] = ()
    rejected: tuple[LimitField, ...] = ()
    longest: int = 0

    @property
    def is_kept(self) -> bool:
        """Whether the server respects the limit, as far as is known."""
        return not self.longest

    def after_refusal(self, field: LimitField) -> "ReplyLimit":
        """Return this knowledge updated by the refusal of `field`."""
        rejected = (*self.rejected, *({field} - {*self.rejected}))
        return replace(self, field=_OTHER[field], rejected=rejected)

    def after_reply(self, field: LimitField, limit: int, tokens: int, *, cut: bool) -> "ReplyLimit":
        """Return this knowledge updated by a reply.

        Parameters
        ----------
        field, limit : the field in which the limit was sent, and the limit in tokens.
        tokens : the length of the reply.
        cut : whether the server says that it cut the reply off.
        """
        if not exceeds(tokens, limit):
            if not (cut and field == self.field):
                return self
            ignored = tuple(name for name in self.ignored if name != field)
            return replace(self, ignored=ignored, longest=0)
        ignored = (*self.ignored, *({field} - {*self.ignored}))
        usable = _OTHER[field] not in (*ignored, *self.rejected)
        return replace(
            self,
            field=_OTHER[field] if usable else self.field,
            ignored=ignored,
            longest=max(self.longest, tokens),
        )


def exceeds(tokens: int, limit: int) -> bool:
    """Check whether a reply of so many tokens is longer than its limit allows."""
    return tokens > limit * _SLACK[0] + _SLACK[1]


_KNOWN = TypeAdapter(dict[str, ReplyLimit])
_writing = threading.Lock()
_read: dict[Path, tuple[tuple[int, int], dict[str, ReplyLimit]]] = {}


def reply_limit(endpoint: Endpoint) -> ReplyLimit:
    """Return the known limit on replies of the model at `endpoint`.

    OpenAI's newer models reject `max_tokens`; all other servers are asked by that name first.
    """
    known = _read_limits(settings().home / FILE).get(_key(endpoint))
    if known is not None:
        return known
    return ReplyLimit("max_completion_tokens" if _is_openai(endpoint) else "max_tokens")


def update_reply_limit(endpoint: Endpoint, change: Callable[[ReplyLimit], ReplyLimit]) -> None:
    """Apply `change` to the known limit and store it for other processes, too.

    Where the home folder cannot be written, each process finds it out for itself.
    """
    path = settings().home / FILE
    with _writing:
        known = reply_limit(endpoint)
        changed = change(known)
        if changed == known:
            return
        others = {name: each for name, each in _read_limits(path).items() if name != _key(endpoint)}
        last = dict([*others.items(), (_key(endpoint), changed)][-_MOST_SERVERS:])
        try:
            make_folder(path.parent)
            new = path.with_suffix(f".{os.getpid()}")
            new.write_text(json.dumps({name: asdict(each) for name, each in last.items()}))
            new.replace(path)
        except OSError:
            _read[path] = (_version(path), last)


def _read_limits(path: Path) -> dict[str, ReplyLimit]:
    """Read the known limits from their file; empty if it is damaged, since they can be learnt
    again.
    """
    version = _version(path)
    if path not in _read or _read[path][0] != version:
        try:
            limits = _KNOWN.validate_json(path.read_bytes()) if version != _ABSENT else {}
        except (OSError, ValueError):
            limits = {}
        _read[path] = (version, limits)
    return _read[path][1]


_ABSENT = (0, 0)


def _version(path: Path) -> tuple[int, int]:
    """Return modification time and inode of a file, to detect changes; a constant without one."""
    try:
        stat = path.stat()
    except OSError:
        return _ABSENT
    return stat.st_mtime_ns, stat.st_ino


def _key(endpoint: Endpoint) -> str:
    """Hash server and model; the address may contain a password."""
    return blake2b(f"{endpoint.url}\n{endpoint.model}".encode(), digest_size=16).hexdigest()


def _is_openai(endpoint: Endpoint) -> bool:
    """Check whether the endpoint is on a host of OpenAI."""
    try:
        host = urlsplit(endpoint.url).hostname or ""
    except ValueError:
        return False
    return host.endswith(_OPENAI_HOSTS)
