"""Runs as tables of one SQLite file, in the folder of their index."""

from core.runs.store.runs import MAX_NAME, Runs, checked_name

__all__ = ["MAX_NAME", "Runs", "checked_name"]
