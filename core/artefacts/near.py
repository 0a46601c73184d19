"""The passages near a vector."""

import numpy as np

from core.artefacts.scored import AllScored, Scored
from core.store.index import Index
from core.vectors import Vectors


def near(index: Index, vector: Vectors) -> Scored:
    """The cosine of each passage and `vector`, (d,) unit-norm."""
    return AllScored((index.vectors @ vector).astype(np.float64))
