"""Traces: a retrieval recorded with all that is needed to show it again, and its file."""

from core.traces.jsonl import FORMAT, MAX_BYTES, MAX_STEPS, dump, load
from core.traces.trace import Trace, check_trace, record

__all__ = ["FORMAT", "MAX_BYTES", "MAX_STEPS", "Trace", "check_trace", "dump", "load", "record"]
