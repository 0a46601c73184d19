"""Documents as other retrieval frameworks keep them: LangChain, LlamaIndex."""

import json
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

from core.corpus.file_contents import Row, characters, document, scalars
from core.corpus.record_formats.base import Format, Piece, Unreadable
from core.text.clean import one_line

_TITLES = ("title", "file_name", "filename", "source", "file_path")


def _langchain(row: Row, file: str) -> Piece:
    """Return a document of LangChain, its own dump or `dumps` of the library.

    Its id is the one it has, else its source, with the page and where it starts if they are known.
    """
    fields = _fields(row)
    metadata = fields.get("metadata") or {}
    places = [metadata.get(name) for name in ("source", "page", "start_index")]
    given = fields.get("id")
    if not isinstance(given, str) and places[0]:
        given = ":".join(str(each) for each in places if each is not None)
    return _document_of_node(fields["page_content"], given, metadata, file)


def _fields(row: Row) -> Row:
    kwargs = row.get("kwargs")
    return kwargs if isinstance(kwargs, Mapping) and "page_content" in kwargs else row


def _is_langchain(row: Row, _: str) -> bool:
    return "page_content" in _fields(row)


def _llama_index(row: Row, file: str) -> Piece:
    """Return a node of LlamaIndex's docstore, by its id; its title is the name of its file."""
    node = row["__data__"]
    if isinstance(node, str):  # as versions before 0.6 wrote it
        node = json.loads(node)
    resource = node.get("text_resource") or {}
    text = node.get("text") or resource.get("text") or ""
    metadata = node.get("metadata") or node.get("extra_info") or {}
    return _document_of_node(
        text, node.get("id_") or node.get("doc_id") or row.get("id"), metadata, file
    )


def _is_llama_index(row: Row, _: str) -> bool:
    return "__data__" in row


def _document_of_node(text: object, given: object, metadata: Mapping[str, Any], file: str) -> Piece:
    """Convert the text and metadata of a docstore's node to a document."""
    if not isinstance(text, str):
        raise Unreadable("its text field is not text")
    named = next((metadata[name] for name in _TITLES if isinstance(metadata.get(name), str)), "")
    title = named if "title" in metadata else PurePosixPath(named.replace("\\", "/")).name
    made = document(characters(title), text, file, given=given, metadata=scalars(metadata, set()))
    if not made.text:
        return Piece()
    remarks = tuple(
        (
            f"'{one_line(str(key))[:40]}' was left out, because metadata cannot contain lists or "
            "objects"
        )
        for key, value in metadata.items()
        if isinstance(value, list | dict) and value
    )
    return Piece((made,), remarks=remarks)


FORMATS = (
    Format("LangChain documents", _is_langchain, _langchain),
    Format("LlamaIndex docstore", _is_llama_index, _llama_index),
)
