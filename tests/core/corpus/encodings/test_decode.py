"""Encodings that no file names: the right letters, and a note that they were guessed."""

from pathlib import Path

import pytest

from tests.core.corpus.documents.reading import only
from tests.core.corpus.files import read

GUESSED = "(a guess); save the file as UTF-8 if letters look wrong"


@pytest.mark.parametrize(
    ("encoding", "name", "text"),
    [
        ("cp1250", "windows-1250", "Młyn w Orrinie zbudowała Ada Finch. Żółta łódź płynie rzeką."),
        ("cp1250", "windows-1250", "Příliš žluťoučký kůň úpěl ďábelské ódy."),
        ("cp1254", "windows-1254", "Değirmeni Ada Finch inşa etti. Iğdır şehri güzeldir."),
        ("iso8859_15", "ISO-8859-15", "Der Preis beträgt 5 € für die Mühle. Œuvre."),
        ("mac_roman", "Mac Roman", "Die Mühle gehört Müller. Größe: fünf."),
        ("cp437", "cp437", "Mühle für öl und Größe."),
        ("cp1252", "windows-1252", "He said “no” – it’s the café’s fault… £5 fee."),
        ("cp1252", "windows-1252", "L'été, la forêt où j'ai été élevé coûte 5 €. À bientôt, cœur."),
        ("cp1252", "windows-1252", "café"),
        ("cp1252", "windows-1252", "Gale é"),
        ("cp1252", "windows-1252", "José "),
        ("cp1252", "windows-1252", "El niño comió en la mañana, ¿qué pasó?"),
        ("cp1251", "windows-1251", "Мельница в Оррине была построена Адой Финч в 1790 году."),
        ("koi8_r", "KOI8-R", "Мельница в Оррине была построена Адой Финч в 1790 году."),
        ("cp932", "Shift-JIS", "水車小屋は1790年にエイダ・フィンチが建てた。川のそばにある。"),
        ("utf-16-le", "UTF-16 without a byte order mark", "Die Mühle steht in Orrin."),
        ("utf-16-be", "UTF-16 without a byte order mark", "Мельница в Оррине."),
    ],
)
def test_letters_are_right_and_the_guess_is_said(
    tmp_path: Path, encoding: str, name: str, text: str
) -> None:
    made, (note,) = only(tmp_path, "a.txt", text.encode(encoding))
    assert made.text == text.strip()
    assert note.endswith(f"decoded as {name} {GUESSED}")


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("iso8859_7", "Αθήνα"),
        ("cp1253", "Ο μύλος είναι παλιός."),
        ("cp1255", "שלום עולם"),
        ("cp1255", "הטחנה ישנה מאוד."),
        ("gb18030", "中国"),
        ("gb18030", "水车很古老。"),
        ("euc_jp", "水車は古いです。"),
        ("euc_jp", "カタカナ"),
        ("cp932", "こんにちは"),
        ("cp949", "한국어"),
        ("big5", "水車很古老。"),
        ("cp1251", "Москва"),
        ("koi8_r", "Привет мир"),
        ("cp1256", "الطاحونة قديمة."),
        ("tis_620", "โรงสีเก่ามาก"),
        ("cp1252", "café crème"),
    ],
)
@pytest.mark.parametrize("form", ["{}", "id,text\n1,{}\n"])
def test_a_few_words_of_any_script(tmp_path: Path, encoding: str, text: str, form: str) -> None:
    name = "a.csv" if "," in form else "a.txt"
    made, found = only(tmp_path, name, form.format(text).encode(encoding))
    assert made.text == text
    assert any("(a guess" in note for note in found)


def test_where_two_encodings_are_near_the_note_names_both(tmp_path: Path) -> None:
    _, (note,) = only(tmp_path, "a.txt", "สวัสดี".encode("tis_620"))
    assert "GB18030 (a guess; TIS-620 is nearly as likely); save the file" in note


def test_a_text_of_utf_8_with_other_bytes_in_it(tmp_path: Path) -> None:
    content = "Mühle in UTF-8. ".encode() + "Mühle in Latin-1.".encode("latin-1")
    made, notes = only(tmp_path, "a.txt", content)
    assert made.text == "Mühle in UTF-8. Mühle in Latin-1."
    assert notes == ["1 byte in a text of UTF-8 read as windows-1252; save the file as UTF-8"]


def test_another_script_in_utf_8_with_a_broken_byte(tmp_path: Path) -> None:
    text = "Мельница в Оррине была построена Адой Финч. " * 20
    made, notes = only(tmp_path, "a.txt", text.encode() + b"\xe9t\xe9")
    assert made.text == f"{text}été"
    assert notes == ["2 bytes in a text of UTF-8 read as windows-1252; save the file as UTF-8"]


@pytest.mark.parametrize("mark", [b"", b"\xff\xfe"])
def test_records_in_utf_16(tmp_path: Path, mark: bytes) -> None:
    content = "id\ttitle\ttext\r\n1\tMühle\tDie Mühle steht in Orrin.\r\n".encode("utf-16-le")
    corpus = read(tmp_path, {"a.csv": mark + content})
    assert [made.title for made in corpus.documents] == ["Mühle"]
    assert len(corpus.notes) == (not mark)


@pytest.mark.parametrize("content", ["Mühle".encode(), "Mühle".encode("utf-16"), b"Mill"])
def test_what_is_known_is_no_guess(tmp_path: Path, content: bytes) -> None:
    assert only(tmp_path, "a.txt", content)[1] == []


def test_bytes_that_an_encoding_has_no_letter_for_are_counted(tmp_path: Path) -> None:
    content = "Мельница в Оррине была построена Адой Финч. ".encode("cp1251") * 2000 + b"\x98"
    _, notes = only(tmp_path, "a.txt", content)
    assert "1 byte that are invalid in the guessed encoding" in notes
