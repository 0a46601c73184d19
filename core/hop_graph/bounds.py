"""Upper bounds of cosines, at a fraction of what the cosines cost.

Vectors are turned so that the first numbers of each, its head, hold most of its length. Of the rest
only the length is kept. By the inequality of Cauchy and Schwarz

    cos(a, b) = head(a) · head(b) + rest(a) · rest(b) <= head(a) · head(b) + |rest(a)| |rest(b)|

which is again one dot product, of about half the numbers for the vectors of a sentence encoder. It
is taken in bfloat16 where the processor multiplies that natively, and on a GPU where there is one
(`core.hop_graph.cells`); what rounding may take from a bound is measured and told as `slack`.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

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
class Heads:
    """What bounds n vectors: (n, w), each head with the length of its rest as its last number.

    `lost` is the largest length by which rounding moved one.
    """

    rows: "torch.Tensor"
    lost: float


def slack(one: Heads, other: Heads) -> float:
    """No cosine is more than this above its bound, the product of `one` with `other`."""
    import torch

    # Both factors are rounded, and the product once: it is at most 1, so by half of eps or less.
    product = torch.finfo(one.rows.dtype).eps / 2
    return one.lost + other.lost + one.lost * other.lost + product + ROUNDING


def heads_of(vectors: Vectors, axes: Vectors, dtype: "torch.dtype") -> Heads:
    """The heads of `vectors`, (n, d) float32 unit-norm, along `axes`."""
    import torch  # takes seconds, which a job would be silent for before it begins

    heads = torch.empty((len(vectors), axes.shape[1] + 1), dtype=dtype)
    lost = 0.0
    for start in range(0, len(vectors), CHUNK):
        exact = torch.from_numpy(_rotate(vectors[start : start + CHUNK], axes))
        rounded = exact.to(dtype)
        heads[start : start + CHUNK] = rounded
        lost = max(lost, float((rounded.float() - exact).norm(dim=1).max()))
    return Heads(heads, lost)


def axes_of(vectors: Vectors) -> Vectors:
    """(d, w - 1): the orthonormal axes that hold all but `REST` of the variance of `vectors`.

    Any axes give bounds; these give close ones, of the vectors that they were found with and of
    those like them. Of the variance, not of the length: where all vectors point much the same way,
    it is in the little by which they differ that one is nearer than another.
    """
    if len(vectors) <= FEW:
        return np.eye(vectors.shape[1], dtype=np.float32)
    some = vectors[:: 1 + len(vectors) // SAMPLE].astype(np.float64)
    energies, axes = np.linalg.eigh(some.T @ some)
    variance = energies.sum() - len(some) * (some.mean(axis=0) ** 2).sum()
    left_out = np.cumsum(energies)  # without the axes up to and with this one
    needed = int((left_out > REST * variance).sum())
    width = STEP * (1 + needed // STEP)
    return np.ascontiguousarray(axes[:, ::-1][:, : width - 1], np.float32)


def _rotate(vectors: Vectors, axes: Vectors) -> Vectors:
    heads = vectors @ axes
    lengths, held = (np.einsum("ij,ij->i", v, v, dtype=np.float64) for v in (vectors, heads))
    rests = np.sqrt(np.maximum(lengths - held, 0) + ROUNDING)
    return np.column_stack((heads, rests.astype(np.float32)))
