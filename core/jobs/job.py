"""The description of a job, and its JSON form."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

from core.corpus.updates.file_changes import Known
from core.models.leave import Leave
from core.models.money.budget import NO_BUDGET, Budget
from core.places import Place
from core.settings import embedder_name
from core.store.graph_limits import AUTOMATIC, GraphLimits
from core.store.records.json_values import checked
from core.text.import_sources import path_in

Kind = Literal["build", "add", "remove", "edit", "make", "evaluate", "study"]

_PURPOSES: Mapping[Kind, str] = {
    "build": "a build",
    "add": "adding documents",
    "remove": "removing documents",
    "edit": "editing a copy",
    "make": "building for retrievers",
    "evaluate": "an evaluation",
    "study": "a study",
}


@dataclass(frozen=True, slots=True)
class Job:
    """A change of one index, or an evaluation on it, in a process of its own.

    An evaluation has a lock, a journal and a log of its own, in a folder inside of the index's:
    the last change of the index is told beside it, and artefacts can be made meanwhile. So has a
    study, in a folder outside of any index, as it may build several.

    Parameters
    ----------
    index : the folder of the index, or its place in object storage; of a study its own folder.
    files : files and folders to read (build, add), or the file of a study.
    names : what the user calls a file, where that is not its own name (an upload).
    documents : ids of the documents to take out (remove).
    chunking : as `Chunking.parse` reads it (build; adding keeps the index's).
    embedder : name or path (build; adding and removing keep the index's).
    restart : build anew over an index that another embedder made or that cannot be read.
    artefacts : names of what is to be made (make); what they need is made too.
    maker : who makes the pseudo-queries, `rules` or the name of a model (build; adding and
        removing keep the index's). Where the model is and its key are never part of a job.
    hub_limit : a name in more passages raises no questions by rules; 0 is automatic (build; adding
        and removing keep the index's).
    limits : limits of the graph (build; adding and removing keep the index's).
    budget : the most that it may pay the model for.
    known : what is done with a file of a known name that brings other documents (add).
    by : the person who began it, where visitors are told apart.
    run : the run that is measured (evaluate), which says what is asked of what.
    again : ask the model once more for what it answered before and could not be used. Adding then
        needs no file.
    source : the index that is copied (edit), or that a study without data of its own is run on.
    edits : what is edited, as `core.edits.Edits.to_json` writes it (edit).
    extraction : a file of entities and triples (build; other changes keep the index's).
    extractor : name of the model that extracts entities and triples; empty for a file or rules
        (build; other changes keep the index's).
    gold_names : by a name that gold has and no document, the title that it means (build, add).
    references : read reference lists and markers such as [1] as text (build, add).
    on : `ray` or `ray:ADDRESS`, where the stages run (build); this process if it is empty.
    """

    kind: Kind
    index: Place
    files: tuple[Path, ...] = ()
    names: Mapping[Path, str] = field(default_factory=dict)
    documents: tuple[str, ...] = ()
    artefacts: tuple[str, ...] = ()
    chunking: str = "fit"
    embedder: str = ""
    restart: bool = False
    maker: str = "rules"
    hub_limit: int = 0
    limits: GraphLimits = AUTOMATIC
    budget: Budget = NO_BUDGET
    known: Known = "ask"
    by: str = ""
    again: bool = False
    run: str = ""
    on: str = ""
    source: str = ""
    edits: str = ""
    references: bool = False
    extraction: Path | None = None
    extractor: str = ""
    gold_names: Mapping[str, str] = field(default_factory=dict)

    @property
    def place(self) -> Place:
        """The folder with its lock, its journal and its log."""
        return evaluation_place(self.index) if self.kind == "evaluate" else self.index

    @property
    def leave(self) -> Leave:
        """The permission to call the model, by the person who gave it."""
        return Leave(self.by or f"a job: {self.purpose}", self.again)

    @property
    def purpose(self) -> str:
        """A phrase for people who find the index locked."""
        return _PURPOSES[self.kind]

    @property
    def maker_name(self) -> str:
        """The name of the maker, with that of its file as the user knows it."""
        path = path_in(self.maker)
        kind = self.maker.partition(":")[0]
        return f"{kind}:{self.names.get(path, path.name)}" if path else self.maker

    def to_dict(self) -> dict[str, Any]:
        """Return JSON values without the path of the index, which may be renamed later."""
        return {
            "kind": self.kind,
            "files": [str(path.absolute()) for path in self.files],
            "names": {str(path.absolute()): name for path, name in self.names.items()},
            "documents": list(self.documents),
            "artefacts": list(self.artefacts),
            "chunking": self.chunking,
            "embedder": embedder_name(self.embedder),
            "restart": self.restart,
            "maker": self.maker,
            "hub_limit": self.hub_limit,
            "limits": asdict(self.limits),
            "budget": asdict(self.budget),
            "known": self.known,
            "by": self.by,
            "again": self.again,
            "run": self.run,
            "on": self.on,
            "source": self.source,
            "edits": self.edits,
            "references": self.references,
            "extraction": str(self.extraction.absolute()) if self.extraction else "",
            "extractor": self.extractor,
            "gold_names": dict(self.gold_names),
        }

    @staticmethod
    def from_dict(raw: Mapping[str, Any], place: Place) -> "Job":
        """Return the job that `to_dict` wrote.

        Parameters
        ----------
        place : the folder of its journal.

        Raises
        ------
        ValueError, TypeError, KeyError : it is damaged.
        """
        if raw["kind"] not in _PURPOSES:
            raise ValueError(f"unknown kind of job {raw['kind']!r}")
        if raw.get("known", "ask") not in get_args(Known):
            raise ValueError(f"nothing is called {raw['known']!r} that is done with known files")
        return Job(
            kind=raw["kind"],
            index=place.parent if raw["kind"] == "evaluate" else place,
            files=tuple(map(Path, raw["files"])),
            names={Path(path): str(name) for path, name in dict(raw["names"]).items()},
            documents=tuple(map(str, raw["documents"])),
            artefacts=tuple(map(str, raw.get("artefacts", ()))),
            chunking=str(raw["chunking"]),
            embedder=str(raw["embedder"]),
            restart=bool(raw["restart"]),
            maker=str(raw.get("maker", "rules")),
            hub_limit=int(raw.get("hub_limit", 0)),
            limits=checked(GraphLimits, raw.get("limits", {})),
            budget=checked(Budget, raw.get("budget", {})),
            known=raw.get("known", "ask"),
            by=str(raw.get("by", "")),
            again=bool(raw.get("again", False)),
            run=str(raw.get("run", "")),
            on=str(raw.get("on", "")),
            source=str(raw.get("source", "")),
            edits=str(raw.get("edits", "")),
            references=bool(raw.get("references", False)),
            extraction=Path(given) if (given := str(raw.get("extraction", ""))) else None,
            extractor=str(raw.get("extractor", "")),
            gold_names=checked(dict[str, str], raw.get("gold_names", {})),
        )

    @staticmethod
    def from_json(text: str, place: Place) -> "Job":
        return Job.from_dict(json.loads(text), place)


def evaluation_place(index: Place) -> Place:
    """Return the folder of the journal of evaluations of an index."""
    return index / "evaluation"
