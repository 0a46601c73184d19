"""Paths, endpoints and limits, read once from the environment into one frozen object.

| variable | meaning | default |
| --- | --- | --- |
| HOPRAG_HOME | folder of indexes and uploads | the user's data directory |
| HOPRAG_INDEXES | where the indexes are: a folder, s3://, gs:// or az:// | indexes in HOPRAG_HOME |
| HOPRAG_ROOTS | folders a server path may name, joined by os.pathsep | none |
| HOPRAG_LARGE_FROM | passages from which on an index is read as it is touched | 50000 |
| HOPRAG_MERGE_LISTS | lists that merging looks through for a question | 0: all pairs |
| HOPRAG_EMBEDDER | name or path of the default embedder | the bundled all-MiniLM-L6-v2 |
| HOPRAG_EMBEDDER_URL | base URL of the server of embedders `server:NAME` | that of OpenAI |
| HOPRAG_EMBEDDER_KEY | that server's key | OPENAI_API_KEY for OpenAI, else none |
| HOPRAG_LLM | name of the language model; nothing is asked of one without it | none |
| HOPRAG_LLM_URL | base URL of its OpenAI-compatible server | that of OpenAI |
| HOPRAG_LLM_KEY | the server's key | OPENAI_API_KEY for OpenAI, else none |
| HOPRAG_LLM_AT_ONCE | calls under way at the same time, at most | 32 |
| HOPRAG_LLM_SECONDS | seconds that a call may take, each try for itself | 60 |
| HOPRAG_LLM_TRIES | tries that a call gets | 6 |
| HOPRAG_LLM_THINKING | tokens that a model may think, beside those of its reply | 2000 |
| HOPRAG_LLM_EXTRA | JSON object of further fields of a request | none |
| HOPRAG_READER | name of another model that reads the answers | that of HOPRAG_LLM |
| HOPRAG_READER_URL, HOPRAG_READER_KEY | its server and that server's key | those of HOPRAG_LLM |
| HOPRAG_PRICES | TOML file of what models cost (`core.models.money.prices`) | what OpenAI lists |
| HOPRAG_HOSTS | names that the server answers to, beside those of loopback | none |
| HOPRAG_EDITORS, HOPRAG_READERS | who may do what: addresses, `*@domain` | nobody |
| HOPRAG_USER_HEADER | header in which a proxy says who is there | none |
| HOPRAG_PROXIES | addresses and networks from which it is believed | none |
| HOPRAG_OPEN | opens the server to all (`core.visitors.rules.OPEN`) | closed |
| HOPRAG_BUDGET_PERSON | what a person may spend a day, in dollars or `N tokens` | no limit |
| HOPRAG_RETRIEVERS | custom retrievers: files and URLs, joined by os.pathsep | none |
| HOPRAG_RETRIEVER_SECONDS | seconds that a custom retriever may take | 60 |
| HOPRAG_EMBEDDERS | embedders that visitors may choose, joined by commas | HOPRAG_EMBEDDER |
| HOPRAG_SAVE_KEYS | `1`: editors may save model servers with keys for the machine | own machine |

Model, URL and key that are not set there may be typed on the Settings page (`core.model_servers`).
"""

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

from platformdirs import user_data_path

from core.errors import IndexMissing, InputError
from core.model_servers import EMBEDDER, GUARDED, OPENAI, overlaid, read_saved, server_url
from core.places import Place, place_of
from core.visitors.rules import NOBODY_NAMED, Rules, read_rules

BUNDLED_EMBEDDER = "all-MiniLM-L6-v2"
SERVER_EMBEDDER = "server:"
"""Prefix of the name of an embedder on a server, before the name of the model."""
_ROOT = Path(__file__).parent.parent
_INSTALLED = _ROOT / "hoprag_explorer"
APP = _INSTALLED if _INSTALLED.is_dir() else _ROOT
"""The folder of `app.py`: that of the repository, or that of an installed wheel."""
ASSETS = APP / "assets"
# In memory BM25 takes 16 ms a question at 10,000 passages and 268 ms at 100,000, LanceDB 3 ms.
LARGE_FROM = 50_000
_LONGEST_NUMBER = 20  # characters
READER = "HOPRAG_READER"
# Fields of a request that HOPRAG_LLM_EXTRA cannot set: the prompt, and the form of the reply.
_OURS = {
    *("model", "messages", "max_tokens", "max_completion_tokens"),
    *("n", "stream", "stream_options", "response_format"),
}


def embedder_name(text: str) -> str:
    """Make the name of an embedder absolute if it is a folder's path."""
    folder = embedder_folder(text)
    return str(folder.absolute()) if folder else text


def embedder_folder(text: str) -> Path | None:
    """Return the folder that an embedder's name refers to, or None if it is not a path."""
    if text in ("", BUNDLED_EMBEDDER) or text.startswith(SERVER_EMBEDDER):
        return None
    try:
        folder = Path(text).expanduser()
        return folder if folder.is_dir() else None
    except (OSError, ValueError, RuntimeError):  # too long, a null byte, nobody's home
        return None


