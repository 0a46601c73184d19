"""How many calls are under way at the same time: as many as a server gets done in time.

Additive increase, multiplicative decrease, as TCP has it (Jacobson 1988): after a call that took
too long half as many as were under way, after a round of calls that came one more.
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
    """One call under way. `crowded` says whether there were others while it was."""

    era: int
    crowded: bool


class Pace:
    """Hands out slots for calls, never more than `most` at a time. Safe to share between threads.

    A server that has room for one would let 31 of 32 wait, and each of them beyond its time. So
    calls that take too long make room; those that began before there was room are counted once.
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
        """Calls in a row that took too long though none was beside them; one that comes ends it."""
        return self._stuck

    @contextmanager
    def slot(self) -> Iterator[Slot]:
        """Wait for a slot, and hold it.

        Raises
        ------
        Cancelled : nobody waits for the call any more.
        """
        with self._changed:
            while len(self._slots) >= self.allowed or abandoned():
                if abandoned():
                    raise Cancelled("This call is no longer needed.")
                self._changed.wait(_LOOK)
            number, slot = self._begin()
        try:
            yield slot
        finally:
            with self._changed:
                del self._slots[number]
                self._changed.notify_all()

    def came(self) -> None:
        """A call has come in time."""
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

    def _begin(self) -> tuple[int, Slot]:
        self._number += 1
        slot = Slot(self._era, crowded=bool(self._slots))
        for other in self._slots.values():
            other.crowded = True
        self._slots[self._number] = slot
        return self._number, slot
