"""Notes about files that are added to an index."""

from collections.abc import Sequence
from dataclasses import replace

from core.corpus.assembly import notes_on_changed_ids, notes_on_passage_ids
from core.corpus.ids.document_ids import Identities
from core.corpus.types import Corpus
from core.corpus.updates.file_changes import Clash, Known
from core.text.display.plurals import number

_DONE = {
    "replace": "{name} replaced its earlier version. Documents removed: {gone:,}.",
    "keep": "{name} was added next to the earlier file with that name.",
    "leave": "{name} was skipped: the index already has a file with that name.",
}


def with_change_notes(
    corpus: Corpus,
    before: Identities,
    after: Identities,
    clashes: Sequence[Clash],
    known: Known,
) -> Corpus:
    """Return `corpus` with duplicates and notes that compare it with the documents of an index.

    Parameters
    ----------
    before, after : the documents of the index without and with `corpus`.
    clashes : the files of known names, which were handled as `known` says.
    """
    fresh = [text for text in after.kept if any(not each.added_at for each in after.claims(text))]
    new = set(fresh)
    moved = [
        (name, after.ids[text])
        for text, name in before.ids.items()
        if after.ids.get(text, name) != name
    ]
    notes = [
        *corpus.notes,
        *(_DONE[known].format(name=each.name, gone=each.gone) for each in clashes),
        *notes_on_changed_ids(after, fresh),
        *notes_on_passage_ids(after, fresh),
        *[
            f"{number(len(moved), 'new id')} for documents of the index; '{moved[0][0]}' is now "
            f"'{moved[0][1]}'"
            for _ in moved[:1]
        ],
    ]
    duplicates = tuple(each for text, each in after.duplicates() if text in new)
    return replace(corpus, duplicates=duplicates, notes=tuple(dict.fromkeys(notes)))