def make_folder(folder: Path) -> None:
    """Create `folder` and its parents. A new HOPRAG_HOME is readable by its owner only."""
    home = settings().home
    if folder.resolve().is_relative_to(home.resolve()):
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.mkdir(parents=True, exist_ok=True)


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A model on an OpenAI-compatible server. Key and URL are never shown, stored or logged.

    Parameters
    ----------
    at_once : calls that may be under way at the same time.
    seconds : how long a call may take, each try for itself.
    tries : how often a call is made until it succeeds.
    thinking : tokens that a model may think, beside those of the largest reply to a prompt.
    extra : further fields of a request, a JSON object as text; empty for none.
    unusable : what is wrong with a setting and mends it, to be said when the model is asked.
    guarded : whether the URL may lead to public addresses only.
    variable : the variable that names the model; with `_URL` and `_KEY`, those of the server.
    reader : another model that answers questions from what was retrieved; None if this one does.
    """

    model: str
    url: str = field(default=OPENAI, repr=False)
    key: str = field(default="", repr=False)
    at_once: int = 32
    seconds: float = 60.0
    tries: int = 6
    thinking: int = 2_000
    extra: str = field(default="", repr=False)
    unusable: str = ""
    guarded: bool = False
    variable: str = "HOPRAG_LLM"
    reader: "Endpoint | None" = None

    @property
    def role(self) -> str:
        """Name the role of the model for messages."""
        roles = {EMBEDDER: "embedder", READER: "reader"}
        return roles.get(self.variable, "language model")

    @property
    def host(self) -> str:
        """Return host and port of the URL, which may be shown; may be empty."""
        try:
            return urlsplit(self.url).netloc.rpartition("@")[2]
        except ValueError:
            return ""


@dataclass(frozen=True, slots=True)
class Settings:
    """Paths, the default embedder, and the servers of the language model and of embedders.

    `embedder_server` is None unless a variable of it is set; its `model` is the default embedder.

    `retrievers` are files and URLs of custom retrievers, each with a name, which may be empty.
    `indexes` contains a folder per index. An index with at least `large_from` passages is large: it
    has derived tables, and rows are read on access. Merging searches `merge_lists` lists per
    question; 0 for all pairs.
    """

    home: Path
    roots: tuple[Path, ...] = ()
    embedder: str = BUNDLED_EMBEDDER
    endpoint: Endpoint | None = None
    embedder_server: Endpoint | None = None
    prices: Path | None = None
    large_from: int = LARGE_FROM
    merge_lists: int = 0
    indexes_at: Place | None = None
    visitors: Rules = NOBODY_NAMED
    saves_keys: bool = False
    retrievers: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    retriever_seconds: float = 60.0

    @property
    def indexes(self) -> Place:
        return self.indexes_at or self.home / "indexes"

    @property
    def uploads(self) -> Path:
        return self.home / "uploads"


def read_settings(environ: Mapping[str, str]) -> Settings:
    """Read the settings from `environ`; relative paths are made absolute."""
    prices = environ.get("HOPRAG_PRICES", "").strip()
    roots = [root for root in environ.get("HOPRAG_ROOTS", "").split(os.pathsep) if root]
    return Settings(
        home=_home(environ),
        roots=tuple(Path(root).expanduser().resolve() for root in roots),
        embedder=embedder_name(environ.get("HOPRAG_EMBEDDER", "")) or BUNDLED_EMBEDDER,
        endpoint=_endpoint(environ),
        embedder_server=_embedder_server(environ),
        large_from=_large_from(environ),
        merge_lists=_number(environ, "HOPRAG_MERGE_LISTS", 0, least=0, most=10**6),
        indexes_at=_indexes(environ.get("HOPRAG_INDEXES", "").strip()),
        prices=Path(prices).expanduser().resolve() if prices else None,
        visitors=read_rules(environ),
        saves_keys=environ.get("HOPRAG_SAVE_KEYS", "").strip() == "1",
        retrievers=_retrievers(environ.get("HOPRAG_RETRIEVERS", "")),
        retriever_seconds=_number(environ, "HOPRAG_RETRIEVER_SECONDS", 60.0, least=1, most=3600),
    )


def _home(environ: Mapping[str, str]) -> Path:
    home = environ.get("HOPRAG_HOME")
    return Path(home).expanduser().resolve() if home else user_data_path("hoprag-explorer")


_URL = r"https?://(?:[^\s/@]+@)?(?:\[[^\]\s]+\]|[^\s:/?;]+)(?::\d+)?(?:[/?][^\s:;]*)?"
_NAMED = re.compile(rf"(?:([\w -]+)=)?({_URL}|[^{re.escape(os.pathsep)}]+)")


def _retrievers(text: str) -> tuple[tuple[str, str], ...]:
    """Split custom retrievers into (name, place) pairs; a URL contains colons, too.

    >>> _retrievers("https://127.0.0.1:9000/retrieve:mine=http://u:p@[::1]:80/?k=1")
    (('', 'https://127.0.0.1:9000/retrieve'), ('mine', 'http://u:p@[::1]:80/?k=1'))
    """
    endpoints = []
    for name, place in _NAMED.findall(text):
        if place.strip():
            url = re.fullmatch(_URL, place)
            at = place if url else str(Path(place.strip()).expanduser().resolve())
            endpoints.append((name.strip(), at))
    return tuple(endpoints)


def _indexes(text: str) -> Place | None:
    """Parse HOPRAG_INDEXES, a folder or a URL; None if it is empty, InputError if unusable."""
    try:
        place = place_of(text) if text else None
    except IndexMissing as error:
        raise InputError(f"HOPRAG_INDEXES cannot be used. {error}") from error
    return place.resolve() if isinstance(place, Path) else place


def _large_from(environ: Mapping[str, str]) -> int:
    return _number(environ, "HOPRAG_LARGE_FROM", LARGE_FROM, least=2, most=10**9)


def _endpoint(environ: Mapping[str, str]) -> Endpoint | None:
    """Read the language model with its reader model; None if HOPRAG_LLM is not set."""
    model = environ.get("HOPRAG_LLM", "").strip()
    if not model:
        return None
    endpoint = _server(environ, "HOPRAG_LLM", model)
    return replace(endpoint, reader=_reader(environ, endpoint))


def _reader(environ: Mapping[str, str], llm: Endpoint) -> Endpoint | None:
    """Return the reader model, on the server of `llm` unless another is named."""
    model = environ.get(READER, "").strip()
    if not model:
        return None
    if environ.get(f"{READER}_URL", "").strip():
        return _server(environ, READER, model)
    key = environ.get(f"{READER}_KEY", "").strip() or llm.key
    return replace(llm, model=model, key=key, variable=READER)


def _embedder_server(environ: Mapping[str, str]) -> Endpoint | None:
    """Return the server of embedders, or None if none is configured."""
    names = f"{environ.get(EMBEDDER, '')},{environ.get('HOPRAG_EMBEDDERS', '')}".split(",")
    served = any(name.strip().startswith(SERVER_EMBEDDER) for name in names)
    if not served and not environ.get(f"{EMBEDDER}_URL", "").strip():
        return None
    default = names[0].strip()
    model = default.removeprefix(SERVER_EMBEDDER) if default.startswith(SERVER_EMBEDDER) else ""
    return replace(_server(environ, EMBEDDER, model), thinking=0, extra="")


def _server(environ: Mapping[str, str], role: str, model: str) -> Endpoint:
    """Read the endpoint of a role from the variables that begin with `role`.

    An invalid number does not raise: it is stored as `unusable` and reported at the first use.
    """
    url = server_url(environ.get(f"{role}_URL", ""))
    # The key that is meant for OpenAI goes to no other server.
    key = environ.get(f"{role}_KEY") or (environ.get("OPENAI_API_KEY") if url == OPENAI else "")
    guarded = bool(environ.get(role + GUARDED))
    endpoint = Endpoint(model, url, (key or "").strip(), guarded=guarded, variable=role)
    try:
        return replace(
            endpoint,
            at_once=_number(environ, "HOPRAG_LLM_AT_ONCE", endpoint.at_once, least=1, most=1_000),
            seconds=_number(environ, "HOPRAG_LLM_SECONDS", endpoint.seconds, least=1, most=86_400),
            tries=_number(environ, "HOPRAG_LLM_TRIES", endpoint.tries, least=1, most=100),
            thinking=_number(
                environ, "HOPRAG_LLM_THINKING", endpoint.thinking, least=0, most=1_000_000
            ),
            extra=_extra(environ.get("HOPRAG_LLM_EXTRA", "").strip()),
        )
    except InputError as error:
        return replace(endpoint, unusable=str(error))


_N = TypeVar("_N", int, float)


def _number(environ: Mapping[str, str], name: str, default: _N, *, least: int, most: int) -> _N:
    """Parse a number within limits, of the type of `default`; return `default` if it is unset."""
    text = environ.get(name, "").strip()
    if not text:
        return default
    try:
        number = type(default)(text[:_LONGEST_NUMBER])
    except ValueError:
        number = type(default)(-1)
    if not least <= number <= most:  # where nan is not
        raise InputError(
            f"{name} must be a number from {least:,} to {most:,}. Correct it, or unset it for "
            f"{default:,}."
        )
    return number


def _extra(text: str) -> str:
    """Return a JSON object in canonical form."""
    if not text:
        return ""
    try:
        fields = json.loads(text)
        plain = json.dumps(fields, sort_keys=True, allow_nan=False)
    except (ValueError, RecursionError):
        fields = plain = None
    if not isinstance(fields, dict):
        raise InputError(
            'HOPRAG_LLM_EXTRA is not a JSON object. Example: {"reasoning_effort": "low"}.'
        )
    if ours := sorted(_OURS & fields.keys()):
        raise InputError(
            f"HOPRAG_LLM_EXTRA may not set {', '.join(ours)}, which the app sets itself. "
            "Remove it. HOPRAG_LLM sets the model; HOPRAG_LLM_THINKING allows longer replies."
        )
    return str(plain)


@cache
def settings() -> Settings:
    """Return the settings of this process, with the servers saved for the machine."""
    return read_settings(overlaid(os.environ, read_saved(_home(os.environ))))
