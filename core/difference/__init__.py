"""What differs between two retrievals of one query, A and B: where they part and why."""

from core.difference.making import arrival_beside, make_difference

__all__ = ["arrival_beside", "make_difference"]
