"""Two retrievals of one question on one layout: what is only A's, only B's, and where they part."""

from core.film.difference.making import make_difference

__all__ = ["make_difference"]
