"""What a job is to do, and the same as JSON."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

from core.models.budget import NO_BUDGET, Budget
from core.settings import embedder_name

Kind = Literal["build", "add", "remove", "make"]

_PURPOSES: Mapping[Kind, str] = {
    "build": "a build",
    "add": "adding documents",
    "remove": "removing documents",
    "make": "building what retrievers stand on",
}


@dataclass(frozen=True, slots=True)
class Job:
    """A change of one index, in a process of its own.

    Parameters
    ----------
    index : the folder of the index.
    files : files and folders to read (build, add).
    names : what the user calls a file, where that is not its own name (an upload).
    documents : ids of the documents to take out (remove).
    chunking : as `Chunking.parse` reads it (build; adding keeps the index's).
    embedder : name or path (build; adding and removing keep the index's).
    restart : build anew over an index that another embedder made or that cannot be read.
    artefacts : names of what is to be made (make); what they need is made too.
    maker : who makes the pseudo-queries, `rules` or the name of a model (build; adding and
        removing keep the index's). Where the model is and its key are never part of a job.
    budget : the most that it may pay the model for.
    """

    kind: Kind
    index: Path
    files: tuple[Path, ...] = ()
    names: Mapping[Path, str] = field(default_factory=dict)
    documents: tuple[str, ...] = ()
    artefacts: tuple[str, ...] = ()
    chunking: str = "as-is"
    embedder: str = ""
    restart: bool = False
    maker: str = "rules"
    budget: Budget = NO_BUDGET

    @property
    def purpose(self) -> str:
        """In words, for whoever finds the index locked."""
        return _PURPOSES[self.kind]

    def to_dict(self) -> dict[str, Any]:
        """JSON values. Without the index, which is where they are written: it may be renamed."""
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
            "budget": asdict(self.budget),
        }

    @staticmethod
    def from_dict(raw: Mapping[str, Any], index: Path) -> "Job":
        """The job that `to_dict` wrote. ValueError, TypeError or KeyError if it is damaged."""
        if raw["kind"] not in _PURPOSES:
            raise ValueError(f"no job is called {raw['kind']!r}")
        return Job(
            kind=raw["kind"],
            index=index,
            files=tuple(map(Path, raw["files"])),
            names={Path(path): str(name) for path, name in dict(raw["names"]).items()},
            documents=tuple(map(str, raw["documents"])),
            artefacts=tuple(map(str, raw.get("artefacts", ()))),
            chunking=str(raw["chunking"]),
            embedder=str(raw["embedder"]),
            restart=bool(raw["restart"]),
            maker=str(raw.get("maker", "rules")),
            budget=Budget(**raw.get("budget", {})),
        )

    @staticmethod
    def from_json(text: str, index: Path) -> "Job":
        return Job.from_dict(json.loads(text), index)
