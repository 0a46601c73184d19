"""Write reviews, labels and saved filters, as an editor."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from core.reviews import Act, Change, Code, Codes, Key, Review, Reviews, Views
from core.store.index import Index
from pages.components.shell.actions.permissions import need_editor


def say(index: Index, typed: str, changes: Iterable[Change]) -> list[Review]:
    """As `Reviews.say`, by this visitor, or where they have no name by the one that was typed."""
    return Reviews(index.path).say(need_editor() or typed, changes)


def write_note(index: Index, typed: str, change: Change, before: str) -> Review | None:
    """As `Reviews.write_note`, by this visitor."""
    return Reviews(index.path).write_note(need_editor() or typed, change, before)


def undo(index: Index, typed: str, of: Collection[Key]) -> Act:
    """As `Reviews.undo`, of what this visitor did."""
    return Reviews(index.path).undo(need_editor() or typed, of)


def redo(index: Index, typed: str, of: Collection[Key]) -> Act:
    """As `Reviews.redo`, of what this visitor undid."""
    return Reviews(index.path).redo(need_editor() or typed, of)


def add_code(index: Index, name: str) -> Code:
    """As `Codes.add`, by this visitor."""
    need_editor()
    return Codes(Reviews(index.path)).add(name)


def rename_code(index: Index, typed: str, code: int, name: str) -> None:
    """As `Codes.rename`, by this visitor."""
    Codes(Reviews(index.path)).rename(need_editor() or typed, code, name)


def merge_codes(index: Index, typed: str, codes: Sequence[int], name: str) -> None:
    """As `Codes.merge`, by this visitor."""
    Codes(Reviews(index.path)).merge(need_editor() or typed, codes, name)


def rename_axial(index: Index, typed: str, before: str, name: str) -> None:
    """As `Codes.rename_axial`, by this visitor."""
    Codes(Reviews(index.path)).rename_axial(need_editor() or typed, before, name)


def split_codes(index: Index, typed: str, codes: Sequence[int]) -> None:
    """As `Codes.split`, by this visitor."""
    Codes(Reviews(index.path)).split(need_editor() or typed, codes)


def divide_code(index: Index, typed: str, code: int, name: str, reviews: Sequence[Review]) -> Code:
    """As `Codes.divide`, by this visitor."""
    return Codes(Reviews(index.path)).divide(need_editor() or typed, code, name, reviews)


def drop_unused_codes(index: Index, typed: str) -> list[Code]:
    """As `Codes.drop_unused`, by this visitor."""
    return Codes(Reviews(index.path)).drop_unused(need_editor() or typed)


def save_view(index: Index, name: str, view: Mapping[str, str]) -> None:
    """As `Views.save`, by this visitor."""
    need_editor()
    Views(Reviews(index.path)).save(name, view)


def drop_view(index: Index, name: str) -> None:
    """As `Views.drop`, by this visitor."""
    need_editor()
    Views(Reviews(index.path)).drop(name)
