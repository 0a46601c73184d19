"""How much files add to an index."""

from dataclasses import dataclass

from core.text.display.plurals import number


@dataclass(frozen=True, slots=True)
class Added:
    """Counts of what files add to an index.

    Parameters
    ----------
    documents, questions : those that the index did not have.
    replaced : questions of the index that have the gold of the files instead of their own.
    extended : questions of the index that have both, as another file brought them.
    """

    documents: int = 0
    questions: int = 0
    replaced: int = 0
    extended: int = 0

    def told(self) -> str:
        """Return what was added, as a phrase.

        >>> Added(2, 1).told(), Added(replaced=3).told(), Added().told()
        ('2 documents and 1 question added', 'gold of 3 questions replaced', 'nothing new added')
        """
        counts = ((self.documents, "document"), (self.questions, "question"))
        added = " and ".join(number(count, noun) for count, noun in counts if count)
        golds = ((self.replaced, "replaced"), (self.extended, "extended"))
        parts = [
            *([f"{added} added"] if added else []),
            *(f"gold of {number(count, 'question')} {how}" for count, how in golds if count),
        ]
        return ", ".join(parts) or "nothing new added"
