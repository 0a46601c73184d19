"""Evidence: the texts that a question needs, mapped to the passages that hold them."""

from core.evidence.excerpts import Piece, excerpt, marked
from core.evidence.holders import (
    NOTHING_HELD,
    Holders,
    Parts,
    evidence_holders,
    evidence_ids,
    parts_of,
    with_evidence_as_gold,
)
from core.evidence.mapping import steps_counted, with_passages
from core.evidence.preview import Previewed, previewed
from core.evidence.spans import Span, evidence_spans, nearest_span, whole_words
from core.evidence.telling import STEPS, asked_evidence, gold_json, gold_told, mapping_told

__all__ = [
    "NOTHING_HELD",
    "STEPS",
    "Holders",
    "Parts",
    "Piece",
    "Previewed",
    "Span",
    "asked_evidence",
    "evidence_holders",
    "evidence_ids",
    "evidence_spans",
    "excerpt",
    "gold_json",
    "gold_told",
    "mapping_told",
    "marked",
    "nearest_span",
    "parts_of",
    "previewed",
    "steps_counted",
    "whole_words",
    "with_evidence_as_gold",
    "with_passages",
]
