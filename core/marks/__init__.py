"""Marks by annotators on an index's questions, stored with the index: which passages are gold."""

from core.marks.gold import (
    NO_GOLD,
    Gold,
    Sayer,
    asked_gold,
    asked_text,
    gold_of,
    golds_of_queries,
    stored_gold,
    with_mark,
)
from core.marks.level import level_of_gold, level_told
from core.marks.made import Made, made_now
from core.marks.marking import (
    forget,
    marked_questions,
    marks_on,
    move_mark,
    restore_marks,
    set_gold,
)
from core.marks.question_file import as_file, marks_by_id
from core.marks.store import FILE, Mark, Marks
from core.marks.unsettled import Unsettled, unsettled

__all__ = [
    "FILE",
    "NO_GOLD",
    "Gold",
    "Made",
    "Mark",
    "Marks",
    "Sayer",
    "Unsettled",
    "as_file",
    "asked_gold",
    "asked_text",
    "forget",
    "gold_of",
    "golds_of_queries",
    "level_of_gold",
    "level_told",
    "made_now",
    "marked_questions",
    "marks_by_id",
    "marks_on",
    "move_mark",
    "restore_marks",
    "set_gold",
    "stored_gold",
    "unsettled",
    "with_mark",
]
