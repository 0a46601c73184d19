"""A film as one HTML file that plays anywhere: no server, no network."""

from core.drawing.offline import page
from core.film.assets import ROOT, STORY, script, style
from core.film.data import FilmData

BARE = """\
body { margin: 0; padding: 14px 20px; --film-tall: calc(100vh - 28px); }
@media (prefers-color-scheme: dark) { body { background: #11161c; } }"""


def story(film: FilmData) -> bytes:
    """The page in UTF-8, with the film as JSON in it; its scripts are those of the application."""
    title = f"{film['query']} · {film['title']}"
    return page(title, ROOT, film, script=script(STORY), style=f"{BARE}\n{style()}")
