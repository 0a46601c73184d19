"""Files that are broken or meant to break: one line each, and the others go on."""

import gzip
import random
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pypdf import PdfReader, PdfWriter
from pypdf.errors import DependencyError

from core.corpus import SUFFIXES, read_files
from core.corpus.file_contents import Limits
from tests.core.corpus.files import lines, pdf, read, zipped

SMALL = Limits(file_bytes=20_000, archive_bytes=50_000, archive_files=5)


def refused(tmp_path: Path, name: str, content: bytes | str, limits: Limits = SMALL) -> str:
    """Why a file is refused; a good file beside it is read all the same."""
    corpus = read(tmp_path, {name: content, "good.txt": "Good."}, limits=limits)
    assert [made.id for made in corpus.documents] == ["good.txt"]
    (rejected,) = corpus.rejected
    assert rejected.name.startswith(name)
    assert "\n" not in rejected.reason
    return rejected.reason


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("content", [b"", b" \n\t "])
def test_an_empty_file(tmp_path: Path, suffix: str, content: bytes) -> None:
    assert refused(tmp_path, f"a{suffix}", content) == "it is empty"


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("start", [b"", b"%PDF-1.7\n", b"PK\x03\x04", b"\x1f\x8b\x08", b"PAR1"])
def test_random_bytes(tmp_path: Path, suffix: str, start: bytes) -> None:
    source = random.Random(7)
    for length in (100, 300, 5_000):
        assert refused(tmp_path, f"a{suffix}", start + source.randbytes(length))


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_text_with_null_bytes_or_control_characters(tmp_path: Path, suffix: str) -> None:
    assert refused(tmp_path, f"a{suffix}", b"Some words.\0And more.")
    assert refused(tmp_path, f"a{suffix}", b"\x01\x02\x03 words \x04\x05")


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.txt", b"%PDF-1.4 ...", "it is a PDF, not text; rename it to end in .pdf"),
        ("a.txt", b"\xff\xfea\x00b", "invalid utf-16 text"),
        ("a.html", b"<script>only()</script>", "contains no text"),
        ("a.pdf", b"Plain words.", "not a PDF"),
        ("a.pdf", b"%PDF-1.4\nand no more", "the PDF is damaged"),
        ("a.pdf", pdf("", ""), "may be a scan"),
        ("a.docx", b"Plain words.", "not a .docx file"),
        ("a.docx", zipped({"a.txt": "A."}), "the .docx file is damaged"),
        ("a.docx", b"\xd0\xcf\x11\xe0\xa1\xb1", "without a password"),
        ("a.zip", b"Plain words.", "not a zip archive"),
        ("a.zip", zipped({}), "the archive contains no files"),
        ("a.parquet", b"Plain words.", "not a readable Parquet file"),
        ("a.jsonl.gz", b"Plain words.", "the gzip file is incomplete"),
        (
            "a.json.gz",
            gzip.compress(b'[{"text": "A."}]', mtime=0)[:-9],
            "the gzip file is incomplete",
        ),
        ("a.json", '[{"text": "A."},\n{"text": }]', "invalid JSON in line 2"),
        ("a.jsonl", '{"text": "A."}\n{"text": "B."}\n{"text"', "invalid JSON in line 3"),
        ("a.json", "[" * 10_000, "nested too deeply"),
        ("a.json", "[" + "1" * 10_000 + "]", "thousands of digits"),
        ("a.json", "[]", "no record"),
        ("a.json", "5", "record 1 is not an object"),
        ("a.jsonl", '{"text": "A."}\n[1]', "record 2 is not an object"),
        ("a.json", '{"name": "x", "version": 1}', "found: name, version"),
        ("a.json", '[{"question": "A?", "context": {}}]', "record 1 is not in that format"),
        (
            "a.jsonl",
            f'{{"query-id": "q", "corpus-id": "d", "score": 1{"0" * 400}}}',
            "record 1 is not in that format",
        ),
        ("a.csv", "id,text\n1,a,b,c\n", "line 2 has 4 cells for 2 columns"),
        ("a.csv", 'id,text\n1,"never closed\n2,B.\n', "invalid CSV"),
        ("a.csv", "id,text\n", "no rows below the header"),
        ("a.exe", "MZ", "unsupported file type"),
        ("noending", "Words.", "unsupported file type"),
    ],
)
def test_what_is_wrong_is_said(
    tmp_path: Path, name: str, content: bytes | str, reason: str
) -> None:
    assert reason in refused(tmp_path, name, content)


