"""Rankings of questions, stored in the index folder, so that each is computed only once.

Rankings are stored, not scores, so that later gold marks count at once. Rankings of an earlier
content of the index are not used.
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
_RANKED = 3  # raise when retrievers rank the same content differently; older rankings are ignored
Ranking = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class KeptRankings:
    """The stored rankings for one content of an index. Safe to share between processes.

    `content` is that of the workbench: passages and graph. `model` is the configured language
    model. The ranking of a retriever that may call a model is valid for that model only, and the
    ranking of a custom retriever for that version of its code only.

    Raises
    ------
    StoreError : by every method, if the file cannot be read or written.
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
        """Return a text that changes whenever the file is written."""
        return self._file.stamp()

    def rankings(self, spec: Spec) -> dict[str, Ranking]:
        """Return all stored rankings of `spec`, by question (`question_key`)."""
        rows = self._file.read(
            "SELECT question, passages FROM kept WHERE content = ? AND retriever = ? AND model = ?",
            *(self.content, str(spec), self._model(spec)),
        )
        return {question: tuple(json.loads(passages)) for question, passages in rows}

    def ranking(self, spec: Spec, question: str) -> Ranking | None:
        """Return the passages that `spec` retrieved for a question, best first; None if unknown."""
        rows = self._file.read(
            "SELECT passages FROM kept"
            " WHERE content = ? AND retriever = ? AND model = ? AND question = ?",
            *(self.content, str(spec), self._model(spec), question_key(question)),
        )
        return tuple(json.loads(rows[0][0])) if rows else None

    def retrievers(self) -> list[Spec]:
        """Return the retrievers with stored rankings, the one with most questions first."""
        rows = self._file.read(
            "SELECT retriever, model FROM kept WHERE content = ?"
            " GROUP BY retriever, model ORDER BY count(*) DESC, retriever",
            self.content,
        )
        known = ((Spec.known(text), model) for text, model in rows)
        return [spec for spec, model in known if spec and model == self._model(spec)]

    def put(self, spec: Spec, found: Mapping[str, Sequence[str]]) -> None:
        """Store the rankings of `spec` by question; delete the rankings of other index contents."""
        with self._file.transaction() as written:
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
        """Return the model that `spec` may call, and the version of a custom retriever."""
        return " ".join(filter(None, (self.model if spec.asks_model else "", spec.version)))


def kept_passages(steps: Iterable[Step]) -> Ranking | None:
    """Return the retrieved passages, or None if they do not represent the retriever.

    This is so if a model was called but decided nothing, and if choices were made by hand.
    """
    recorded = tuple(steps)
    if decided(recorded).nothing or amendments_of(recorded):
        return None
    return tuple(hit.passage_id for hit in result(recorded).hits)
