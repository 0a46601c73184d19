"""The texts of marks of earlier versions, which kept none, while an index still has them."""

from contextlib import suppress
from dataclasses import replace

from core.errors import StoreError
from core.marks.following import followed
from core.marks.store import Marks
from core.places import Place
from core.store.index import Index


def keep_texts(folder: Place) -> None:
    """Keep the texts of marks that have none, before the index of `folder` is built anew.

    Marks or an index that cannot be read are no reason not to build.
    """
    with suppress(StoreError):
        store = Marks(folder)
        bare = [mark for mark in store.all() if not mark.text]
        if not bare:
            return
        index = Index.open(folder)
        placed = [
            (mark, each.passage) for mark, each in zip(bare, followed(index, bare), strict=True)
        ]
        there = [(mark, index.passage(one)) for mark, one in placed if one]
        store.keep_texts(
            replace(mark, document=passage.document_id, text=passage.text)
            for mark, passage in there
        )
