"""Evidence: the texts that a question needs, mapped to the passages that hold them."""

from core.evidence.holders import (
    NOTHING_HELD,
    Holders,
    Parts,
    evidence_holders,
    evidence_ids,
    parts_of,
)
from core.evidence.mapping import steps_counted, with_passages

__all__ = [
    "NOTHING_HELD",
    "Holders",
    "Parts",
    "evidence_holders",
    "evidence_ids",
    "parts_of",
    "steps_counted",
    "with_passages",
]
