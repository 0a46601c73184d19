"""Evidence: the texts that a question needs, mapped to the passages that hold them."""

from core.evidence.excerpts import Piece, excerpt, marked
from core.evidence.holders import (
    Holders,
    Parts,
    evidence_by_id,
    evidence_holders,
    evidence_ids,
    parts_of,
    with_evidence_as_gold,
)
from core.evidence.mapping import with_passages
from core.evidence.preview import Previewed, previewed
from core.evidence.spans import Span, evidence_spans, nearest_span, whole_words
from core.evidence.telling import STEPS, asked_evidence, gold_json, gold_told

__all__ = [
    "STEPS",
    "Holders",
    "Parts",
    "Piece",
    "Previewed",
    "Span",
    "asked_evidence",
    "evidence_by_id",
    "evidence_holders",
    "evidence_ids",
    "evidence_spans",
    "excerpt",
    "gold_json",
    "gold_told",
    "marked",
    "nearest_span",
    "parts_of",
    "previewed",
    "whole_words",
    "with_evidence_as_gold",
    "with_passages",
]
