"""Parts of documents that are zip archives of XML files: EPUB and OpenDocument."""

from zipfile import ZipFile

from lxml import etree

from core.corpus.broken import BROKEN
from core.errors import FileRejected

_NOT_WHOLE = "its part '{}' is missing or broken; save the file again"


def content(archive: ZipFile, path: str, name: str) -> bytes:
    """Return a part of the file called `name`. `check_zip` has bounded its size.

    Raises
    ------
    FileRejected : it is missing, broken or encrypted.
    """
    try:
        return archive.read(path)
    except BROKEN as error:  # an unknown compression is a RuntimeError
        raise FileRejected(name, _NOT_WHOLE.format(path[:80])) from error


def xml(archive: ZipFile, path: str, name: str) -> etree._Element:
    """Return the root of an XML part. Entities are not expanded, and nothing else is loaded.

    Raises
    ------
    FileRejected : it is missing, broken or nested too deeply.
    """
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        return etree.fromstring(content(archive, path, name), parser)
    except (etree.LxmlError, ValueError) as error:
        raise FileRejected(name, _NOT_WHOLE.format(path[:80])) from error
