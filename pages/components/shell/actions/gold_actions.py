"""Mark passages as gold, as an editor."""

from collections.abc import Sequence

from core import marks
from core.marks import Mark
from core.store.index import Index
from pages.components.shell.actions.permissions import need_editor
from pages.components.shell.visitors.signature import signature


def mark_gold(index: Index, question: str, passage_id: str, *, gold: bool, words: str = "") -> None:
    """Mark a passage as gold, or as not gold, under the name of the visitor or reviewer."""
    who = need_editor() or signature()
    marks.set_gold(index, question, passage_id, gold=gold, annotator=who, words=words)


def move_mark(index: Index, mark: Mark, passage_id: str) -> None:
    """Move a mark to another passage."""
    marks.move_mark(index, mark, passage_id, need_editor() or signature())


def drop_mark(index: Index, mark: Mark) -> None:
    """Remove one mark."""
    need_editor()
    marks.forget(index, mark.question, mark.name)


def put_mark_back(index: Index, question: str, passage_id: str, before: Sequence[Mark]) -> None:
    """Restore the marks of a passage, with the names of their authors."""
    need_editor()
    marks.restore_marks(index, question, passage_id, before)
