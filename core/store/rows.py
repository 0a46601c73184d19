"""The rows of a table by their numbers, whole in memory."""

from collections.abc import Iterable
from typing import TypeVar

from core.settings import settings

T = TypeVar("T")


def is_large(passages: int) -> bool:
    """Whether an index of so many passages is read as it is touched, and not whole."""
    return passages >= settings().large_from


class Whole(tuple[T, ...]):
    """Something of each passage, in order of vertex numbers, all of it in memory."""

    __slots__ = ()

    def take(self, numbers: Iterable[int]) -> list[T]:
        """That of the passages of these numbers, in this order."""
        return [self[number] for number in numbers]
