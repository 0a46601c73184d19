"""Write reviews, labels and saved filters, as an editor."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from core.reviews import Act, Change, Code, Codes, Key, Review, Reviews, Views
from core.store.index import Index
from pages.components.shell.actions.permissions import need_editor


def say(index: Index, typed: str, changes: Iterable[Change]) -> list[Review]:
    """Call `Reviews.say` as this visitor, or under the typed name if there is no sign-in."""
    return Reviews(index.path).say(need_editor() or typed, changes)


def write_note(index: Index, typed: str, change: Change, before: str) -> Review | None:
    """Call `Reviews.write_note` as this visitor."""
    return Reviews(index.path).write_note(need_editor() or typed, change, before)


def undo(index: Index, typed: str, of: Collection[Key]) -> Act:
    """Call `Reviews.undo` for this visitor's changes."""
    return Reviews(index.path).undo(need_editor() or typed, of)


def redo(index: Index, typed: str, of: Collection[Key]) -> Act:
    """Call `Reviews.redo` for this visitor's undone changes."""
    return Reviews(index.path).redo(need_editor() or typed, of)


def add_code(index: Index, name: str) -> Code:
    """Call `Codes.add` as this visitor."""
    need_editor()
    return Codes(Reviews(index.path)).add(name)


def rename_code(index: Index, typed: str, code: int, name: str) -> None:
    """Call `Codes.rename` as this visitor."""
    Codes(Reviews(index.path)).rename(need_editor() or typed, code, name)


def merge_codes(index: Index, typed: str, codes: Sequence[int], name: str) -> None:
    """Call `Codes.merge` as this visitor."""
    Codes(Reviews(index.path)).merge(need_editor() or typed, codes, name)


def rename_axial(index: Index, typed: str, before: str, name: str) -> None:
    """Call `Codes.rename_axial` as this visitor."""
    Codes(Reviews(index.path)).rename_axial(need_editor() or typed, before, name)


def split_codes(index: Index, typed: str, codes: Sequence[int]) -> None:
    """Call `Codes.split` as this visitor."""
    Codes(Reviews(index.path)).split(need_editor() or typed, codes)


def divide_code(index: Index, typed: str, code: int, name: str, reviews: Sequence[Review]) -> Code:
    """Call `Codes.divide` as this visitor."""
    return Codes(Reviews(index.path)).divide(need_editor() or typed, code, name, reviews)


def drop_unused_codes(index: Index, typed: str) -> list[Code]:
    """Call `Codes.drop_unused` as this visitor."""
    return Codes(Reviews(index.path)).drop_unused(need_editor() or typed)


def save_view(index: Index, name: str, view: Mapping[str, str]) -> None:
    """Call `Views.save` as this visitor."""
    need_editor()
    Views(Reviews(index.path)).save(name, view)


def drop_view(index: Index, name: str) -> None:
    """Call `Views.drop` as this visitor."""
    need_editor()
    Views(Reviews(index.path)).drop(name)
