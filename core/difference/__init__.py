"""Differences between two retrievals of one query, A and B: where they diverge and why."""

from core.difference.making import arrival_beside, make_difference

__all__ = ["arrival_beside", "make_difference"]
