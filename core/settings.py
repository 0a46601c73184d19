"""Where things live: read once from the environment into one frozen object.

| variable | meaning | default |
| --- | --- | --- |
| HOPRAG_HOME | folder of indexes and uploads | the user's data directory |
| HOPRAG_ROOTS | folders a server path may name, joined by os.pathsep | none |
| HOPRAG_EMBEDDER | name or path of the default embedder | the bundled all-MiniLM-L6-v2 |
| HOPRAG_LLM | name of the language model; nothing is asked of one without it | none |
| HOPRAG_LLM_URL | base URL of its OpenAI-compatible server | that of OpenAI |
| HOPRAG_LLM_KEY | the server's key | OPENAI_API_KEY for OpenAI, else none |
| HOPRAG_PRICES | TOML file of what models cost (`core.models.prices`) | what OpenAI lists |
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

from platformdirs import user_data_path

BUNDLED_EMBEDDER = "all-MiniLM-L6-v2"
ASSETS = Path(__file__).parent.parent / "assets"
OPENAI = "https://api.openai.com/v1"


def embedder_name(text: str) -> str:
    """`text` as a process in any folder understands it: a folder's path is made absolute."""
    folder = Path(text).expanduser()
    is_path = text not in ("", BUNDLED_EMBEDDER) and folder.is_dir()
    return str(folder.absolute()) if is_path else text


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A model on an OpenAI-compatible server. Key and URL are never shown, stored or logged."""

    model: str
    url: str = field(default=OPENAI, repr=False)
    key: str = field(default="", repr=False)

    @property
    def host(self) -> str:
        """The part of the URL that may be shown: host and port, no user, no path; may be empty."""
        try:
            return urlsplit(self.url).netloc.rpartition("@")[2]
        except ValueError:
            return ""


@dataclass(frozen=True, slots=True)
class Settings:
    """Paths, the default embedder and the language model, if there is one.

    `indexes` holds one folder an index.
    """

    home: Path
    roots: tuple[Path, ...] = ()
    embedder: str = BUNDLED_EMBEDDER
    endpoint: Endpoint | None = None
    prices: Path | None = None

    @property
    def indexes(self) -> Path:
        return self.home / "indexes"

    @property
    def uploads(self) -> Path:
        return self.home / "uploads"


def read_settings(environ: Mapping[str, str]) -> Settings:
    """The settings that `environ` asks for; relative paths are made absolute."""
    home = environ.get("HOPRAG_HOME")
    prices = environ.get("HOPRAG_PRICES", "").strip()
    roots = [root for root in environ.get("HOPRAG_ROOTS", "").split(os.pathsep) if root]
    return Settings(
        home=Path(home).expanduser().resolve() if home else user_data_path("hoprag-explorer"),
        roots=tuple(Path(root).expanduser().resolve() for root in roots),
        embedder=embedder_name(environ.get("HOPRAG_EMBEDDER", "")) or BUNDLED_EMBEDDER,
        endpoint=_endpoint(environ),
        prices=Path(prices).expanduser().resolve() if prices else None,
    )


def _endpoint(environ: Mapping[str, str]) -> Endpoint | None:
    model = environ.get("HOPRAG_LLM", "").strip()
    if not model:
        return None
    url = environ.get("HOPRAG_LLM_URL", "").strip().rstrip("/") or OPENAI
    # The key that is meant for OpenAI goes to no other server.
    key = environ.get("HOPRAG_LLM_KEY") or (environ.get("OPENAI_API_KEY") if url == OPENAI else "")
    return Endpoint(model, url, (key or "").strip())


@cache
def settings() -> Settings:
    """The settings of this process, read on first use."""
    return read_settings(os.environ)
