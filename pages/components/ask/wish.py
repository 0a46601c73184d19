"""A question with the retriever it is asked of: as an address, and as a command."""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass

from core.retrievers import Spec
from pages.components.ask.naming import called

USUAL = Spec("hoprag-coverage")
LONGEST_QUESTION = 2000  # characters; it has to fit into an address
OLD = ("chooser", "entry", "top_k", "n_hop")
"""What an address had in the place of `retriever` before there was more than HopRAG to trace."""


@dataclass(frozen=True, slots=True)
class Ask:
    """What is asked of whom. `question` may be empty, which the retriever refuses."""

    question: str = ""
    spec: Spec = USUAL

    @property
    def summary(self) -> str:
        """Who is asked, and what differs from the defaults."""
        return called(self.spec)

    def params(self) -> dict[str, str]:
        """As it stands in the address."""
        return {"q": self.question, "retriever": str(self.spec)}

    def command(self, index: str) -> str:
        """The same from the command line; `index` is the folder's path."""
        said = ("ask", self.question, "--index", index, "--retriever", str(self.spec))
        return shlex.join(["python", "-m", "core", *said, "--trace", "trace.jsonl"])

    @staticmethod
    def from_params(params: Mapping[str, str]) -> "Ask":
        """What an address asks for; settings it does not name have their defaults.

        Raises
        ------
        InputError : there is no such retriever, or a setting has a value that there is not.
        """
        question = params.get("q", "")[:LONGEST_QUESTION]
        if "retriever" in params:
            return Ask(question, Spec.parse(params["retriever"]))
        settings = {name: params[name] for name in OLD[1:] if name in params}
        walk = Spec(f"hoprag-{params['chooser']}") if "chooser" in params else USUAL
        return Ask(question, walk.with_settings(**settings))
