"""Read the vectors of a NumPy file: only numbers, nothing that could execute code."""

from io import BytesIO
from math import prod

import numpy as np
from numpy.lib import format as npy

from core.corpus.file_contents import Contents, Limits, check_rows
from core.corpus.vectors.given_vectors import BadVector, packed
from core.errors import FileRejected

_HEADERS = {
    (1, 0): npy.read_array_header_1_0,
    (2, 0): npy.read_array_header_2_0,
}
_SAVE = "save it with numpy.save as an array of shape (texts, dimensions)"


def read_npy(data: bytes, name: str, limits: Limits) -> Contents:
    """Read the rows of an array of numbers, (n, d).

    Raises
    ------
    FileRejected : it is no such array, or a row of it is not finite or zero.
    """
    stream = BytesIO(data)
    try:
        shape, by_column, kind = _HEADERS[npy.read_magic(stream)](stream, max_header_size=10_000)
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError, MemoryError) as error:
        raise FileRejected(name, f"it is not a readable NumPy file; {_SAVE}") from error
    if kind.kind != "f" or kind.hasobject or len(shape) != 2:
        raise FileRejected(
            name, f"it is an array of {kind} with shape {str(shape)[:60]}; {_SAVE}, of float32"
        )
    rows = shape[0]
    check_rows(rows, 0, name, limits)
    if prod(shape) * kind.itemsize != len(data) - stream.tell():
        raise FileRejected(
            name, (f"its size does not match its shape, so it is truncated; {_SAVE}")
        )
    if not prod(shape):
        raise FileRejected(name, f"it contains no vectors; {_SAVE}")
    numbers = np.frombuffer(data, kind, offset=stream.tell())
    matrix = numbers.reshape(shape[::-1]).T if by_column else numbers.reshape(shape)
    return Contents("NumPy vectors", vectors=[_row(matrix, n, name) for n in range(rows)])


def _row(matrix: np.ndarray, number: int, name: str) -> bytes:
    """Return row `number` as packed float32; raise FileRejected if it is zero or not finite."""
    try:
        return packed(matrix[number].astype(np.float64))
    except BadVector as error:
        raise FileRejected(
            name, f"row {number + 1:,}: {error}; remove it here and in the texts, or embed it again"
        ) from error
