"""Writing a file all or nothing."""

import os
from uuid import uuid4

from core.places.place import Place
from core.places.remote import Remote


def write_whole(place: Place, content: bytes, *, durable: bool = False) -> None:
    """Replace a file; readers see the old content or the new one, and never a part of it.

    Parameters
    ----------
    durable : whether the content is on disk when this returns, even if the machine stops then.

    Raises
    ------
    OSError : it cannot be written; the old file stays.
    """
    if isinstance(place, Remote):
        place.write_bytes(content)
        return
    part = place.with_name(f".{uuid4().hex}.part")
    try:
        with part.open("wb") as stream:
            stream.write(content)
            if durable:
                stream.flush()
                os.fsync(stream.fileno())
        part.replace(place)
    finally:
        part.unlink(missing_ok=True)
