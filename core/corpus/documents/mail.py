"""E-mails: subject, sender, receivers, date, and the text as it was written."""

from email import policy
from email.errors import MessageError
from email.message import EmailMessage, MIMEPart
from email.parser import BytesParser

from core.corpus.documents.html import html_blocks
from core.corpus.documents.prose import one_document
from core.corpus.encodings.decode import decode
from core.corpus.file_contents import Contents, Limits
from core.corpus.layout import Block
from core.corpus.omissions import count
from core.corpus.parser_errors import BROKEN
from core.errors import FileRejected
from core.text.clean import one_line

_HEADERS = ("From", "To", "Cc", "Date")
_PARSED = 20_000  # characters of a header, at most
_LONGEST = 2_000  # characters of one that is longer


def read_eml(data: bytes, name: str, limits: Limits) -> Contents:
    """Read an e-mail: its plain text if there is one, else its HTML. Attachments are counted.

    Raises
    ------
    FileRejected : no e-mail, broken, or without text.
    """
    try:
        message = BytesParser(EmailMessage, policy=policy.default).parsebytes(data)
        fields = {key: _header(message, key) for key in (*_HEADERS, "Subject")}
        subject = fields.pop("Subject")
        headers = {key: value for key, value in fields.items() if value}
        blocks = _body(message, name, limits)
    except (MessageError, *BROKEN) as error:
        raise FileRejected(name, "the e-mail is damaged; save it again as .eml") from error
    if not (headers or subject):
        raise FileRejected(name, "not an e-mail: it has neither a sender nor a subject")
    head = "\n".join(f"{key}: {value}" for key, value in headers.items())
    metadata = {key.lower(): value for key, value in headers.items()}
    return one_document(
        name,
        "E-mail",
        [Block(head), *blocks],
        subject,
        limits=limits,
        headed=False,
        metadata=metadata,
    )


def _header(message: EmailMessage, key: str) -> str:
    """Return a header in one line; a very long one is cut and not decoded, which takes long."""
    raw = next((value for name, value in message.raw_items() if name.title() == key), "")
    if len(raw) > _PARSED:
        count("long header{s} of an e-mail cut")
        return one_line(raw[:_LONGEST])
    return one_line(str(message[key] or ""))


def _body(message: EmailMessage, name: str, limits: Limits) -> list[Block]:
    """Return the plain text of an e-mail, else its HTML, as blocks; count the attachments."""
    written = (message.get_body((kind,)) for kind in ("plain", "html"))
    body = next((part for part in written if part is not None and _content(part).strip()), None)
    parts = [part for part in message.walk() if not part.is_multipart()]
    attached = [
        part
        for part in parts
        if part is not body and (part.get_content_maintype() != "text" or part.get_filename())
    ]
    count("attachment{s} left out", len(attached))
    if body is None:
        return []
    data = _content(body)
    if body.get_content_subtype() == "html":
        return html_blocks(data, name, limits)[0]
    return [Block(decode(data, name, body.get_content_charset()))]


def _content(part: MIMEPart) -> bytes:
    content = part.get_payload(decode=True)
    return content if isinstance(content, bytes) else b""
