"""Imported results of another pipeline in an address, as a badge, and in a list.

In an address it is `imported(column=llamaindex,run=5f0c…)`; without a run it is of the spans that
are open on Trace.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from core.errors import InputError
from core.retrievers import CARDS, Card, Spec
from core.retrievers.custom.registered import badges_of
from core.retrievers.spec_syntax import Written, quoted, read, refused
from pages.components.ask.retriever_names import called

KEY = "imported"


@dataclass(frozen=True, slots=True)
class ImportedColumn:
    """Results of another pipeline.

    Parameters
    ----------
    name : of a column of a run, or of a pipeline.
    run : the id of the run; empty for the spans that are open.
    """

    name: str
    run: str = ""

    @staticmethod
    def is_one(text: str) -> bool:
        """Return whether a text of an address names imported results, and no retriever."""
        try:
            return _names_imported(read(text))
        except InputError:
            return False

    @staticmethod
    def parse(text: str) -> "ImportedColumn":
        """Return the results that a text of an address names.

        Raises
        ------
        InputError : it names none.
        """
        written = read(text)
        told = dict(written.settings)
        name, run = told.get("column"), told.get("run", "")
        if not _names_imported(written) or not isinstance(name, str) or not isinstance(run, str):
            raise refused(text, "imported results are named by a column and a run")
        return ImportedColumn(name, run)

    def __str__(self) -> str:
        run = f",run={quoted(self.run)}" if self.run else ""
        return f"{KEY}(column={quoted(self.name)}{run})"

    @property
    def card(self) -> Card:
        """Return the label of an imported column; its badge may be shared with another one."""
        taken = {card.badge for card in CARDS.values()}
        return Card(
            key=KEY,
            title=self.name,
            badge=next(each for each in badges_of(self.name) if each not in taken),
            family="imported",
            summary="Results imported from another pipeline.",
            paper="an imported run" if self.run else "spans opened on Trace",
        )


Compared = Spec | ImportedColumn
"""A column of a comparison."""


def compared_name(one: Compared) -> str:
    """Return the display name of a column: its title and the settings that differ from the
    defaults.
    """
    return called(one, but=["top_k"]) if isinstance(one, Spec) else one.name


def _names_imported(written: Written) -> bool:
    return written.key == KEY and "column" in dict(written.settings)


def parsed(texts: Iterable[str]) -> tuple[ImportedColumn, ...]:
    """Return the imported results that texts of an address name, each once."""
    return tuple(
        dict.fromkeys(ImportedColumn.parse(one) for one in texts if ImportedColumn.is_one(one))
    )