def test_a_file_that_is_too_large(tmp_path: Path) -> None:
    assert "split it" in refused(tmp_path, "a.txt", "a" * 20_001)


def test_a_file_that_is_not_there_or_no_file(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    corpus = read_files([tmp_path / "none.txt", tmp_path / "empty", Path("/dev/null")])
    reasons = [each.reason for each in corpus.rejected]
    assert [reason.split(";")[0] for reason in reasons] == [
        "the file does not exist",
        "no file in the folder",
        "it is neither a file nor a folder",
    ]


@pytest.mark.parametrize("name", ["x" * 5_000, "a\0.txt"])
def test_a_name_that_no_file_can_have(name: str) -> None:
    assert len(read_files([Path(name)]).rejected) == 1


def test_a_pdf_of_a_cipher_without_a_library(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def decrypt(self: PdfReader, password: str) -> int:
        raise DependencyError("cryptography is required")

    content = encrypted_pdf()
    monkeypatch.setattr(PdfReader, "decrypt", decrypt)
    assert "without a password" in refused(tmp_path, "a.pdf", content)


def test_a_gzip_bomb(tmp_path: Path) -> None:
    bomb = gzip.compress(b'{"text": "' + b"a" * 5_000_000 + b'"}', mtime=0)
    assert len(bomb) < 20_000
    assert "unpacked it is larger than" in refused(tmp_path, "a.jsonl.gz", bomb)


def test_a_zip_bomb(tmp_path: Path) -> None:
    bomb = zipped({"a.txt": b"a" * 11_000_000})
    limits = Limits(archive_bytes=2**30)
    assert "suspiciously large size" in refused(tmp_path, "a.zip", bomb, limits)
    assert "; split it" in refused(tmp_path, "a.zip", bomb, Limits(archive_bytes=50_000))
    assert "; split it" in refused(tmp_path, "a.docx", bomb, Limits(archive_bytes=50_000))


def test_a_zip_of_too_many_files(tmp_path: Path) -> None:
    many = zipped({f"{number}.txt": "A." for number in range(6)})
    assert "more than 5 files" in refused(tmp_path, "a.zip", many)


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ("../out.txt", "points outside the archive"),
        ("sub/../../out.txt", "points outside the archive"),
        ("/etc/out.txt", "points outside the archive"),
        ("..\\out.txt", "points outside the archive"),
        ("inner.zip", "not a zip archive"),
        ("inner.tar.gz", "an archive inside an archive"),
        ("inner.jsonl.gz", "the gzip file is incomplete"),
        ("a.png", "images contain no text"),
    ],
)
def test_an_entry_of_a_zip_that_is_refused(tmp_path: Path, entry: str, reason: str) -> None:
    corpus = read(tmp_path, {"a.zip": zipped({entry: "Out.", "good.txt": "Good."})})
    assert [made.text for made in corpus.documents] == ["Good."]
    assert reason in corpus.rejected[0].reason
    assert [path.name for path in tmp_path.iterdir()] == ["a.zip"]


def test_an_archive_in_an_archive_keeps_within_the_limits_of_both(tmp_path: Path) -> None:
    inner = zipped({f"{number}.txt": "A mill." for number in range(3)})
    outer = zipped({"one.zip": inner, "two.zip": inner, "w.txt": "A weir."})
    corpus = read(tmp_path, {"a.zip": outer}, Limits(archive_files=6))
    assert [made.id for made in corpus.documents][-1] == "a.zip/w.txt"
    assert [each.name for each in corpus.rejected] == ["a.zip/two.zip"]
    assert "this archive and the ones before it" in corpus.rejected[0].reason


