"""Edits of passages and pseudo-queries, made on a copy of an index.

`edit` says what an edit is, `storing` keeps edits with the copy, `applying` applies them in every
build of the copy, `evidence` says which gold the copy keeps, and `effects` compares the copy with
its original.
"""

from core.edits.applying import edited_passages, edited_queries
from core.edits.edit import HAND, Edit, Edits, Written, edit_of, kept_texts
from core.edits.effects import EdgeChanges, edge_changes
from core.edits.evidence import evidence_after_edits, removed_evidence
from core.edits.storing import FILE, forget_edits, read_edits, write_edits

__all__ = [
    "FILE",
    "HAND",
    "EdgeChanges",
    "Edit",
    "Edits",
    "Written",
    "edge_changes",
    "edit_of",
    "edited_passages",
    "edited_queries",
    "evidence_after_edits",
    "forget_edits",
    "kept_texts",
    "read_edits",
    "removed_evidence",
    "write_edits",
]
