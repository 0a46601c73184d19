"""Add, replace and remove the documents of files in an index.

A file is recognised by its name and its documents.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from core.corpus.file_contents import content_hash
from core.corpus.ids.document_ids import Identities, content_of
from core.corpus.types import Brought
from core.errors import InputError

Known = Literal["ask", "replace", "keep", "leave"]
"""What to do with a file of a known name and other documents: refuse it, replace the earlier file,
keep both, or leave the new one out."""

_File = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Clash:
    """A file of a known name that lacks documents which the index has under that name.

    `there` counts the documents of the index under that name, `gone` those of them that are missing
    or changed in the new file.
    """

    name: str
    there: int
    gone: int

    def __str__(self) -> str:
        has = f"{self.there:,} document{'s' * (self.there != 1)}"
        return (
            f"{self.name} is already in the index with {has}; the new file lacks "
            f"{self.gone:,} of them"
        )


def find_clashes(there: Iterable[Brought], fresh: Iterable[Brought]) -> list[Clash]:
    """Return the files of `fresh` whose name is known but whose contents differ, by name.

    The user decides about these. A file that contains all documents of its namesake is the same
    file.
    """
    return _FileMatching(there, fresh).clashes()


def merge_files(there: Iterable[Brought], fresh: Iterable[Brought], known: Known) -> list[Brought]:
    """Return the documents of an index after the files of `fresh` are added.

    Parameters
    ----------
    there : the documents of the index.
    known : what to do with files of a known name and other contents.

    Raises
    ------
    InputError : `known` is "ask", and there are clashes.
    """
    matching = _FileMatching(there, fresh)
    clashing = matching.clashes()
    if clashing and known == "ask":
        more = f" (and {len(clashing) - 3:,} more files)" if len(clashing) > 3 else ""
        raise InputError(
            f"{'; '.join(map(str, clashing[:3]))}{more}. Nothing was changed. Choose whether to "
            "replace the existing documents (--replace) or keep both (--keep-both)."
        )
    return matching.merged(known)


def remove_documents(
    there: Sequence[Brought], document_ids: Collection[str]
) -> tuple[list[Brought], list[str]]:
    """Return the documents without those of `document_ids`, and sentences about texts that stay.

    A text stays if another file has it, too.
    """
    before = Identities(there)
    gone = set(document_ids)
    texts = {text: each for text, each in before.kept.items() if before.ids[text] in gone}

    def goes(each: Brought) -> bool:
        kept = texts.get(content_of(each))
        return kept is not None and kept.document.source == each.document.source

    left = [each for each in there if not goes(each)]
    after = Identities(left)
    notes = [
        f"'{before.ids[text]}' has the same text in {', '.join(after.sources(text)[:3])}, "
        f"so it is kept as '{after.ids[text]}'"
        for text in texts
        if text in after.ids
    ]
    return left, notes


class _FileMatching:
    """The files of an index and the files to add, each matched with its namesake."""

    def __init__(self, there: Iterable[Brought], fresh: Iterable[Brought]) -> None:
        self._there, self._fresh = _files(there), _files(fresh)
        self._same: dict[_File, _File] = {}
        free = {name: _keys(each) for name, each in self._there.items()}
        for new, brought in self._fresh.items():
            keys = _keys(brought)
            # What was brought by no file, under no name, is one heap.
            alike = [old for old in free if old[0] == new[0] and (not old[0] or free[old] <= keys)]
            if alike:
                self._same[new] = max(alike, key=lambda old: len(free[old]))
                del free[self._same[new]]
        self._unmatched = free

    def clashes(self) -> list[Clash]:
        """Count, by file name, the documents of the index and those that the new files lack."""
        coming: dict[str, set[str]] = defaultdict(set)
        for new in self._clashing():
            coming[new[0]] |= _keys(self._fresh[new])
        clashing = []
        for name, keys in coming.items():
            there = set().union(
                *(self._unmatched[old] for old in self._unmatched if old[0] == name)
            )
            clashing.append(Clash(name, len(there), len(there - keys)))
        return clashing

    def _clashing(self) -> list[_File]:
        names = {name for name, _ in self._unmatched}
        return [new for new in self._fresh if new not in self._same and new[0] in names]

    def merged(self, known: Known) -> list[Brought]:
        """Return the documents of the index with the new files, which replace old ones or join
        them.
        """
        files = dict(self._there)
        clashing = self._clashing()
        since: Mapping[str, str] = {}
        if known == "replace":
            names = {name for name, _ in clashing}
            old = [file for file in self._unmatched if file[0] in names]
            since = {_key(each): each.added_at for file in old for each in files.pop(file)}
        for new, brought in self._fresh.items():
            if same := self._same.get(new):
                files[same] = _updated_documents(files[same], brought)
            elif known != "leave" or new not in clashing:
                number = 1 + max((n for name, n in files if name == new[0]), default=0)
                files[new[0], number] = [
                    replace(each, number=number, added_at=since.get(_key(each), each.added_at))
                    for each in brought
                ]
        return [each for brought in files.values() for each in brought]


def _updated_documents(old: Sequence[Brought], brought: Sequence[Brought]) -> list[Brought]:
    """Return the old and new documents of a file, in the new file's order.

    Documents that came without a file are listed first.
    """
    known = {_key(each): each for each in old}
    number = old[0].number
    now = [known.get(_key(each)) or replace(each, number=number) for each in brought]
    keys = _keys(brought)
    return [*(each for key, each in known.items() if key not in keys), *now]


def _files(brought: Iterable[Brought]) -> dict[_File, list[Brought]]:
    """Group documents by file, each document once."""
    documents_by_file: dict[_File, dict[str, Brought]] = defaultdict(dict)
    for each in brought:
        documents_by_file[each.document.source, each.number].setdefault(_key(each), each)
    return {file: list(documents.values()) for file, documents in documents_by_file.items()}


def _key(each: Brought) -> str:
    return f"{each.document.id}\0{content_hash(each.document)}"


def _keys(brought: Iterable[Brought]) -> set[str]:
    return {_key(each) for each in brought}
