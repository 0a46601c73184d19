"""Whether the storage behind a URI does all that an index needs of it.

    python tests/benchmarks/storage/journey.py URI [--own] [--markdown]

URI is s3://bucket/path, gs://bucket/path or az://container/path, with credentials as
assets/docs/storage.md says.
Everything happens in a folder of its own there, which is deleted at the end; a minute and some
thousand requests. With `--own` it goes to a server of our own on loopback (`tests/storage.py`),
whose bucket is `bucket`. Prints a row a step; ends with 1 if one failed.
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from uuid import uuid4

sys.path.insert(0, str(Path(__file__).parents[3]))

from core.cli.common import quiet
from core.places import Remote, place_of
from tests.benchmarks.cluster import another_machine
from tests.benchmarks.printing import grid, machine, show
from tests.benchmarks.storage.journey_steps import Journey, environment
from tests.storage import remove_all, serving


def gone(root: Remote, folder: Path) -> Iterator[tuple[str, str, float, bool]]:
    """Name, what was seen, seconds and whether it went well, of each step."""
    journey = Journey(root, folder)
    for name, step in vars(Journey).items():
        if name.startswith("_"):
            continue
        began = time.perf_counter()
        try:
            seen, well = step(journey), True
        except Exception as error:
            seen, well = f"{type(error).__name__}: {error}", False
        yield step.__doc__, seen, time.perf_counter() - began, well


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("uri")
    parser.add_argument("--own", action="store_true", help="go to a server of our own")
    parser.add_argument("--markdown", action="store_true")
    given = parser.parse_args()
    quiet()
    another_machine.words()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        stack.enter_context(environment("HOPRAG_HOME", str(folder / "home")))
        root = place_of(given.uri) / f"journey-{uuid4().hex}"
        if not isinstance(root, Remote):
            parser.error("URI begins with s3://, gs:// or az://; a folder needs no check.")
        if given.own:
            os.environ.update(stack.enter_context(serving(root.scheme)))
        stack.callback(remove_all, root)
        steps = list(gone(root, folder))
    rows = [
        [name, "" if well else "FAILED", f"{seconds:.1f}", seen]
        for name, seen, seconds, well in steps
    ]
    table = grid("Steps", ["", "", "seconds", "seen"], rows)
    show(f"{machine('')}. {root.scheme}://", [table], markdown=given.markdown)
    return int(not all(well for *_, well in steps))


if __name__ == "__main__":
    sys.exit(main())
