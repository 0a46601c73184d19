"""Where things live: read once from the environment into one frozen object.

| variable | meaning | default |
| --- | --- | --- |
| HOPRAG_HOME | folder of indexes and uploads | the user's data directory |
| HOPRAG_ROOTS | folders a server path may name, joined by os.pathsep | none |
| HOPRAG_EMBEDDER | name or path of the default embedder | the bundled all-MiniLM-L6-v2 |
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from platformdirs import user_data_path

BUNDLED_EMBEDDER = "all-MiniLM-L6-v2"
ASSETS = Path(__file__).parent.parent / "assets"


def embedder_name(text: str) -> str:
    """`text` as a process in any folder understands it: a folder's path is made absolute."""
    folder = Path(text).expanduser()
    is_path = text not in ("", BUNDLED_EMBEDDER) and folder.is_dir()
    return str(folder.absolute()) if is_path else text


@dataclass(frozen=True, slots=True)
class Settings:
    """Paths and the default embedder. `indexes` holds one folder an index."""

    home: Path
    roots: tuple[Path, ...] = ()
    embedder: str = BUNDLED_EMBEDDER

    @property
    def indexes(self) -> Path:
        return self.home / "indexes"

    @property
    def uploads(self) -> Path:
        return self.home / "uploads"


def read_settings(environ: Mapping[str, str]) -> Settings:
    """The settings that `environ` asks for; relative paths are made absolute."""
    home = environ.get("HOPRAG_HOME")
    roots = [root for root in environ.get("HOPRAG_ROOTS", "").split(os.pathsep) if root]
    return Settings(
        home=Path(home).expanduser().resolve() if home else user_data_path("hoprag-explorer"),
        roots=tuple(Path(root).expanduser().resolve() for root in roots),
        embedder=embedder_name(environ.get("HOPRAG_EMBEDDER", "")) or BUNDLED_EMBEDDER,
    )


@cache
def settings() -> Settings:
    """The settings of this process, read on first use."""
    return read_settings(os.environ)
