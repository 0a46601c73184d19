"""Spans that pipelines sent to the endpoint, stored unchanged in the home folder."""

import json
import zlib
from collections.abc import Iterator
from typing import Any

from core.places import Place
from core.spans.pipeline import TracedResult, traced_results
from core.spans.reading import spans_of
from core.store.locking.sqlite_file import SmallFile

FILE = "spans.sqlite"
KEPT_BYTES = 64 * 2**20
"""Bytes of JSON that are kept; beyond that the oldest requests are dropped."""
_TABLES = ("CREATE TABLE requests (id INTEGER PRIMARY KEY, size INTEGER NOT NULL, body BLOB)",)


class Received:
    """The requests in a folder. Safe to share between threads and processes.

    Raises
    ------
    StoreError : by every method, where the file cannot be read or written.
    """

    def __init__(self, home: Place) -> None:
        self._file = SmallFile(home / FILE, _TABLES)

    def __len__(self) -> int:
        rows = self._file.read("SELECT count(*) FROM requests")
        return int(rows[0][0]) if rows else 0

    def put(self, request: dict[str, Any]) -> None:
        """Keep a request (OTLP's `ExportTraceServiceRequest` in JSON)."""
        body = json.dumps(request).encode()
        with self._file.transaction() as written:
            written.execute(
                "INSERT INTO requests (size, body) VALUES (?, ?)", (len(body), zlib.compress(body))
            )
            written.execute(
                "DELETE FROM requests WHERE id IN (SELECT id FROM (SELECT id, sum(size) OVER"
                " (ORDER BY id DESC) AS total FROM requests) WHERE total > ?)",
                (KEPT_BYTES,),
            )

    def requests(self) -> Iterator[dict[str, Any]]:
        """Yield every request that is kept, oldest first."""
        for (body,) in self._file.read("SELECT body FROM requests ORDER BY id"):
            yield json.loads(zlib.decompress(body))

    def results(self) -> list[TracedResult]:
        """Return the traces that search, newest first; their spans may be of several requests."""
        return traced_results(spans_of(self.requests(), FILE))[::-1]
