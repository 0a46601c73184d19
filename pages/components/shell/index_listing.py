"""The indexes that all sessions of this process see."""

from core.library.cached_listing import Listing
from core.library.catalogue import Listed
from core.settings import settings

_listing = Listing()
look_again = _listing.look_again
changing = _listing.changing


def entries() -> list[Listed]:
    """Return all indexes; StoreError if the object storage cannot be used."""
    return _listing.entries(settings().indexes)


def entry(name: str) -> Listed | None:
    """Return the index called `name`, or None; StoreError if the object storage cannot be used."""
    return _listing.entry(settings().indexes, name)
