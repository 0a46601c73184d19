"""What an index of some files is called before anybody says so."""

import pytest

from core.corpus import Corpus, FileRead
from core.corpus.index_name import suggest_name
from core.types import Document, Query


def corpus(*names: str, title: str = "Ports of the Ash", dataset: str = "") -> Corpus:
    documents = tuple(Document(name, title, "Text.", name) for name in names)
    asked = (Query("q", "Who?", dataset=dataset),) if dataset else ()
    return Corpus(documents, asked, files=tuple(FileRead(name, "Text", 1, 0) for name in names))


@pytest.mark.parametrize(
    ("names", "wanted"),
    [
        (["Old towns.jsonl"], "Old towns"),
        (["doc1.pdf"], "Ports of the Ash"),
        (["notes.tar/a.txt", "notes.tar/b.txt"], "notes"),
        (["ash-1.md", "ash-2.md"], "ash"),
        (["harbour_1.md", "harbour_2.md", "harbour_10.md"], "harbour"),
        (["floods.html", "people.docx", "ports.md"], "floods and 2 more"),
        (["doc1.pdf", "floods.html"], "floods and 1 more"),
        (["2024-09-09 floods.md", "ports.md"], "floods and 1 more"),
        (["floods.html", "people.docx", "towns.md", "wars.txt"], "floods and 3 more"),
        (["doc1.pdf", "doc2.pdf", "text.txt", "data.txt"], "Ports of the Ash"),
        (["corpus.jsonl"], "Ports of the Ash"),
    ],
)
def test_an_index_is_named_after_what_is_at_hand(names: list[str], wanted: str) -> None:
    assert suggest_name(names, corpus(*names)) == wanted


def test_files_of_questions_name_nothing_while_others_do() -> None:
    made = corpus("ports.md")
    files = (*made.files, FileRead("asked.jsonl", "JSONL questions", 0, 9))
    found = Corpus(made.documents, made.queries, files=files)
    assert suggest_name(["asked.jsonl", "ports.md"], found) == "ports"


def test_a_data_set_names_files_that_say_nothing() -> None:
    found = suggest_name(
        ["train.json", "dev.json"], corpus("train.json", "dev.json", dataset="musique")
    )
    assert found == "musique"
    assert suggest_name(["train.json", "dev.json"], corpus("train.json", "dev.json")) == "train"
