"""Definition of a study: data, retrievers with settings, measures, views, published numbers."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Literal, TypeAlias, get_args

from pydantic import ConfigDict

from core.evidence import GoldLevel
from core.measures import MEASURES
from core.retrievers import Spec
from core.runs.store import searches
from core.runs.store.listing import ANSWERS as OF_ANSWERS

ANSWERS: tuple[str, ...] = tuple(OF_ANSWERS)
"""Measures of a model's answers."""
JUDGED: tuple[str, ...] = ("Judge", "Agreement")
"""Those of them for which a model judges the answers."""
Cost: TypeAlias = Literal[
    "seconds",
    "judgements",
    "calls",
    "tokens",
    "retriever calls",
    "retriever tokens",
    "reader calls",
    "reader tokens",
    "reader seconds",
    "price",
]
COSTS: tuple[Cost, ...] = get_args(Cost)
"""Means per question, less is better. The time is without the embedding of the question; calls and
tokens are of the models that retrieve and read (`core.evaluation.role_costs`), and the price is in
dollars."""
SETS: tuple[str, ...] = ("P", "R", "retrieval F1")
"""Precision, recall and their harmonic mean over all passages that are retrieved, however many
(HopRAG, arXiv 2502.12442, A.3)."""
SHARES: tuple[str, ...] = ("indirect", "irrelevant")
"""Shares of the retrieved passages that are not gold: those with an edge to gold, and the rest
(`core.studies.relevance`). With `P` they are all."""
SIMILARITIES: tuple[str, ...] = tuple(searches.MEASURES)
"""Cosine of the queries of consecutive searches, times 100; neither more nor less is better."""
KNOWN_MEASURES: tuple[str, ...] = (*MEASURES, *SETS, *SHARES, *ANSWERS, *SIMILARITIES, *COSTS)

Kind: TypeAlias = Literal["table", "curve", "bars", "pareto", "heat", "graph"]
Setting: TypeAlias = str | int | float | bool
STRICT = ConfigDict(extra="forbid")
"""No key is read over: a misspelt one is an error."""


@dataclass(frozen=True, slots=True)
class Data:
    """The corpus and the questions of a study.

    Parameters
    ----------
    index : name of an index shown in the app; empty for the one that the study is run on.
    files : documents and questions, of which an index is built.
    openie : entities and triples of these documents, for retrievers over entities.
    questions : a question file; empty for the questions of the index.
    run : id or name of a run of the index, whose questions are asked.
    first : so many questions from the beginning; 0 for all.
    """

    __pydantic_config__ = STRICT
    index: str = ""
    files: tuple[Path, ...] = ()
    openie: Path | None = None
    questions: Path | None = None
    run: str = ""
    first: int = 0


@dataclass(frozen=True, slots=True)
class Models:
    """Names of the models that a study compares, each on the server that is configured for it.

    Parameters
    ----------
    model : models that retrieve, in place of `HOPRAG_LLM`; empty for that one.
    reader : models that answer, in place of `HOPRAG_READER`; empty for that one.
    """

    __pydantic_config__ = STRICT
    model: tuple[str, ...] = ()
    reader: tuple[str, ...] = ()

    @property
    def axes(self) -> dict[str, tuple[str, ...]]:
        """The names by `model` and `reader`, without those that are empty."""
        axes = {"model": self.model, "reader": self.reader}
        return {axis: names for axis, names in axes.items() if names}


@dataclass(frozen=True, slots=True)
class View:
    """A table or chart.

    Parameters
    ----------
    kind : a table of measures; a chart of each measure; or, as `graph`, a table of the sizes of the
        indexes.
    measures : for a table; other kinds show each in a chart of its own.
    by : field of the questions, such as `dataset`, `type` or `hops`: column groups of a table, bars
        of a bar chart. Empty for all questions together.
    over : the setting along the horizontal axis of a curve or heat map.
    rows : the setting along the vertical axis of a heat map.
    against : the cost along the horizontal axis of a Pareto chart.
    """

    __pydantic_config__ = STRICT
    kind: Kind = "table"
    title: str = ""
    measures: tuple[str, ...] = ()
    by: str = ""
    over: str = ""
    rows: str = ""
    against: Cost = "seconds"


@dataclass(frozen=True, slots=True)
class PaperRow:
    """Published numbers of one system; NaN where the paper has none.

    `retriever` is the one of the study that they stand beside, as text; empty for none.
    """

    __pydantic_config__ = STRICT
    system: str
    values: tuple[float, ...]
    retriever: str = ""


@dataclass(frozen=True, slots=True)
class Paper:
    """A table of a paper: `source` names paper and table, `columns` data set and measure.

    Parameters
    ----------
    here : measures of the study that stand beside the published ones; `by` is the field of the
        questions by which they are grouped, empty for all questions together.
    """

    __pydantic_config__ = STRICT
    source: str
    columns: tuple[str, ...]
    rows: tuple[PaperRow, ...]
    here: tuple[str, ...] = ()
    by: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Study:
    """A grid of retrievers and settings on a data set, and how its results are presented.

    Parameters
    ----------
    path : the file that it was read from; `text` is what it holds.
    about : what it shows, in a sentence.
    differs : what differs from the paper: model, embedder, sample.
    retrievers : every retriever with its settings.
    build : settings of the index that is built of `data.files`, each with the values to try.
    models : the models to compare; every retriever is asked with each combination.
    offline : by key, the retriever that stands in where no model is configured.
    answers : whether the model answers from what each retriever finds.
    judge : whether the model then judges each answer.
    """

    path: Path
    text: str = field(repr=False)
    title: str
    retrievers: tuple[Spec, ...]
    measures: tuple[str, ...]
    about: str = ""
    differs: str = ""
    data: Data = Data()
    build: tuple[tuple[str, tuple[Setting, ...]], ...] = ()
    models: Models = Models()
    offline: tuple[tuple[str, str], ...] = ()
    gold: GoldLevel = "evidence"
    answers: bool = False
    judge: bool = False
    views: tuple[View, ...] = (View(),)
    papers: tuple[Paper, ...] = ()

    @property
    def name(self) -> str:
        """The name of the file, without its suffix."""
        return self.path.stem

    @property
    def digest(self) -> str:
        """Return a ten-digit hash of what the study measures, without its views and papers."""
        answers = "judged" if self.judge else self.answers
        asked = (
            *(self.data.questions, self.data.run, self.data.first, self.gold, answers),
            *(list(map(str, self.retrievers)), self.offline),
        )
        return blake2b(repr(asked).encode(), digest_size=5).hexdigest()

    @property
    def swept(self) -> tuple[str, ...]:
        """The settings of a retriever, a build or the models that have more than one value."""
        values: dict[tuple[str, str], set[str]] = {}
        for spec in self.retrievers:
            for name, value in spec.values.items():
                values.setdefault((spec.key, name), set()).add(str(value))
        by_retriever = (name for (_, name), some in values.items() if len(some) > 1)
        others = (*self.build, *self.models.axes.items())
        return tuple(dict.fromkeys([*by_retriever, *_varied_settings(others)]))


def _varied_settings(settings: Iterable[tuple[str, Sequence[Setting]]]) -> list[str]:
    return [name for name, values in settings if len(values) > 1]
