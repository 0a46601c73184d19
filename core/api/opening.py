"""Open or build an index."""

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from core.api.progress import run_with_bars
from core.artefacts.opening import open_workbench, oracle_of
from core.artefacts.stored_artefacts import missing, not_there
from core.artefacts.workbench import Workbench
from core.corpus.extraction_files import read_extraction
from core.errors import InputError
from core.hop_graph.pseudo_queries import RULES
from core.jobs import Job
from core.jobs.maker import metered
from core.library import catalogue
from core.models.embedder import Embedder
from core.models.leave import Leave
from core.models.money.budget import NO_BUDGET, Budget
from core.models.oracle import Oracle
from core.places import Place
from core.retrievers import Spec
from core.settings import settings
from core.shipping.sample import NAME as SAMPLE
from core.shipping.sample import build_job, install
from core.store.background_verification import verifying
from core.store.graph_limits import check_limit, graph_limits
from core.store.index import Index
from core.store.metadata import Meta
from core.store.tables import read_meta
from core.text.display.plurals import number

if TYPE_CHECKING:
    import pandas as pd

_LEAVE = Leave("a notebook or script")


@dataclass(frozen=True, slots=True, eq=False)
class OpenIndex:
    """An index with its embedder and the configured language model, ready to be queried.

    Parameters
    ----------
    workbench : what retrievers work on (`core.artefacts.workbench.Workbench`).
    builds : build what a retriever stands on when it is asked for, if no model has to be called.
    """

    workbench: Workbench
    builds: bool = True

    @staticmethod
    def at(
        place: Place, embedder: Embedder, *, meta: Meta | None = None, oracle: Oracle | None = None
    ) -> "OpenIndex":
        """Open an index whose embedder is loaded (`core.artefacts.opening.open_workbench`)."""
        return OpenIndex(open_workbench(place, embedder, oracle, meta=meta))

    @property
    def index(self) -> Index:
        """The index itself: passages, pseudo-queries and edges."""
        return self.workbench.index

    @property
    def name(self) -> str:
        return self.index.name

    def __repr__(self) -> str:
        counts = self.index.meta.counts
        return (
            f"<Index {self.name}: {number(counts.vertices, 'passage')}, "
            f"{number(counts.edges, 'edge')}, {number(counts.questions, 'question')}>"
        )

    def passages(self) -> "pd.DataFrame":
        """Return all passages: a row each, with id, document, title and text."""
        import pandas as pd

        rows = [
            (one.id, one.document_id, one.position, one.title, one.text)
            for one in self.index.passages
        ]
        return pd.DataFrame(rows, columns=["id", "document", "position", "title", "text"])

    def questions(self) -> "pd.DataFrame":
        """Return the questions of the index: a row each, with id, question, answer and evidence."""
        import pandas as pd

        rows = [
            (one.id, one.text, one.type, " / ".join(one.answers), [e.text for e in one.evidence])
            for one in self.index.questions
        ]
        return pd.DataFrame(rows, columns=["id", "question", "type", "answer", "evidence"])

    @contextmanager
    def asking(self, specs: Iterable[Spec], budget: Budget | None) -> Iterator[Workbench]:
        """Yield the workbench for `specs`, after building the artefacts that they need.

        Parameters
        ----------
        budget : the most that model calls may cost. None: no model is called, and cached replies
            are used where there are any.

        Raises
        ------
        ArtefactMissing : something has to be built first, and a model would have to be called for
            it or `builds` is false; the command `make` builds it.
        InputError : the budget is in money and the price of the model is unknown.
        """
        bench = self.workbench
        wanted = missing([need for spec in specs for need in spec.needs], bench)
        if wanted and (not self.builds or any(each.asks(bench.oracle) for each in wanted)):
            raise not_there(wanted, bench)
        if wanted:
            names = tuple(one.name for one in wanted)
            run_with_bars(Job("make", self.index.path, artefacts=names))
        endpoint = settings().endpoint
        if bench.oracle is None or endpoint is None or budget is None:
            yield bench
            return
        oracle, _ = metered(self.index.path, endpoint, _LEAVE, budget)
        yield bench.with_oracle(oracle)


def open_index(name: str | os.PathLike[str]) -> OpenIndex:
    """Open an index.

    Its files are verified while the embedder is loaded, except those of a large index or in object
    storage, for which that would take longer (`python -m core info --verify`).

    Parameters
    ----------
    name : the name of an index shown in the app, the path of its folder, or a URI in object
        storage.

    Raises
    ------
    IndexMissing : there is no such index.
    StoreError : a file of it is damaged.
    """
    from core.models.embedder import load_embedder  # loads torch

    os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    folder = catalogue.find(os.fspath(name))
    meta = read_meta(folder)
    with verifying(folder, meta):
        embedder = load_embedder(meta.embedder.name)
        return OpenIndex.at(folder, embedder, oracle=oracle_of(folder, settings().endpoint))


