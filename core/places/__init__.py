"""Places of indexes: a folder on this machine, or a URI of object storage."""

from core.places.failures import Outdated
from core.places.place import Place, place_of
from core.places.remote import Remote, Version
from core.places.writing import write_whole

__all__ = ["Outdated", "Place", "Remote", "Version", "place_of", "write_whole"]
