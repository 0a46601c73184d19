"""Archives, compressed and Parquet files that are made to harm whoever reads them."""

import gzip
import zipfile
from datetime import UTC, datetime
from functools import cache
from io import BytesIO
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZIP_LZMA, ZIP_STORED, ZipFile, ZipInfo

import pyarrow as pa
import pyarrow.parquet as pq

from tests.core.corpus.files import zipped


def _packed(method: int, text: bytes = b"A city of many words. " * 50) -> bytearray:
    buffer = BytesIO()
    with ZipFile(buffer, "w", method) as archive:
        archive.writestr("a.txt", text)
    return bytearray(buffer.getvalue())


def _damaged(method: int) -> bytes:
    """An entry whose compressed content is overwritten: the directory is whole."""
    packed = _packed(method)
    packed[45:60] = b"\xff" * 15
    return bytes(packed)


def _named(*names: str) -> bytes:
    buffer = BytesIO()
    with ZipFile(buffer, "w", ZIP_DEFLATED) as archive:
        for number, name in enumerate(names):
            info = ZipInfo("x")
            info.filename = name
            archive.writestr(info, f"Text {number}.")
    return buffer.getvalue()


def _patched(offset_of: bytes, offset: int, value: bytes) -> bytes:
    """A zip file with other bytes in its first directory entry (`PK12`) or local one (`PK34`)."""
    packed = _packed(ZIP_DEFLATED)
    at = packed.index(offset_of) + offset
    packed[at : at + len(value)] = value
    return bytes(packed)


@cache
def archives() -> dict[str, bytes]:
    entry, local = b"PK\x01\x02", b"PK\x03\x04"
    good = zipped({"a.txt": "A city.", "b.txt": "B."})
    twice = BytesIO()
    with zipfile.ZipFile(twice, "w") as archive:
        archive.writestr("a.txt", "A.")
        info = ZipInfo("b.txt")
        archive.writestr(info, "B.")
        info.filename = "a.txt"
    link = ZipInfo("link.txt")
    link.external_attr = 0o120777 << 16
    linked = BytesIO()
    with zipfile.ZipFile(linked, "w") as archive:
        archive.writestr(link, "/etc/passwd")
    return {
        "lzma.zip": _damaged(ZIP_LZMA),
        "bzip2.zip": _damaged(ZIP_BZIP2),
        "deflate.zip": _damaged(ZIP_DEFLATED),
        "stored.zip": _damaged(ZIP_STORED),
        "lzma-header.zip": bytes(_packed(ZIP_LZMA).replace(b"\x09\x04\x05\x00", b"\xff" * 4)),
        "method.zip": _patched(entry, 10, b"\x63\x00"),
        "no-name.zip": _named("", "a.txt"),
        "dots.zip": _named(".", "..", "./a.txt", "a.txt"),
        "traversal.zip": _named("../a.txt", "/etc/a.txt", "..\\a.txt", "C:\\a.txt", "b.txt"),
        "nul-name.zip": _named("a.txt\0.exe", "b.txt"),
        "long-name.zip": _named("a" * 60_000 + ".txt", "b.txt"),
        "controls.zip": _named("\x1b[2J\n.txt", "\u202etxt.txt", "<b>.txt", "b.txt"),
        "twice.zip": twice.getvalue(),
        "link.zip": linked.getvalue(),
        "folders.zip": _named("a/", "b/"),
        "hidden.zip": _named(".a.txt", "__MACOSX/a.txt"),
        "inner.zip": zipped({"a.zip": good, "b.jsonl.gz": gzip.compress(b"{}"), "c.txt": "C."}),
        "encrypted.zip": _patched(entry, 8, b"\x01\x00"),
        "crc.zip": _patched(entry, 16, b"\xff\xff\xff\xff"),
        "larger.zip": _patched(entry, 24, b"\xff\xff\xff\x0f"),
        "smaller.zip": _patched(entry, 24, b"\x01\x00\x00\x00"),
        "offset.zip": _patched(entry, 42, b"\xff\xff\xff\x7f"),
        "date.zip": _patched(entry, 12, b"\xff\xff\xff\xff"),
        "local.zip": _patched(local, 0, b"XXXX"),
        "version.zip": _patched(entry, 6, b"\xff\x00"),
        "extra.zip": _patched(entry, 30, b"\xff\xff"),
        "directory.zip": good[:-30],
        "prefixed.zip": b"MZ" + b"\0" * 1000 + good,
        "comment.zip": good[:-2] + b"\xff\xff" + b"x" * 100,
    }


