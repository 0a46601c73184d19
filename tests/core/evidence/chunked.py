"""One corpus under two chunkings: evidence that is whole in one and split in the other."""

from pathlib import Path

from core.artefacts.workbench import Workbench
from core.corpus.chunking.chunker import Chunking
from core.indexing.updates import build
from core.retrievers import Spec
from core.runs import Run, Runs
from core.runs.measuring import begin, measure
from core.runs.question_sets import own_questions
from core.store.index import Index
from tests.core.corpus.files import lines, read
from tests.core.fakes import WordEmbedder
from tests.core.five import silent

FERRY = "The ferry Osprey was rebuilt by the Tamsin yard in 1988."
YARD = "The Tamsin yard was founded by the welder Iris Colm."
BOTH = f"{FERRY} It took the yard all of the summer."
ASKED = "Who founded the yard that rebuilt the ferry Osprey?"
DOCUMENTS = (
    {"id": "osprey", "title": "Osprey", "text": f"Critics liked the light. {BOTH}"},
    {"id": "tamsin", "title": "Tamsin", "text": f"Yards come and go. {YARD}"},
)
QUESTION = {
    "id": "q",
    "question": ASKED,
    "answers": ["Iris Colm"],
    "gold": ["osprey", "tamsin"],
    "evidence": [
        {"text": BOTH, "document": "osprey", "hop": 1, "asks": "Who rebuilt the Osprey?"},
        {"text": YARD, "document": "tamsin", "hop": 2, "asks": "Who founded the yard?"},
    ],
}
OTHER = {"id": "r", "question": "Where is Port Selby?", "gold": ["tamsin"]}


def chunked(folder: Path, chunking: str, *questions: dict[str, object]) -> Index:
    """The corpus in passages of one `chunking`, with `QUESTION` or others."""
    files = {"c.jsonl": lines(*DOCUMENTS), "q.jsonl": lines(*(questions or (QUESTION,)))}
    corpus = read(folder.parent / f"files of {folder.name}", files)
    build(folder, corpus, WordEmbedder(), silent, chunking=Chunking.parse(chunking))
    return Index.open(folder)


def asked(index: Index, *specs: str, name: str = "First", level: str = "evidence") -> Run:
    """A finished run of the index's own questions."""
    workbench = Workbench(index, WordEmbedder(), making=silent)
    questions = own_questions(index, level)  # type: ignore[arg-type]
    run = begin(workbench, questions, list(map(Spec.parse, specs or ("bm25",))), name=name)
    measure(run, workbench)
    return Runs(index.path).get(run.id)
