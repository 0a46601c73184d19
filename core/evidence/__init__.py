"""Evidence: the texts that a question needs, mapped to the passages that contain them."""

from core.evidence.excerpts import Piece, excerpt, marked
from core.evidence.holders import (
    GoldLevel,
    Holders,
    Parts,
    asked_evidence,
    evidence_by_id,
    evidence_holders,
    evidence_ids,
    parts_of,
    with_evidence_as_gold,
)
from core.evidence.mapping import with_passages
from core.evidence.preview import Previewed, previewed
from core.evidence.spans import Span, evidence_spans, nearest_span, whole_words
from core.evidence.telling import STEPS, gold_json, gold_told, level_of_questions

__all__ = [
    "STEPS",
    "GoldLevel",
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
    "level_of_questions",
    "marked",
    "nearest_span",
    "parts_of",
    "previewed",
    "whole_words",
    "with_evidence_as_gold",
    "with_passages",
]
