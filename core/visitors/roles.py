"""The current visitor and their role."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from core.errors import NotAllowed
from core.visitors.rules import Rules

Role = Literal["reader", "editor"]


@dataclass(frozen=True, slots=True)
class Visitor:
    """A person at the screen: what the sign-in calls them, and their role.

    Without a name nobody is told apart. A reader may trace, compare and evaluate what is kept; an
    editor may also build, change, delete and spend; without a role, nothing.
    """

    name: str
    role: Role | None

    @property
    def may_edit(self) -> bool:
        return self.role == "editor"

    def need_editor(self) -> None:
        """Raise NotAllowed unless the visitor is an editor."""
        if not self.may_edit:
            raise NotAllowed(
                "Only editors may build, change or delete indexes, or call a model, on this "
                "server. Ask the administrator to add you to HOPRAG_EDITORS."
            )


ANYBODY = Visitor("", "editor")
"""Whoever is there, where nobody is told apart: on one's own machine, or where all may do all."""


def visitor_called(name: str, rules: Rules) -> Visitor:
    """Return the visitor whom the sign-in calls `name`; empty means not signed in."""
    name = lower(name.strip(" "))
    if not name or len(name) > 254 or not name.isprintable():
        return Visitor("", None)
    if _is_listed(name, rules.editors):
        return Visitor(name, "editor")
    return Visitor(name, "reader" if _is_listed(name, rules.readers) else None)


def lower(name: str) -> str:
    """Return `name` in lower case, but for letters that another letter has as its lower case.

    The Kelvin sign becomes a `k` otherwise, and a mailbox that is spelt with it becomes another.
    """
    return "".join(c.lower() if c.lower().upper() == c else c for c in name)


def _is_listed(name: str, patterns: Iterable[str]) -> bool:
    """Check whether `name` matches a pattern: the same name, or `*@domain`."""
    user, _, domain = name.rpartition("@")
    whole = bool(user) and "@" not in user
    return any(name == each or (whole and each == f"*@{domain}") for each in patterns)
