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
from core.evidence.telling import asked_evidence, gold_told, mapping_told

__all__ = [
    "NOTHING_HELD",
    "Holders",
    "Parts",
    "asked_evidence",
    "evidence_holders",
    "evidence_ids",
    "gold_told",
    "mapping_told",
    "parts_of",
    "steps_counted",
    "with_passages",
]
