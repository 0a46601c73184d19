"""Names of makers that take pseudo-queries or edges from a file."""

from pathlib import Path

FILE = "file:"
"""In front of the name, or in a job the path, of a file of pseudo-queries."""
GRAPH = "graph:"
"""The same of a file of edges."""


def is_made_elsewhere(maker: str) -> bool:
    """Check whether the name of a maker is that of a file."""
    return maker.startswith((FILE, GRAPH))


def path_in(maker: str) -> Path | None:
    """Return the file that the maker of a build reads; None for any other maker."""
    path = Path(maker.partition(":")[2])
    return path if is_made_elsewhere(maker) and path.is_absolute() else None