def test_an_encrypted_and_a_broken_entry_of_a_zip(tmp_path: Path) -> None:
    whole = zipped({"a.txt": "A." * 50})
    with ZipFile(BytesIO(whole)) as archive:
        start = archive.start_dir
    encrypted = bytearray(whole)
    encrypted[6] |= 1  # the flag, in the entry and in the directory
    encrypted[start + 8] |= 1
    assert "without a password" in refused(tmp_path, "a.zip", bytes(encrypted))
    broken = bytearray(whole)
    broken[start - 4 : start] = b"\xff\xff\xff\xff"
    assert "damaged in the archive" in refused(tmp_path, "a.zip", bytes(broken))


def encrypted_pdf() -> bytes:
    writer = PdfWriter(clone_from=PdfReader(BytesIO(pdf("Secret."))))
    writer.encrypt("password", algorithm="RC4-128")
    buffer = BytesIO()
    writer.write(buffer)
    return buffer.getvalue()


def test_an_encrypted_pdf(tmp_path: Path) -> None:
    assert "save it without a password" in refused(tmp_path, "a.pdf", encrypted_pdf())


def test_a_parquet_file_that_holds_far_more_than_its_size(tmp_path: Path) -> None:
    buffer = BytesIO()
    pq.write_table(pa.table({"text": ["a" * 1_000] * 5_000}), buffer)
    assert len(buffer.getvalue()) < 20_000
    assert "too large" in refused(tmp_path, "a.parquet", buffer.getvalue())


def test_a_parquet_file_is_refused_before_it_is_spelled_out(tmp_path: Path) -> None:
    buffer = BytesIO()
    one = pa.DictionaryArray.from_arrays(pa.array([0] * 256), pa.array(["x" * 20_000_000]))
    pq.write_table(pa.table({"text": one}), buffer, compression="gzip")
    assert len(buffer.getvalue()) < 50_000
    limits = Limits(file_bytes=10**6, archive_bytes=10**9)
    assert "too large" in refused(tmp_path, "a.parquet", buffer.getvalue(), limits)


def test_a_huge_line_and_a_huge_cell_are_read(tmp_path: Path) -> None:
    text = "word " * 100_000
    files = {
        "a.txt": text,
        "b.csv": f'id,text\n1,"{text}!"\n',
        "c.jsonl": lines({"text": text + "?"}),
    }
    corpus = read(tmp_path, files)
    assert [len(made.text.split()) for made in corpus.documents] == [100_000] + [100_001] * 2


def test_a_deeply_nested_page(tmp_path: Path) -> None:
    assert only_text(tmp_path, "<div>" * 1_000 + "Deep.") == "Deep."
    assert "nested too deeply" in refused(tmp_path, "a.html", "<div>" * 3_000 + "Deep.")


def only_text(tmp_path: Path, page: str) -> str:
    (made,) = read(tmp_path, {"a.html": page}).documents
    return made.text


def test_values_that_are_no_json_or_no_text_are_cleaned(tmp_path: Path) -> None:
    row = (
        r'{"id": "a\ud800", "title": "b\udfff\n", "text": "c\ud83d \u0000d", '
        r'"x": NaN, "y\ud800": Infinity}'
    )
    (made,) = read(tmp_path, {"a.jsonl": row}).documents
    assert (made.id, made.title, made.text) == ("a", "b", "c d")
    assert dict(made.metadata) == {}
    assert pa.array([made.id, made.title, made.text]).to_pylist() == ["a", "b", "c d"]


def test_a_whole_number_too_long_for_a_float_is_kept(tmp_path: Path) -> None:
    (made,) = read(tmp_path, {"a.jsonl": lines({"text": "A.", "n": 10**400})}).documents
    assert made.metadata["n"] == 10**400


def test_a_name_that_is_no_unicode_is_cleaned(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("A.")
    (made,) = read_files([path], names={path: "b\udcff\n.txt"}).documents
    assert (made.id, made.source) == ("b .txt", "b .txt")


@pytest.mark.parametrize("text", ["<script>alert(1)</script>", "**bold**", "' OR 1=1 --", "שלום"])
def test_markup_in_a_text_stays_text(tmp_path: Path, text: str) -> None:
    (made,) = read(
        tmp_path, {"a.jsonl": lines({"id": text, "title": text, "text": text})}
    ).documents
    assert (made.id, made.title, made.text) == (text, text, text)
