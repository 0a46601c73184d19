"""Permissions: every function that changes something checks here first."""

from collections.abc import Sequence

from core.ledger import Act, Ledger
from core.models.leave import Leave
from core.settings import settings
from pages.components.shell.visitors.visitor import visitor


def need_editor(what: str = "", about: str = "") -> str:
    """Return the name of the visitor, and log that they do `what` to the index `about`.

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
    """Return permission to call the model, given by an editor's click.

    Raises
    ------
    NotAllowed : the visitor is no editor.
    """
    return Leave(need_editor() or "a click", again)


def done() -> Sequence[Act]:
    """Return the latest actions of visitors; empty for a visitor who is no editor."""
    return Ledger(settings().home).acts() if visitor().may_edit else []
