"""Errors that a user can mend. Each message names the problem and the remedy.

    HopRagError
    ├── InputError          a file, a question or a setting that cannot be used as it is
    │   └── FileRejected    one file of a corpus; the others go on
    ├── StoreError          an index that cannot be opened or written
    │   ├── IndexMissing        there is none at that path
    │   ├── IndexIncompatible   another embedder, dimension or schema
    │   ├── IndexLocked         another process is writing it
    │   ├── LockLost            another process took the lock over; this one may not write any more
    │   ├── RunUnreadable       a run of an evaluation holds what cannot be read
    │   └── ArtefactMissing     a retriever stands on what has not been built for it
    ├── ModelError          an embedder that cannot be loaded
    │   └── LlmError            a language model that cannot be asked
    │       ├── RequestRefused      it does not answer this request; others it may
    │       └── ReplyUnreadable     it answered, but not in the form that was asked for
    ├── RetrieverFailed     a custom retriever cannot be used, or its results cannot
    ├── NotAllowed          the visitor is no editor of this server
    ├── LeaveMissing        a model would have to be asked, and nobody has agreed to that
    └── Cancelled           the user stopped a build
        └── BudgetReached       a run has paid for as much as it may

A `ValueError` is a programmer's mistake and is not in the tree.
"""


class HopRagError(Exception):
    """Base of all errors whose message is meant for the user."""


class InputError(HopRagError):
    """A file, a question or a setting that cannot be used as it is."""


class FileRejected(InputError):
    """One file of a corpus cannot be read; the others go on.

    Parameters
    ----------
    name : the file as the user knows it.
    reason : what is wrong and what mends it, one line.
    """

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"{name}: {reason}")
        self.name = name
        self.reason = reason

    def __reduce__(self) -> tuple[type["FileRejected"], tuple[str, str]]:
        return FileRejected, (self.name, self.reason)


class StoreError(HopRagError):
    """An index that cannot be opened or written."""


class IndexMissing(StoreError):
    """There is no finished index at that path."""


class IndexIncompatible(StoreError):
    """The index was made with another embedder, dimension or schema."""


class IndexLocked(StoreError):
    """Another process is writing the index."""


class LockLost(StoreError):
    """Another process took the writer's lock over while this one was paused or cut off."""


class RunUnreadable(StoreError):
    """A row of a run cannot be read: it is damaged, or another version wrote it."""


class ArtefactMissing(StoreError):
    """An artefact that a retriever needs is not built for the current content of the index."""


class ModelError(HopRagError):
    """An embedder that cannot be loaded."""


class LlmError(ModelError):
    """The language model cannot be asked: no server, key refused, no such model, no answer.

    `billed` are the tries that a server has worked for all the same, and may have billed.
    """

    billed = 0


class RequestRefused(LlmError):
    """The server turns this one request down, for what is in it; another may go through."""


class ReplyUnreadable(LlmError):
    """The language model answered, but not in the form that was asked for."""


class LeaveMissing(HopRagError):
    """A model would have to be asked, and nobody has agreed to what that takes.

    It is no `LlmError`, for which a retriever has a fallback: nothing is wrong with the model.
    """


class RetrieverFailed(HopRagError):
    """A custom retriever cannot be loaded or reached, fails, or returns what cannot be used."""


class NotAllowed(HopRagError):
    """The visitor may look, and not change, delete or spend."""


class Cancelled(HopRagError):
    """The user stopped a build; what was done is kept and a resume goes on from there."""


class BudgetReached(Cancelled):
    """The next call would pass the budget; what was paid for is kept."""
