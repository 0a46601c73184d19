"""What retrievers kept for questions, held beside the index: asked once, known after a reload.

A ranking, not a score, is what is held: gold that is marked later counts at once. What an index
held before it changed counts for nothing any more.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.artefacts.workbench import Workbench
from core.counterfactual import amendments_of
from core.marks.store import question_key
from core.places import Place
from core.playback.decided import decided
from core.retrievers import Spec
from core.steps import Step, result
from core.store.locking.sqlite_file import SmallFile

FILE = "outcomes.sqlite"
_TABLES = (
    "CREATE TABLE kept (content TEXT NOT NULL, retriever TEXT NOT NULL, model TEXT NOT NULL,"
    " question TEXT NOT NULL, passages TEXT NOT NULL,"
    " PRIMARY KEY (content, retriever, model, question)) WITHOUT ROWID",
)
_RANKED = 3  # raised when retrievers rank the same content otherwise: what was held counts no more
Ranking = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class KeptRankings:
    """The rankings held for one content of an index. Safe to share between processes.

    `content` is that of the workbench: passages and graph. `model` is the language model that is
    configured; what a retriever that may ask one found counts for that model only, and what a
    custom retriever found for that version of its code.

    Raises
    ------
    StoreError : by every method, where the file cannot be read or written.
    """

    folder: Place
    content: str
    model: str = ""

    @staticmethod
    def of(workbench: Workbench) -> "KeptRankings":
        oracle = workbench.oracle
        model = oracle.llm.model if oracle else ""
        return KeptRankings(workbench.index.path, f"{workbench.content}-{_RANKED}", model)

    @property
    def path(self) -> Place:
        return self.folder / FILE

    def stamp(self) -> str:
        """A text that changes whenever something is written."""
        return self._file.stamp()

    def rankings(self, spec: Spec) -> dict[str, Ranking]:
        """What `spec` kept, by question (`question_key`)."""
        rows = self._file.read(
            "SELECT question, passages FROM kept WHERE content = ? AND retriever = ? AND model = ?",
            *(self.content, str(spec), self._model(spec)),
        )
        return {question: tuple(json.loads(passages)) for question, passages in rows}

    def ranking(self, spec: Spec, question: str) -> Ranking | None:
        """What `spec` kept for one question; None where that is not known."""
        rows = self._file.read(
            "SELECT passages FROM kept"
            " WHERE content = ? AND retriever = ? AND model = ? AND question = ?",
            *(self.content, str(spec), self._model(spec), question_key(question)),
        )
        return tuple(json.loads(rows[0][0])) if rows else None

    def retrievers(self) -> list[Spec]:
        """Those that were asked, the one with most questions first."""
        rows = self._file.read(
            "SELECT retriever, model FROM kept WHERE content = ?"
            " GROUP BY retriever, model ORDER BY count(*) DESC, retriever",
            self.content,
        )
        known = ((Spec.known(text), model) for text, model in rows)
        return [spec for spec, model in known if spec and model == self._model(spec)]

    def put(self, spec: Spec, found: Mapping[str, Sequence[str]]) -> None:
        """Hold what `spec` kept, by question; rankings of what the index held before go."""
        with self._file.writing() as written:
            written.execute("DELETE FROM kept WHERE content != ?", (self.content,))
            written.executemany(
                "INSERT OR REPLACE INTO kept VALUES (?, ?, ?, ?, ?)",
                [
                    (
                        *(self.content, str(spec), self._model(spec)),
                        *(question_key(question), json.dumps(list(passages))),
                    )
                    for question, passages in found.items()
                ],
            )

    @property
    def _file(self) -> SmallFile:
        return SmallFile(self.path, _TABLES)

    def _model(self, spec: Spec) -> str:
        """The model that may have decided, or the version of a custom retriever."""
        return " ".join(filter(None, (self.model if spec.asks_model else "", spec.version)))


def kept_passages(steps: Iterable[Step]) -> Ranking | None:
    """The passages of a result; None where they say nothing of the retriever.

    So it is where a model that was asked decided nothing of it, and where choices are made by hand.
    """
    recorded = tuple(steps)
    if decided(recorded).nothing or amendments_of(recorded):
        return None
    return tuple(hit.passage_id for hit in result(recorded).hits)
