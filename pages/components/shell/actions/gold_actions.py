"""Mark passages as gold, as an editor."""

from collections.abc import Sequence

from core import marks
from core.marks import Mark
from core.store.index import Index
from pages.components.shell.actions.permissions import need_editor
from pages.components.shell.visitors.signature import signature


def mark_gold(index: Index, question: str, passage_id: str, *, gold: bool, words: str = "") -> None:
    """As `marks.set_gold`, by this visitor; their name stands in the mark, or the one they gave."""
    who = need_editor() or signature()
    marks.set_gold(index, question, passage_id, gold=gold, who=who, words=words)


def move_mark(index: Index, mark: Mark, passage_id: str) -> None:
    """As `marks.move_mark`, by this visitor."""
    marks.move_mark(index, mark, passage_id, need_editor() or signature())


def drop_mark(index: Index, mark: Mark) -> None:
    """As `marks.forget` of one mark, by this visitor."""
    need_editor()
    marks.forget(index, mark.question, mark.name)


def put_mark_back(index: Index, question: str, passage_id: str, before: Sequence[Mark]) -> None:
    """As `marks.put_back`, by this visitor; in the marks stands who made them before."""
    need_editor()
    marks.put_back(index, question, passage_id, before)
