"""The formats of files that can be read, and how to convert those that cannot.

Every list of file endings that users see is made from `FORMATS`: the uploaders, the help of the
command line, help and error messages. Readers are named rather than imported, since some of their
libraries take half a second to load.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Literal

from core.corpus.file_contents import Contents, Limits

Reader = Callable[[bytes, str, Limits], Contents]
Group = Literal["document", "record", "vectors"]


@dataclass(frozen=True, slots=True)
class FileFormat:
    """A format of files.

    Parameters
    ----------
    name : what users call it.
    endings : of the file names, the usual one first, in lower case.
    group : whether a file is one document, holds records of documents or questions, or vectors.
    reader : module and function that read a file, as `module:function` below `core.corpus`.
    gzipped : whether such files are read compressed as well, with `.gz` behind the ending.
    """

    name: str
    endings: tuple[str, ...]
    group: Group
    reader: str
    gzipped: bool = False

    def read(self, data: bytes, name: str, limits: Limits) -> Contents:
        """Read the content of a file called `name`; see `Reader`."""
        module, _, function = self.reader.partition(":")
        reader: Reader = getattr(import_module(f"core.corpus.{module}"), function)
        return reader(data, name, limits)


FORMATS = (
    FileFormat(
        "plain text", (".txt", ".text", ".log"), "document", "record_files.readers:read_text", True
    ),
    FileFormat("Markdown", (".md", ".markdown"), "document", "documents.markdown:read_markdown"),
    FileFormat("HTML", (".html", ".htm", ".xhtml"), "document", "documents.html:read_html"),
    FileFormat("PDF", (".pdf",), "document", "documents.pdf:read_pdf"),
    FileFormat("Word", (".docx",), "document", "documents.office:read_docx"),
    FileFormat("PowerPoint", (".pptx",), "document", "documents.slides:read_pptx"),
    FileFormat("Excel", (".xlsx",), "document", "documents.workbooks:read_xlsx"),
    FileFormat("OpenDocument text", (".odt",), "document", "documents.opendocument:read_odt"),
    FileFormat("EPUB", (".epub",), "document", "documents.epub:read_epub"),
    FileFormat("e-mail", (".eml",), "document", "documents.mail:read_eml"),
    FileFormat("reStructuredText", (".rst",), "document", "documents.restructured:read_rst"),
    FileFormat("subtitles", (".srt", ".vtt"), "document", "documents.subtitles:read_subtitles"),
    FileFormat("CSV", (".csv",), "record", "record_files.readers:read_csv", True),
    FileFormat("TSV", (".tsv",), "record", "record_files.readers:read_tsv", True),
    FileFormat("JSON", (".json",), "record", "record_files.readers:read_json", True),
    FileFormat(
        "JSON Lines", (".jsonl", ".ndjson"), "record", "record_files.readers:read_jsonl", True
    ),
    FileFormat("Parquet", (".parquet",), "record", "record_files.readers:read_parquet"),
    FileFormat(
        "TREC qrels",
        (".qrels", ".qrel", ".trec"),
        "record",
        "record_files.readers:read_qrels",
        True,
    ),
    FileFormat("NumPy vectors", (".npy",), "vectors", "vectors.npy_files:read_npy"),
)
LANCE = ".lance"
"""Ending of the folder of a LanceDB table, which is read as one file."""
ARCHIVE = ".zip"
"""Ending of an archive, each file of which is read by itself."""
GZIPPED = tuple(f"{ending}.gz" for each in FORMATS if each.gzipped for ending in each.endings)
SUFFIXES = (*(ending for each in FORMATS for ending in each.endings), *GZIPPED, ARCHIVE)
"""Endings of the file names that can be read."""

_BY_ENDING = {ending: each for each in FORMATS for ending in each.endings}
_CODE = "it is source code; rename it to .txt to read it as text"
_OFFICE = "open it in {} or LibreOffice and save it as {}"
_PANDOC = "convert it to Markdown: pandoc {} -o {}.md"
_UNPACK = "unpack it and zip the files"
_PICTURE = "images contain no text; run text recognition (OCR) and save the result as .txt or PDF"
_SOUND = "audio and video are not supported; transcribe them to subtitles (.srt or .vtt) or .txt"
_EBOOK = "convert it to .epub, for example with Calibre"
_CONVERSIONS: tuple[tuple[str, str], ...] = (
    (".doc .docm .dot .dotx .dotm .wpd .wps", _OFFICE.format("Word", ".docx")),
    (".rtf", _OFFICE.format("Word", ".docx")),
    (".pages", "open it in Pages and export it as Word (.docx)"),
    (".ppt .pptm .pps .ppsx .odp", _OFFICE.format("PowerPoint", ".pptx")),
    (".key", "open it in Keynote and export it as PowerPoint (.pptx)"),
    (".xls .xlsm .xlsb .ods", _OFFICE.format("Excel", ".xlsx")),
    (".numbers", "open it in Numbers and export it as Excel (.xlsx)"),
    (".msg", "open it in Outlook and save it as .eml"),
    (".mbox .pst .ost", "export the messages as .eml files and zip them"),
    (".mht .mhtml", "open it in a browser and save it as HTML"),
    (".ipynb", "convert it to Markdown: jupyter nbconvert --to markdown FILE.ipynb"),
    (".mdx .rmd .qmd", "it is Markdown with code; rename it to .md to read it as Markdown"),
    (".org .adoc .asciidoc .textile .mediawiki .wiki", _PANDOC.format("FILE", "FILE")),
    (".tex .latex .bib", _PANDOC.format("FILE.tex", "FILE")),
    (".fb2 .mobi .azw .azw3 .djvu .chm", _EBOOK),
    (".ps .eps .xps .dvi", "print it to a PDF"),
    (
        ".xml .sgml .rss .atom",
        (
            "XML does not declare which elements hold the text; convert it to .jsonl with "
            "title and text"
        ),
    ),
    (".yaml .yml .toml .ini", "convert it to .json with title and text"),
    (".arrow .feather .orc .avro", "save it as Parquet, for example with pandas or pyarrow"),
    (".db .sqlite .sqlite3 .sql", "export the table with the texts as .csv"),
    (".pkl .pickle .pt", "reading it could run code; save the texts as .jsonl"),
    (".npz", "save only the array of vectors as .npy, with numpy.save"),
    (".lance", "give the path of the table's folder, or save the table as Parquet"),
    (".jsonl.zst .json.zst .csv.zst .tsv.zst .txt.zst .zst", "decompress it first: zstd -d FILE"),
    (".bz2 .xz .lz4 .br", "decompress it first, or compress it as .gz"),
    (".tar.gz .tgz .tar.bz2 .tar.xz .tar .7z .rar", _UNPACK),
    (".gz", f"of compressed files, only {' '.join(GZIPPED)} are supported; decompress it first"),
    (".js .ts .tsx .jsx .py .java .c .h .cpp .cs .go .rs .rb .php .sh .r .css .scala", _CODE),
    (".png .jpg .jpeg .gif .webp .tif .tiff .bmp .heic .svg", _PICTURE),
    (".mp3 .wav .m4a .flac .ogg .mp4 .mov .avi .mkv .webm", _SOUND),
    (".ass .ssa .sub .sbv .ttml", "save the subtitles as .srt or .vtt"),
)
_CONVERSION = {ending: how for endings, how in _CONVERSIONS for ending in endings.split()}


def ending_of(name: str) -> str:
    """Return the ending by which a file is read, in lower case; empty if it is not read."""
    lower = name.lower()
    return max((each for each in SUFFIXES if lower.endswith(each)), key=len, default="")


def format_of(ending: str) -> FileFormat:
    """Return the format of files with this ending, which may be followed by `.gz`."""
    return _BY_ENDING[ending.removesuffix(".gz")]


def conversion(name: str) -> str:
    """Return a sentence on how to convert a file that is not read."""
    lower = name.lower()
    known = max((each for each in _CONVERSION if lower.endswith(each)), key=len, default="")
    if known:
        return f"{known} files are not supported; {_CONVERSION[known]}"
    return f"unsupported file type; convert it to one of {listed()}"


def listed(*groups: Group) -> str:
    """Return the endings of formats, without compressed ones unless of all `groups`.

    >>> listed("document").split()[:3]
    ['.txt', '.text', '.log']
    """
    wanted: Sequence[str] = groups or ("document", "record", "vectors")
    endings = [end for each in FORMATS if each.group in wanted for end in each.endings]
    return " ".join(endings if groups else [*endings, ARCHIVE])


def compressed() -> str:
    """Return the endings of compressed files that are read."""
    return " ".join(GZIPPED)


def names() -> str:
    """Return the names of all formats as part of a sentence."""
    listed_names = ", ".join(each.name for each in FORMATS)
    return f"{listed_names[:1].upper()}{listed_names[1:]}, and zip files of them"
