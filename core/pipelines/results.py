"""What another pipeline retrieved for a question."""

from dataclasses import dataclass

ContextKey = tuple[str, str]
"""Id and text of a context: what it is matched by."""


@dataclass(frozen=True, slots=True)
class Context:
    """A retrieved text. Any of its fields may be unknown, but not both `id` and `text`.

    Parameters
    ----------
    score : higher is better; None if the pipeline did not say.
    """

    text: str = ""
    id: str = ""
    title: str = ""
    score: float | None = None

    @property
    def key(self) -> ContextKey:
        return self.id, self.text


@dataclass(frozen=True, slots=True)
class Result:
    """What a pipeline retrieved for one question, best first, and what it answered.

    Parameters
    ----------
    id, question : of the question; at least one of them is known.
    answers : the right answers, if the file has them.
    references : texts that the question needs, if the file has them.
    """

    id: str = ""
    question: str = ""
    contexts: tuple[Context, ...] = ()
    answer: str = ""
    answers: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
