"""A table of bounds, out-coming questions by in-coming ones, where it is quickest to make.

On the processor NumPy looks through it, several times as fast as torch does there. On a GPU it
stays in the GPU's memory, and only the few cells that are asked for come back.
"""

from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from core.hop_graph.bounds import Heads

if TYPE_CHECKING:
    import torch

Places = NDArray[np.int64]


class Cells(Protocol):
    """The bounds of a block of rows with all columns; each block is written over by the next."""

    def fill(self, rows: slice) -> None:
        """Hold the bounds of these rows."""

    def add(self, row: Places, column: Places, more: NDArray[np.float32]) -> None:
        """Add to some cells, each named once."""

    def likely(self) -> Places:
        """The column of the largest bound of each row."""

    def reaching(self, least: NDArray[np.float32]) -> tuple[Places, Places]:
        """Rows and columns of the cells that are not below their row's `least`, in order."""


def device() -> "torch.device":
    """Where products are taken: a GPU if there is one."""
    import torch

    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def precision(where: "torch.device") -> "torch.dtype":
    """The number type in which that device multiplies fastest, of those whose error is known."""
    import torch

    from core.models.embedder import fastest_precision

    if where.type != "cpu":
        return torch.bfloat16
    found: torch.dtype = getattr(torch, fastest_precision())
    return found


def cells_of(rows: Heads, columns: Heads, where: "torch.device") -> Cells:
    """The bounds of `rows` with `columns`, on the device `where`."""
    return OnProcessor(rows, columns) if where.type == "cpu" else OnDevice(rows, columns, where)


class OnProcessor:
    """By NumPy and the processor's own product."""

    def __init__(self, rows: Heads, columns: Heads) -> None:
        import torch

        self._rows, self._targets = rows.rows, columns.rows.T
        self._products, self._room = torch.empty((0, 0)), torch.empty((0, 0))
        self._cells = self._room.numpy()

    def fill(self, rows: slice) -> None:
        import torch

        heads = self._rows[rows]
        count = len(heads)
        if count > len(self._products):  # kept for all blocks: fresh memory costs as much
            shape = (count, self._targets.shape[1])
            self._products = torch.empty(shape, dtype=heads.dtype)
            self._room = torch.empty(shape)
        torch.mm(heads, self._targets, out=self._products[:count])
        self._cells = self._room[:count].copy_(self._products[:count]).numpy()

    def add(self, row: Places, column: Places, more: NDArray[np.float32]) -> None:
        self._cells[row, column] += more

    def likely(self) -> Places:
        found: Places = self._cells.argmax(axis=1)
        return found

    def reaching(self, least: NDArray[np.float32]) -> tuple[Places, Places]:
        found = np.flatnonzero(self._cells >= least[:, None])
        return np.divmod(found, self._cells.shape[1])


class OnDevice:
    """The same by torch alone, on any of its devices."""

    def __init__(self, rows: Heads, columns: Heads, where: "torch.device") -> None:
        import torch

        # Sums in bfloat16 would lose more than `slack` knows of.
        torch.backends.cuda.matmul.allow_bf16_reduced_precision_reduction = False
        self._where = where
        self._rows, self._targets = rows.rows.to(where), columns.rows.to(where).T
        self._cells = torch.empty((0, 0))

    def fill(self, rows: slice) -> None:
        self._cells = (self._rows[rows] @ self._targets).float()

    def add(self, row: Places, column: Places, more: NDArray[np.float32]) -> None:
        self._cells[self._there(row), self._there(column)] += self._there(more)

    def likely(self) -> Places:
        return _here(self._cells.argmax(dim=1))

    def reaching(self, least: NDArray[np.float32]) -> tuple[Places, Places]:
        row, column = (self._cells >= self._there(least)[:, None]).nonzero(as_tuple=True)
        return _here(row), _here(column)

    def _there(self, values: NDArray[np.generic]) -> "torch.Tensor":
        import torch

        return torch.from_numpy(np.ascontiguousarray(values)).to(self._where)


def _here(places: "torch.Tensor") -> Places:
    found: Places = places.cpu().numpy().copy()  # torch's own memory cannot be written by others
    return found
