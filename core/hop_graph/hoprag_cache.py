"""The cache of the official HopRAG code: `node2questiondict.pkl`, as its offline mode writes it.

It is a pickle of `{(node, document): ({text, keywords, embed}, {answerable, pending})}` made of
plain values. A pickle can name code to run, so it is read in a process of its own, within limits,
by a reader that refuses every such name.
"""

import json
import pickle
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from typing import Any, NoReturn

from core.corpus.artefact_files import artefact_bytes
from core.corpus.file_contents import LIMITS, Row
from core.errors import FileRejected

ENDING = ".pkl"
_ROOT = Path(__file__).parents[2]
_SECONDS = 120
_SHAPE = "it is not the node2questiondict.pkl of HopRAG's offline mode (main_nodes, offline=True)"


def cache_records(path: Path, name: str) -> list[Row]:
    """Read a record per node: passage, text, in, out. A child process reads the pickle.

    Raises
    ------
    FileRejected : the file is not such a cache, or refers to code.
    """
    data = artefact_bytes(path, name)
    command = [sys.executable, "-m", "core.hop_graph.hoprag_cache"]
    try:
        done = subprocess.run(
            command,
            input=data,
            capture_output=True,
            cwd=_ROOT,
            timeout=_SECONDS,
            check=True,
            env={},
        )
        rows: list[Row] = json.loads(done.stdout)
    except (subprocess.SubprocessError, OSError, ValueError) as error:
        raise FileRejected(name, _SHAPE) from error
    if not rows:
        raise FileRejected(name, "its nodes have no text; use the cache of the offline mode")
    return rows


class _PlainUnpickler(pickle.Unpickler):
    """An unpickler that accepts only plain values."""

    def find_class(self, module: str, name: str) -> NoReturn:
        raise pickle.UnpicklingError(f"it names {module}.{name}")


def records(cache: Any) -> list[Row]:
    """Return the records of a cache that was read; nodes without a text are left out.

    Examples
    --------
    >>> asked = {"answerable": [("Who?", {"ada"}, [0.1])], "pending": []}
    >>> records({(1, "Mill.txt"): ({"text": "Ada."}, asked)})
    [{'passage': 'Mill', 'text': 'Ada.', 'in': ['Who?'], 'out': []}]
    """
    return [
        {
            "passage": str(document).removesuffix(".txt"),
            "text": value[0]["text"],
            "in": [asked[0] for asked in value[1]["answerable"]],
            "out": [asked[0] for asked in value[1]["pending"]],
        }
        for (_, document), value in cache.items()
        if isinstance(value, tuple)
    ]


def main() -> None:
    """Read a cache from standard input, and write its records to standard output as JSON."""
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (LIMITS.memory, LIMITS.memory))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    json.dump(records(_PlainUnpickler(BytesIO(sys.stdin.buffer.read())).load()), sys.stdout)


if __name__ == "__main__":
    main()