def gzipped() -> dict[str, bytes]:
    row = b'{"text": "A city."}\n'
    whole = gzip.compress(row)
    return {
        "cut.jsonl.gz": whole[:-9],
        "crc.jsonl.gz": whole[:-8] + b"\xff" * 8,
        "members.jsonl.gz": whole * 200,
        "tail.jsonl.gz": whole + b"noise",
        "inner.json.gz": gzip.compress(whole),
        "zip.json.gz": gzip.compress(zipped({"a.txt": "A."})),
        "header.json.gz": b"\x1f\x8b\x08\xff" + b"\xff" * 50,
    }


def _written(table: pa.Table, **options: object) -> bytes:
    buffer = BytesIO()
    pq.write_table(table, buffer, **options)
    return buffer.getvalue()


def _with(name: str, column: pa.Array) -> bytes:
    return _written(pa.table({"text": ["A city."] * len(column), name: column}))


@cache
def parquet() -> dict[str, bytes]:
    far = 2**31 - 1
    good = _written(pa.table({"text": [f"A city of {number}." for number in range(500)]}))
    nested: pa.DataType = pa.int32()
    for _ in range(60):
        nested = pa.list_(nested)
    return {
        "date.parquet": _with("date", pa.array([far], pa.date32())),
        "early-date.parquet": _with("date", pa.array([-far], pa.date32())),
        "date64.parquet": _with("date", pa.array([86_400_000 * 10**9], pa.date64())),
        "time.parquet": _with("at", pa.array([2**62], pa.timestamp("us"))),
        "time-ms.parquet": _with("at", pa.array([-(2**62)], pa.timestamp("ms"))),
        "time-ns.parquet": _with("at", pa.array([2**63 - 1], pa.timestamp("ns"))),
        "zone.parquet": _with(
            "at", pa.array([datetime(1, 1, 1, tzinfo=UTC)], pa.timestamp("us", "Asia/Tokyo"))
        ),
        "no-zone.parquet": _with("at", pa.array([0], pa.timestamp("us", "No/Such"))),
        "duration.parquet": _with("took", pa.array([2**62], pa.duration("s"))),
        "decimal.parquet": _with("n", pa.array([1]).cast(pa.decimal256(70, 2))),
        "nested.parquet": _with("deep", pa.nulls(1, nested)),
        "struct.parquet": _with("metadata", pa.array([{"a": {"b": [{"c": "d"}]}}])),
        "map.parquet": _with("m", pa.array([[("a", 1)]], pa.map_(pa.string(), pa.int32()))),
        "bytes.parquet": _written(pa.table({"text": pa.array([b"\xff\xfe"] * 3, pa.binary())})),
        "numbers.parquet": _written(pa.table({"text": [1, 2, 3]})),
        "nulls.parquet": _written(pa.table({"text": pa.nulls(1000, pa.string())})),
        "columns.parquet": _written(
            pa.table({f"c{n}": ["A."] * 300 for n in range(3000)} | {"text": ["A."] * 300})
        ),
        "same-columns.parquet": _written(
            pa.table([pa.array(["A."]), pa.array(["B."])], ["text", "text"])
        ),
        "no-rows.parquet": _written(pa.table({"text": pa.array([], pa.string())})),
        "pages.parquet": good[:200] + b"\xff" * 200 + good[400:],
        "footer.parquet": good[:-8] + b"\xff\xff\xff\x7fPAR1",
        "thrift.parquet": good[:-300] + b"\xff" * 292 + good[-8:],
        "marks.parquet": b"PAR1" + b"\0" * 100 + b"PAR1",
    }


def large() -> dict[str, bytes]:
    """What takes seconds to make."""
    return {
        "many.zip": zipped({f"{number}.txt": "A." for number in range(20_500)}),
        "words-bomb.zip": zipped({f"{n}.txt": b"word " * 1_000_000 for n in range(10)}),
        "bomb.zip": zipped({"a.txt": b"\0" * 50_000_000}),
        "bomb.jsonl.gz": gzip.compress(b"\0" * 300_000_000),
        "lists-bomb.json.gz": gzip.compress(b"[" + b"[]," * 30_000_000 + b"[]]"),
        "null-rows.parquet": _written(pa.table({"text": pa.nulls(20_000_000, pa.string())})),
        "repeated.parquet": _written(pa.table({"text": ["a" * 10_000] * 200_000})),
        "short-rows.parquet": _written(pa.table({"text": ["a"] * 2_000_000})),
    }
