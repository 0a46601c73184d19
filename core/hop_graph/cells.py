"""A matrix of bounds, out-questions by in-questions, on the fastest available device.

On a CPU, NumPy searches it, several times as fast as torch. On a GPU, it stays in GPU memory and
only the selected cells are copied back.
"""

from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from core.hop_graph.bounds import Heads

if TYPE_CHECKING:
    import torch

Places = NDArray[np.int64]


class Cells(Protocol):
    """The bounds of one block of rows with all columns; `fill` overwrites them."""

    def fill(self, rows: slice) -> None:
        """Compute the bounds of these rows."""

    def add(self, row: Places, column: Places, more: NDArray[np.float32]) -> None:
        """Add `more` to the given cells, which must be distinct."""

    def likely(self) -> Places:
        """Return the column of the largest bound in each row."""

    def reaching(self, least: NDArray[np.float32]) -> tuple[Places, Places]:
        """Return rows and columns, sorted, of the cells that are at least `least` of their row."""


def device() -> "torch.device":
    """Return the device for matrix products: a GPU if there is one."""
    import torch

    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def precision(where: "torch.device") -> "torch.dtype":
    """Return the fastest number type of a device with a known rounding error."""
    import torch

    from core.models.processor import fastest_precision

    if where.type != "cpu":
        return torch.bfloat16
    dtype: torch.dtype = getattr(torch, fastest_precision())
    return dtype


def cells_of(rows: Heads, columns: Heads, where: "torch.device") -> Cells:
    """Prepare the matrix of bounds of `rows` with `columns`, on the device `where`."""
    return OnProcessor(rows, columns) if where.type == "cpu" else OnDevice(rows, columns, where)


class OnProcessor:
    """`Cells` on a CPU: products by torch, search by NumPy."""

    def __init__(self, rows: Heads, columns: Heads) -> None:
        import torch

        self._rows, self._targets = rows.rows, columns.rows.T
        self._products, self._room = torch.empty((0, 0)), torch.empty((0, 0))
        self._cells = self._room.numpy()

    def fill(self, rows: slice) -> None:
        """Compute the bounds of these rows in memory that all blocks reuse."""
        import torch

        heads = self._rows[rows]
        count = len(heads)
        if count > len(self._products):  # allocating takes as long as the product
            shape = (count, self._targets.shape[1])
            self._products = torch.empty(shape, dtype=heads.dtype)
            self._room = torch.empty(shape)
        torch.mm(heads, self._targets, out=self._products[:count])
        self._cells = self._room[:count].copy_(self._products[:count]).numpy()

    def add(self, row: Places, column: Places, more: NDArray[np.float32]) -> None:
        self._cells[row, column] += more

    def likely(self) -> Places:
        columns: Places = self._cells.argmax(axis=1)
        return columns

    def reaching(self, least: NDArray[np.float32]) -> tuple[Places, Places]:
        cells = np.flatnonzero(self._cells >= least[:, None])
        return np.divmod(cells, self._cells.shape[1])


class OnDevice:
    """`Cells` on any device of torch."""

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
        self._cells[self._to_device(row), self._to_device(column)] += self._to_device(more)

    def likely(self) -> Places:
        return _to_cpu(self._cells.argmax(dim=1))

    def reaching(self, least: NDArray[np.float32]) -> tuple[Places, Places]:
        row, column = (self._cells >= self._to_device(least)[:, None]).nonzero(as_tuple=True)
        return _to_cpu(row), _to_cpu(column)

    def _to_device(self, values: NDArray[np.generic]) -> "torch.Tensor":
        import torch

        return torch.from_numpy(np.ascontiguousarray(values)).to(self._where)


def _to_cpu(places: "torch.Tensor") -> Places:
    copied: Places = places.cpu().numpy().copy()  # torch's own memory cannot be written by others
    return copied
