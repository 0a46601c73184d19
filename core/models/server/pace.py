"""Limit concurrent calls to as many as a server completes in time.

Additive increase, multiplicative decrease, as in TCP (Jacobson 1988): a call that is too slow
halves the limit, and a round of calls that finish in time raises it by one.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from core.errors import Cancelled
from core.models.server.window import abandoned

_LOOK = 0.25  # seconds


@dataclass(slots=True)
class Slot:
    """A running call. `crowded` says whether other calls ran at the same time."""

    era: int
    crowded: bool


class Pace:
    """Hands out slots for calls, at most `most` at a time. Safe to share between threads.

    A server that runs one call at a time lets 31 of 32 wait until they time out. So each call that
    is too slow lowers the number of slots; calls started before a reduction count once.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.allowed = most
        self._changed = threading.Condition()
        self._slots: dict[int, Slot] = {}
        self._number = 0
        self._era = 0
        self._came = 0
        self._stuck = 0

    @property
    def stuck(self) -> int:
        """Consecutive calls that were too slow although they ran alone; a fast call resets it."""
        return self._stuck

    @contextmanager
    def slot(self) -> Iterator[Slot]:
        """Wait for a slot, and occupy it.

        Raises
        ------
        Cancelled : the call is no longer needed.
        """
        with self._changed:
            while len(self._slots) >= self.allowed or abandoned():
                if abandoned():
                    raise Cancelled("This call is no longer needed.")
                self._changed.wait(_LOOK)
            number, slot = self._occupy()
        try:
            yield slot
        finally:
            with self._changed:
                del self._slots[number]
                self._changed.notify_all()

    def came(self) -> None:
        """Record a call that finished in time; after enough of them, allow one more at once."""
        with self._changed:
            self._stuck = 0
            self._came += 1
            if self._came >= self.allowed:
                self._came = 0
                self.allowed = min(self.most, self.allowed + 1)
                self._changed.notify_all()

    def too_slow(self, slot: Slot) -> None:
        """Allow fewer calls at once, since the call in `slot` has taken too long."""
        with self._changed:
            self._came = 0
            self._stuck += not slot.crowded
            if slot.era == self._era:
                self._era += 1
                self.allowed = max(1, min(self.allowed, len(self._slots)) // 2)

    def _occupy(self) -> tuple[int, Slot]:
        """Occupy a slot and mark all calls that now run together as crowded."""
        self._number += 1
        slot = Slot(self._era, crowded=bool(self._slots))
        for other in self._slots.values():
            other.crowded = True
        self._slots[self._number] = slot
        return self._number, slot
