"""Building an index with the bundled embedder, as the command line does it."""

from pathlib import Path

from typer.testing import CliRunner

from core.cli import app


def build_index(home: Path, name: str, *sources: Path) -> Path:
    """The index `name` in `home`, built by the command line if it is not there.

    In this process, where the embedder is loaded once: that takes longer than a small build.
    """
    folder = home / "indexes" / name
    if not folder.exists():
        done = CliRunner().invoke(app, ["build", *map(str, sources), "--index", str(folder)])
        assert done.exit_code == 0, done.output
    return folder
