"""A trace as the film that a browser plays: `core.playback` decides the facts, this arranges them.

The film is plain JSON (`core.film.data`); nothing here knows how it is drawn.
"""

from core.film.making import make_film

__all__ = ["make_film"]
