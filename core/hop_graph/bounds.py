"""Cheap upper bounds of cosine similarities.

Vectors are rotated so that their first components, the head, hold most of their length. Of the
remaining components only the norm is kept. By the Cauchy-Schwarz inequality

    cos(a, b) = head(a) · head(b) + rest(a) · rest(b) <= head(a) · head(b) + |rest(a)| |rest(b)|

which is one dot product over about half of the dimensions of a sentence encoder. It is computed in
bfloat16 if the processor supports it, or on a GPU (`core.hop_graph.cells`). `slack` bounds the
rounding error.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.vectors import Vectors

if TYPE_CHECKING:
    import torch

REST = 0.1  # share of the variance that the heads may leave out
STEP = 32  # the width of a head with its norm is a multiple of this
FEW = 20_000  # up to this many vectors, finding axes costs more than it saves
SAMPLE = 20_000  # maximum number of vectors to find the axes with
CHUNK = 50_000  # vectors rotated at a time
ROUNDING = 1e-5  # error of the rotation, of float32 sums and of float32 comparisons


@dataclass(frozen=True, slots=True)
class Heads:
    """The heads of n vectors, from which bounds are computed.

    Attributes
    ----------
    rows : (n, w) the head of each vector, with the norm of the rest as last component.
    lost : the largest norm of a rounding error.
    """

    rows: "torch.Tensor"
    lost: float


def slack(one: Heads, other: Heads) -> float:
    """Return how much a cosine can exceed its bound because of rounding."""
    import torch

    # Both factors are rounded, and the product once: it is at most 1, so by half of eps or less.
    product = torch.finfo(one.rows.dtype).eps / 2
    return one.lost + other.lost + one.lost * other.lost + product + ROUNDING


def heads_of(vectors: Vectors, axes: Vectors, dtype: "torch.dtype") -> Heads:
    """Project unit-norm `vectors`, (n, d) float32, on `axes` and return their heads."""
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
    """Return the principal axes that explain all but `REST` of the variance of `vectors`.

    Any orthonormal axes give valid bounds; principal axes give tight ones. The criterion is
    variance and not length, because vectors that all point in a similar direction differ only in
    what the mean does not explain.

    Returns
    -------
    (d, w - 1) float32, orthonormal columns.
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
    """Return the components on `axes` and, in a last column, the norm of the rest, (n, w)."""
    heads = vectors @ axes
    lengths, kept = (np.einsum("ij,ij->i", v, v, dtype=np.float64) for v in (vectors, heads))
    rests = np.sqrt(np.maximum(lengths - kept, 0) + ROUNDING)
    return np.column_stack((heads, rests.astype(np.float32)))
