"""A question with the settings of its walk, as a form, as an address, and as a command."""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, cast, get_args

from core.errors import InputError
from core.retrievers.hoprag.walking import ENTRIES, Entry

Chooser = Literal["coverage", "similarity", "llm"]
CHOOSERS: tuple[Chooser, ...] = get_args(Chooser)
USUAL_ENTRY: dict[Chooser, Entry] = {"coverage": "hybrid", "similarity": "edge", "llm": "edge"}
"""Where the walk of each starts unless another entry is chosen, as its retriever has it."""
MOST_KEPT = 100
LONGEST_QUESTION = 2000  # characters; it has to fit into an address
MOST_HOPS = 8


@dataclass(frozen=True, slots=True)
class Ask:
    """What is asked and how. `question` may be empty, which the retriever refuses."""

    question: str = ""
    chooser: Chooser = "coverage"
    entry: Entry = "hybrid"
    top_k: int = 20
    n_hop: int = 4

    @property
    def retriever(self) -> str:
        """The key of its card."""
        return f"hoprag-{self.chooser}"

    @property
    def settings(self) -> dict[str, int | str]:
        """Fields of the retriever."""
        return {"top_k": self.top_k, "n_hop": self.n_hop, "entry": self.entry}

    @property
    def summary(self) -> str:
        hops = "1 hop" if self.n_hop == 1 else f"{self.n_hop} hops"
        return f"{self.chooser} · {self.entry} · top {self.top_k} · {hops}"

    def params(self) -> dict[str, str]:
        """As it stands in the address."""
        return {
            "q": self.question,
            "chooser": self.chooser,
            "entry": self.entry,
            "top_k": str(self.top_k),
            "n_hop": str(self.n_hop),
        }

    def command(self, index: str) -> str:
        """The same from the command line; `index` is the folder's path."""
        return (
            f"python -m core ask {shlex.quote(self.question)} --index {shlex.quote(index)} "
            f"--retriever {self.retriever} --top-k {self.top_k} --hops {self.n_hop} "
            "--trace trace.jsonl"
        )

    @staticmethod
    def from_params(params: Mapping[str, str]) -> "Ask":
        """What an address asks for; settings it does not name have their defaults.

        Raises
        ------
        InputError : a setting has a value that there is not.
        """
        plain = Ask()
        chooser = cast(Chooser, _one_of(params, "chooser", CHOOSERS, plain.chooser))
        return Ask(
            question=params.get("q", "")[:LONGEST_QUESTION],
            chooser=chooser,
            entry=cast(Entry, _one_of(params, "entry", ENTRIES, USUAL_ENTRY[chooser])),
            top_k=_number(params, "top_k", MOST_KEPT, plain.top_k),
            n_hop=_number(params, "n_hop", MOST_HOPS, plain.n_hop),
        )


def _one_of(params: Mapping[str, str], name: str, known: tuple[str, ...], default: str) -> str:
    value = params.get(name, default)
    if value not in known:
        raise InputError(
            f"The address asks for {name}={value[:40]!r}, which there is not; "
            f"write one of {', '.join(known)}."
        )
    return value


def _number(params: Mapping[str, str], name: str, most: int, default: int) -> int:
    value = params.get(name, str(default))
    if not (value.isascii() and value.isdigit() and len(value) < 10 and 1 <= int(value) <= most):
        raise InputError(
            f"The address asks for {name}={value[:40]!r}; write a whole number from 1 to {most}."
        )
    return int(value)
