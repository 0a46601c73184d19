"""A stand-in for Google's storage: so much of its XML API as an index needs, in memory.

It follows what Google documents (generations, `x-goog-if-generation-match`, lists of version 2,
multipart uploads, one write of an object a second). Run as a program it is the server; it has one
bucket, `bucket`, and one token; its arguments are the port, and the seconds between two writes.
"""

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import formatdate
from hashlib import md5
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock
from time import time
from urllib.parse import parse_qs, unquote, urlsplit
from xml.sax.saxutils import escape

TOKEN = "a token that nobody repeats"
BUCKET = "bucket"


@dataclass(frozen=True, slots=True)
class Held:
    """An object; `generation` is another one each time it is written."""

    content: bytes
    generation: int
    changed: float

    @property
    def headers(self) -> dict[str, str]:
        return {
            "ETag": f'"{md5(self.content).hexdigest()}"',
            "Last-Modified": formatdate(self.changed, usegmt=True),
            "x-goog-generation": str(self.generation),
        }


@dataclass(slots=True)
class Storage:
    """All objects, and the parts of uploads under way."""

    objects: dict[str, Held] = field(default_factory=dict)
    parts: dict[str, dict[int, bytes]] = field(default_factory=dict)
    written: int = 0
    guard: Lock = field(default_factory=Lock)

    def put(self, key: str, content: bytes, expected: str | None) -> Held | None:
        """Write an object, if its generation is the `expected` one; 0 is of none."""
        with self.guard:
            there = self.objects.get(key)
            if expected is not None and int(expected) != (there.generation if there else 0):
                return None
            self.written += 1
            made = self.objects[key] = Held(content, self.written, time())
            return made


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # A small answer in two packets would wait 40 ms for the acknowledgement of the first.
    disable_nagle_algorithm = True
    wbufsize = -1
    storage = Storage()
    every = 1.0
    """Seconds between two writes of an object."""

    def handle_one_request(self) -> None:
        try:
            super().handle_one_request()
        except (ConnectionError, TimeoutError):
            self.close_connection = True

    def do_GET(self) -> None:
        key, query = self._asked()
        if key is None:
            return None
        if not key:
            return self._answer(200, _listed(self.storage.objects, query))
        there = self.storage.objects.get(key)
        if there is None:
            return self._missing("NoSuchKey")
        if self.headers.get("If-None-Match") == there.headers["ETag"]:
            return self._answer(304, headers=there.headers)
        given = self.headers.get("Range")
        if not given:
            return self._answer(200, there.content, there.headers)
        first, last = _range(given, len(there.content))
        told = {**there.headers, "Content-Range": f"bytes {first}-{last}/{len(there.content)}"}
        return self._answer(206, there.content[first : last + 1], told)

    do_HEAD = do_GET

    def do_PUT(self) -> None:
        content = self._content()
        key, query = self._asked()
        if key is None:
            return None
        if "uploadId" in query:
            self.storage.parts[query["uploadId"]][int(query["partNumber"])] = content
            return self._answer(200, headers={"ETag": f'"{query["partNumber"]}"'})
        if source := self.headers.get("x-goog-copy-source"):
            there = self.storage.objects.get(unquote(source).strip("/").partition("/")[2])
            if there is None:
                return self._missing("NoSuchKey")
            content = there.content
        return self._written(key, content)

    def do_POST(self) -> None:
        self._content()
        key, query = self._asked()
        if key is None:
            return None
        if "uploads" in query:
            upload = f"{key}-{time()}"
            self.storage.parts[upload] = {}
            told = f"<UploadId>{escape(upload)}</UploadId>"
            return self._answer(200, _xml("InitiateMultipartUploadResult", told))
        parts = self.storage.parts.pop(query["uploadId"])
        return self._written(key, b"".join(parts[number] for number in sorted(parts)))

    def do_DELETE(self) -> None:
        key, _ = self._asked()
        if key is None:
            return None
        gone = self.storage.objects.pop(key, None)
        return self._answer(204) if gone else self._missing("NoSuchKey")

    def _written(self, key: str, content: bytes) -> None:
        there = self.storage.objects.get(key)
        if there and time() - there.changed < self.every:
            return self._answer(429, _xml("Error", "<Code>SlowDown</Code>"))
        made = self.storage.put(key, content, self.headers.get("x-goog-if-generation-match"))
        if made is None:
            return self._answer(412, _xml("Error", "<Code>PreconditionFailed</Code>"))
        result = _xml("CompleteMultipartUploadResult", f"<ETag>{made.headers['ETag']}</ETag>")
        return self._answer(200, result, made.headers)

    def _asked(self) -> tuple[str | None, dict[str, str]]:
        """Key and query; no key where an answer was given already."""
        parts = urlsplit(self.path)
        bucket, _, key = unquote(parts.path).lstrip("/").partition("/")
        query = {name: each[0] for name, each in parse_qs(parts.query, True).items()}
        if self.headers.get("Authorization") != f"Bearer {TOKEN}":
            self._answer(401, _xml("Error", "<Code>AuthenticationRequired</Code>"))
        elif bucket != BUCKET:
            self._missing("NoSuchBucket")
        else:
            return key, query
        return None, query

    def _content(self) -> bytes:
        return self.rfile.read(int(self.headers.get("Content-Length", 0)))

    def _missing(self, code: str) -> None:
        self._answer(404, _xml("Error", f"<Code>{code}</Code>"))

    def _answer(
        self, status: int, content: bytes = b"", headers: Mapping[str, str] | None = None
    ) -> None:
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Nothing is said."""


def _range(given: str, size: int) -> tuple[int, int]:
    first, _, last = given.removeprefix("bytes=").partition("-")
    if not first:
        return max(0, size - int(last)), size - 1
    return int(first), min(int(last or size), size - 1)


def _listed(objects: Mapping[str, Held], query: Mapping[str, str]) -> bytes:
    """Everything below the prefix, as one page."""
    return _xml("ListBucketResult", "".join(_entries(dict(objects), query)))


def _entries(objects: Mapping[str, Held], query: Mapping[str, str]) -> Iterator[str]:
    prefix, delimiter = query.get("prefix", ""), query.get("delimiter", "")
    folders = set()
    for key in sorted(each for each in objects if each.startswith(prefix)):
        head, found, _ = key[len(prefix) :].partition(delimiter or "\0")
        if found:
            folders.add(prefix + head + delimiter)
            continue
        there = objects[key]
        yield (
            f"<Contents><Key>{escape(key)}</Key><Size>{len(there.content)}</Size>"
            f"<LastModified>{_iso(there.changed)}</LastModified>"
            f"<ETag>{there.headers['ETag']}</ETag></Contents>"
        )
    for folder in sorted(folders):
        yield f"<CommonPrefixes><Prefix>{escape(folder)}</Prefix></CommonPrefixes>"


def _iso(moment: float) -> str:
    return datetime.fromtimestamp(moment, UTC).isoformat(timespec="milliseconds")


def _xml(name: str, inside: str) -> bytes:
    return f'<?xml version="1.0" encoding="UTF-8"?><{name}>{inside}</{name}>'.encode()


if __name__ == "__main__":
    Handler.every = float(sys.argv[2])
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