def build(
    files: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    name: str | os.PathLike[str],
    *,
    chunking: str = "fit",
    embedder: str = "",
    pseudo_queries: str | os.PathLike[str] | None = None,
    graph: str | os.PathLike[str] | None = None,
    openie: str | os.PathLike[str] | None = None,
    extract: float | Budget | None = None,
    hub_limit: int = 0,
    in_questions: int = 0,
    out_questions: int = 0,
    edge_cap: int = 0,
    replace: bool = False,
) -> OpenIndex:
    """Build an index of documents, with pseudo-queries by rules or from a file, and open it.

    Documents may bring vectors (a column `vector`, or a `.npy` file beside a `.jsonl`); `embedder`
    is then the model that made them, and embeds pseudo-queries and questions.

    A build that was stopped resumes. Pseudo-queries by a language model take the command
    `python -m core build --maker model`; with `--pilot` it says first what they cost, and with
    `--pilot --extract` what entities and triples do.

    Parameters
    ----------
    files : files and folders to read; question files among them become questions of the index.
    name : name of the index, or a path.
    chunking : fit, as-is, paragraph, sentence, or tokens:SIZE:OVERLAP.
    embedder : name or folder of the embedder; the configured one if empty.
    pseudo_queries : JSON Lines of {passage, in: [{question, evidence}], out: […]}, or the cache of
        the official HopRAG code (`node2questiondict.pkl`).
    graph : GraphML, or a CSV, TSV or JSON Lines file of source, target, question and weight, whose
        edges replace those of pseudo-queries.
    openie : entities and triples for retrievers over entities: HippoRAG's OpenIE results, or JSON
        Lines of {passage, entities, triples}.
    extract : have the configured model extract entities and triples instead, with one call for each
        passage, for at most so many dollars. None: rules or `openie`.
    hub_limit : rules generate no out-questions for a name in more passages than this; 0 for 20
        passages or 1% of all, whichever is larger.
    in_questions, out_questions : maximum numbers of rule-based pseudo-questions per passage (2 and
        4 in the paper); 0 for an in-question per sentence and an out-question per name.
    edge_cap : maximum number of edges per passage, on average; 0 for ln n, for n passages.
    replace : replace an index that is damaged or was built with another embedder.

    Raises
    ------
    InputError : a file cannot be read, there is no text in any, a limit is out of range, or no
        model is configured that could extract.
    BudgetReached : the budget of `extract` is used up; build again to resume.
    IndexLocked : another process is writing the index.
    """
    endpoint = settings().endpoint
    if extract is not None and endpoint is None:
        raise InputError("No language model is configured. Set HOPRAG_LLM to its name.")
    if extract is not None and openie is not None:
        raise InputError("Give either openie or extract: both are entities and triples.")
    several = [files] if isinstance(files, str | os.PathLike) else files
    check_limit("hub_limit", hub_limit)
    job = Job(
        "build",
        catalogue.find(os.fspath(name)),
        files=tuple(Path(one) for one in several),
        chunking=chunking,
        embedder=embedder,
        restart=replace,
        maker=maker_of_file(pseudo_queries, graph) or RULES.name,
        extraction=Path(openie).resolve() if openie is not None else None,
        extractor=endpoint.model if endpoint and extract is not None else "",
        budget=allowed(extract) or NO_BUDGET,
        hub_limit=hub_limit,
        limits=graph_limits(in_questions, out_questions, edge_cap),
    )
    prepare_build(job)
    run_with_bars(job)
    return open_index(name)


def maker_of_file(
    pseudo_queries: str | os.PathLike[str] | None, graph: str | os.PathLike[str] | None
) -> str:
    """Return the name of the maker that takes pseudo-queries or a graph from a file.

    The file is read once, so that its errors come before the build. Empty without a file.

    Raises
    ------
    InputError : both are given, or the file cannot be read.
    """
    from core.jobs.made_elsewhere import read_made
    from core.text.import_sources import FILE, GRAPH

    if pseudo_queries is not None and graph is not None:
        raise InputError("Give either pseudo-queries or a graph: a graph has its own questions.")
    for prefix, file in ((FILE, pseudo_queries), (GRAPH, graph)):
        if file is not None:
            maker = f"{prefix}{Path(file).resolve()}"
            read_made(maker)
            return maker
    return ""


def prepare_build(job: Job) -> None:
    """Read the entities and triples of a build once, and fetch its embedder.

    Raises
    ------
    InputError : the file cannot be read.
    ModelError : the embedder is not to be had.
    """
    from core.models.embedder import fetch_embedder

    if job.extraction:
        read_extraction(job.extraction)
    fetch_embedder(job.embedder)


def open_sample() -> OpenIndex:
    """Open the index of the sample, which is unpacked or built if it is not there yet.

    Raises
    ------
    InputError : the home folder cannot be written.
    """
    home = settings().indexes
    if not catalogue.holds(home, SAMPLE) and not install(home, settings().embedder):
        run_with_bars(build_job(home, settings().embedder))
    return open_index(SAMPLE)


def allowed(budget: float | Budget | None) -> Budget | None:
    """Return a budget in dollars as `Budget`.

    Raises
    ------
    InputError : it is not greater than zero.
    """
    return budget if isinstance(budget, Budget) or budget is None else Budget(money=budget)
