"""Five passages about a football club, as documents that can be built into an index."""

import json
from pathlib import Path

from core.corpus.types import Corpus
from core.progress import Progress
from core.types import Document, Query

TEXTS = {
    "club": (
        "Harbour Rovers",
        "Harbour Rovers is a football club. It was bought by Mara Quist in 1998. "
        "It plays at the Lantern Ground.",
    ),
    "owner": (
        "Mara Quist",
        "Mara Quist is a brewer. She was born in Port Selby. She married Ilo Venn.",
    ),
    "singer": ("Ilo Venn", "Ilo Venn is a singer. He toured with the Low Tide Band."),
    "stadium": ("Lantern Ground", "The Lantern Ground is a stadium. It stands in Port Selby."),
    "town": ("Port Selby", "Port Selby is a town on the River Ash. Its brewery is old."),
}
DOCUMENTS = tuple(Document(key, title, text, f"{key}.txt") for key, (title, text) in TEXTS.items())
QUESTION = Query(
    "q1", "In which town was the owner of Harbour Rovers born?", ("Port Selby",), ("owner", "town")
)


def corpus(*documents: Document, queries: tuple[Query, ...] = (QUESTION,)) -> Corpus:
    return Corpus(documents=documents or DOCUMENTS, queries=queries)


def write_files(folder: Path) -> Path:
    """The passages as a file that can be built."""
    path = folder / "Fünf Texte.jsonl"
    rows = [{"id": key, "title": title, "text": text} for key, (title, text) in TEXTS.items()]
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


def write_asked(folder: Path) -> Path:
    """The question as a file."""
    path = folder / "questions.jsonl"
    row = {"id": "q1", "question": QUESTION.text, "gold": list(QUESTION.gold), "dataset": "five"}
    path.write_text(json.dumps(row))
    return path


def silent(progress: Progress) -> None:
    """A report that nobody reads."""
