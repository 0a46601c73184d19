"""Edits as a record in the folder of the copy."""

from core.edits.edit import Edits
from core.errors import StoreError
from core.places import Place, write_whole
from core.store.locking.writer_lock import confirm_lock

FILE = "edits.json"


def read_edits(folder: Place) -> Edits | None:
    """Return the edits of the index in `folder`; None if it is no edited copy.

    Raises
    ------
    StoreError : the record is damaged or cannot be read.
    """
    try:
        return Edits.from_json((folder / FILE).read_bytes().decode())
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise StoreError(
            f"Could not read the edits of {folder.name}: {FILE} is damaged ({error}). Delete this "
            "copy and edit the original again."
        ) from error


def write_edits(folder: Place, edits: Edits) -> None:
    """Write the record, as the holder of the writer's lock.

    Raises
    ------
    StoreError : it cannot be written.
    """
    confirm_lock(folder)
    try:
        write_whole(folder / FILE, edits.to_json().encode())
    except OSError as error:
        raise StoreError(
            f"{folder} cannot be written ({error.strerror}). Free some space, or choose another "
            "name."
        ) from error


def forget_edits(folder: Place) -> None:
    """Delete the record: the index is built anew from files."""
    (folder / FILE).unlink(missing_ok=True)
