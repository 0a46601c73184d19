"""Upper bounds of cosines, at a fraction of what the cosines cost.

Vectors are turned so that the first numbers of each, its head, hold most of its length. Of the rest
only the length is kept. By the inequality of Cauchy and Schwarz

    cos(a, b) = head(a) · head(b) + rest(a) · rest(b) <= head(a) · head(b) + |rest(a)| |rest(b)|

which is again one dot product, of about half the numbers for the vectors of a sentence encoder. It
is taken in bfloat16 where the processor multiplies that natively; what rounding may take from a
bound is measured and told as `slack`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.models.embedder import fastest_precision
from core.vectors import Vectors

if TYPE_CHECKING:
    import torch

REST = 0.1  # share of the variance that the heads may leave out
STEP = 32  # the numbers of a head and its rest are a multiple of this
FEW = 20_000  # vectors, up to which finding the axes costs more than they save
SAMPLE = 20_000  # vectors at most that the axes are found with
CHUNK = 50_000  # vectors turned at a time
ROUNDING = 1e-5  # of the turn, of sums in float32 and of comparing in it


@dataclass(frozen=True, slots=True)
class CosineBounds:
    """Upper bounds of the cosines of n vectors with each other.

    `heads` is (n, w), each with the length of its rest as its last number. No cosine is more than
    `slack` above its bound.
    """

    heads: "torch.Tensor"
    slack: float

    def blocks(
        self, rows: NDArray[np.int64], columns: NDArray[np.int64], block: int
    ) -> Iterator[NDArray[np.float32]]:
        """The bounds of `rows` with `columns`, (block, len(columns)) at a time, less at the end.

        Each array is written over by the next: fresh memory costs as much as the product.
        """
        import torch

        targets = self.heads[columns].T
        shape = (min(block, len(rows)), len(columns))
        products = torch.empty(shape, dtype=self.heads.dtype)
        cells = torch.empty(shape)
        for start in range(0, len(rows), block):
            heads = self.heads[rows[start : start + block]]
            torch.mm(heads, targets, out=products[: len(heads)])
            yield cells[: len(heads)].copy_(products[: len(heads)]).numpy()


def cosine_bounds(vectors: Vectors) -> CosineBounds:
    """Bounds for `vectors`, (n, d) float32 unit-norm."""
    import torch  # takes seconds, which a job would be silent for before it begins

    few = len(vectors) <= FEW
    axes = np.eye(vectors.shape[1], dtype=np.float32) if few else _axes(vectors)
    dtype: torch.dtype = getattr(torch, fastest_precision())
    heads = torch.empty((len(vectors), axes.shape[1] + 1), dtype=dtype)
    lost = 0.0  # the largest length by which rounding moves a head
    for start in range(0, len(vectors), CHUNK):
        exact = torch.from_numpy(_turned(vectors[start : start + CHUNK], axes))
        rounded = exact.to(dtype)
        heads[start : start + CHUNK] = rounded
        lost = max(lost, float((rounded.float() - exact).norm(dim=1).max()))
    # Both factors are rounded, and the product once: it is at most 1, so by half of eps or less.
    slack = 2 * lost + lost**2 + torch.finfo(dtype).eps / 2 + ROUNDING
    return CosineBounds(heads, slack)


def _axes(vectors: Vectors) -> Vectors:
    """(d, w - 1): the orthonormal axes that hold all but `REST` of the vectors' variance.

    Of the variance, not of the length: where all vectors point much the same way, it is in the
    little by which they differ that one is nearer than another.
    """
    some = vectors[:: 1 + len(vectors) // SAMPLE].astype(np.float64)
    energies, axes = np.linalg.eigh(some.T @ some)
    variance = energies.sum() - len(some) * (some.mean(axis=0) ** 2).sum()
    left_out = np.cumsum(energies)  # without the axes up to and with this one
    needed = int((left_out > REST * variance).sum())
    width = STEP * (1 + needed // STEP)
    return np.ascontiguousarray(axes[:, ::-1][:, : width - 1], np.float32)


def _turned(vectors: Vectors, axes: Vectors) -> Vectors:
    heads = vectors @ axes
    lengths, held = (np.einsum("ij,ij->i", v, v, dtype=np.float64) for v in (vectors, heads))
    rests = np.sqrt(np.maximum(lengths - held, 0) + ROUNDING)
    return np.column_stack((heads, rests.astype(np.float32)))
