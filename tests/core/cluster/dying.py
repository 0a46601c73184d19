"""What has processes of Ray die. Apart from the tests, since those processes import this too."""

import os
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.errors import StoreError
from core.store.build_checkpoints import Unfinished
from tests.core.fakes import WordEmbedder


def killed(*_: Any, **__: Any) -> None:
    """The process that calls it is."""
    os.kill(os.getpid(), signal.SIGKILL)


def killed_once(function: Callable[..., Any], mark: Path) -> Callable[..., Any]:
    """`function`, in a process that is killed when it is called first; the file `mark` tells."""

    def once(*given: Any, **named: Any) -> Any:
        if not mark.exists():
            mark.touch()
            killed()
        return function(*given, **named)

    return once


@dataclass(frozen=True)
class Enough(Unfinished):
    """Keeps so many blocks, each noted in the folder `notes`, and fails at the next one."""

    notes: Path
    most: int

    def keep(self, name, table):
        if len(list(self.notes.iterdir())) >= self.most:
            raise StoreError("enough blocks")
        super().keep(name, table)
        (self.notes / name).touch()


class Dying(WordEmbedder):
    """Its process is killed when it is asked first; the file `mark` tells."""

    def __init__(self, mark: Path) -> None:
        super().__init__()
        self._mark = mark

    def encode(self, texts, progress=None):
        return killed_once(super().encode, self._mark)(texts, progress)


class Waiting(WordEmbedder):
    """Embeds what it is asked for first, which need not be the first batch; after that it waits to
    be killed, and fails where nobody does. The file `mark` tells."""

    def __init__(self, mark: Path) -> None:
        super().__init__()
        self._mark = mark

    def encode(self, texts, progress=None):
        if self._mark.exists():
            time.sleep(3600)
            raise TimeoutError
        self._mark.touch()
        return super().encode(texts, progress)
