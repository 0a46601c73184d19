"""Names of the passages of a large index, looked up in its table of names."""

from collections.abc import Iterable, Iterator

from lancedb.query import FullTextOperator, MatchQuery

from core.store.derived_tables import CALLED
from core.store.tables import Tables
from core.text.entities.gazetteer import Gazetteer, openings, runs
from core.text.entities.keywords import is_findable
from core.text.entities.mentions import Mention
from core.text.entities.passage_names import in_order, name_words
from core.text.tokens import Token

_LONGER = 10_000  # names that have all words of a shorter one, at most


class StoredNames:
    """Finds names in texts like `Gazetteer`, and passages by name like `Bearers`."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def mentions(self, text: str, run: list[Token]) -> Iterator[Mention]:
        """Yield the known names in `text`, whose tokens are `run`."""
        keys = {
            *self._stored_keys("key", runs(run)),
            *self._stored_keys("start", openings(text, run)),
        }
        yield from Gazetteer(frozenset(filter(is_findable, keys))).mentions(text, run)

    def of(self, keyword: str) -> list[int]:
        """Return numbers of the passages called `keyword`, or by a longer name with its words."""
        lists = self._tables.find(CALLED, "key", [keyword], ["numbers"])["numbers"].to_pylist()
        parts = name_words(keyword)
        if not lists and len(parts) > 1:
            lists = list(self._longer(parts))
        return sorted(number for numbers in lists for number in numbers)

    def _stored_keys(self, column: str, values: Iterable[str]) -> list[str]:
        """Return the keys of the stored names with one of `values` in `column`."""
        wanted = sorted(set(values))
        if not wanted:
            return []
        keys: list[str] = self._tables.find(CALLED, column, wanted, ["key"])["key"].to_pylist()
        return keys

    def _longer(self, parts: list[str]) -> Iterator[list[int]]:
        """Yield the passages of names that contain the words `parts` in this order."""
        asked = MatchQuery(  # type: ignore[call-arg]
            " ".join(parts), "words", operator=FullTextOperator.AND
        )
        rows = self._tables.full_text(CALLED, asked, ["key", "numbers"], _LONGER)
        for row in rows.to_pylist():
            if in_order(parts, name_words(row["key"])):
                yield row["numbers"]
