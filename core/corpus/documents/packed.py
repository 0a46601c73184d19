"""Documents that are zip archives of XML files: Microsoft Office, EPUB and OpenDocument."""

from collections.abc import Iterator
from contextlib import contextmanager
from zipfile import BadZipFile, ZipFile

from lxml import etree

from core.corpus.archives.compressed_files import check_zip
from core.corpus.file_contents import Limits
from core.corpus.parser_errors import BROKEN
from core.errors import FileRejected

_OLE = b"\xd0\xcf\x11\xe0"  # begins files of Office before 2007, and encrypted ones
_NOT_WHOLE = "its part '{}' is missing or broken; save the file again"


@contextmanager
def office_file(
    data: bytes,
    name: str,
    limits: Limits,
    program: str,
    ending: str,
    broken: type[Exception],
) -> Iterator[ZipFile]:
    """Open a file of Microsoft Office, to be read in this context.

    Parameters
    ----------
    program, ending : what writes such files, and how their names end.
    broken : what the library that reads them raises for a broken one.

    Raises
    ------
    FileRejected : it is no such file, encrypted, too large, or turns out to be broken.
    """
    if data.startswith(_OLE):
        raise FileRejected(
            name,
            (
                f"the file is encrypted or in an old {program} format; save it as {ending} "
                "without a password"
            ),
        )
    reason = f"not a {ending} file despite its file name; save it again from {program}"
    with check_zip(data, name, limits, reason) as archive:
        try:
            yield archive
        except (broken, etree.LxmlError, SyntaxError, BadZipFile, *BROKEN) as error:
            raise FileRejected(
                name, f"the {ending} file is damaged; open it and save it again"
            ) from error


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
