"""Who may act: every function that changes something asks here first."""

from collections.abc import Sequence

from core.ledger import Act, Ledger
from core.models.leave import Leave
from core.settings import settings
from pages.components.shell.visitors.visitor import visitor


def need_editor(what: str = "", about: str = "") -> str:
    """The name of the visitor, who does `what` to the index `about`; it is written down.

    Raises
    ------
    NotAllowed : they are no editor.
    """
    person = visitor()
    person.need_editor()
    if person.name and what:
        Ledger(settings().home).note(person.name, what, about)
    return person.name


def leave(*, again: bool = False) -> Leave:
    """Leave to ask the model, given by a click of an editor; NotAllowed by anybody else."""
    return Leave(need_editor() or "a click", again)


def done() -> Sequence[Act]:
    """What visitors did last, for an editor to look at."""
    return Ledger(settings().home).acts() if visitor().may_edit else []
