"""Files to documents and questions, and documents to passages."""

from core.corpus.chunking.chunker import Chunking, chunk
from core.corpus.files import read_files
from core.corpus.formats import SUFFIXES
from core.corpus.server_paths import server_paths
from core.corpus.types import Corpus, Duplicate, FileRead

__all__ = [
    "SUFFIXES",
    "Chunking",
    "Corpus",
    "Duplicate",
    "FileRead",
    "chunk",
    "read_files",
    "server_paths",
]
