"""Summaries of clusters: by a model, or from the sentences nearest to the centre."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np
from pydantic import BaseModel, ConfigDict

from core import prompts
from core.artefacts.base import Bench, ExpectedPrompts
from core.errors import ReplyUnreadable
from core.models.oracle import Oracle
from core.models.prompt import Prompt
from core.progress import Progress, Report
from core.ranking import best
from core.text.clean import one_line
from core.vectors import Vectors

NAME = "summary"
WORDS = 75
"""Of a summary: the paper's 100 tokens."""
LONGEST = 400
"""Tokens of a reply, in a language of many tokens a word."""
_UNCERTAIN = 2  # times the number of prompts that was estimated, at most
_ONE_TEXT = 2_000  # characters of a text that a model reads


class Summary(BaseModel):
    """What a model says."""

    model_config = ConfigDict(json_schema_extra={"additionalProperties": False})

    summary: str


@dataclass(frozen=True, slots=True, eq=False)
class Sentences:
    """The sentences available for summaries; `vectors` is (sentences, d), unit-norm."""

    texts: Sequence[str]
    vectors: Vectors


def nearest(candidates: Sequence[int], sentences: Sentences, centre: Vectors) -> tuple[int, ...]:
    """Return the `candidates` nearest to `centre`, in their own order.

    Their words sum up to `WORDS` at most, but the nearest one is always included. No text is
    repeated.
    """
    rows = np.array(list(dict.fromkeys(candidates)), np.int64)
    if not len(rows):
        return ()
    order = best((sentences.vectors[rows] @ centre).astype(np.float64), len(rows))
    chosen: list[int] = []
    texts: set[str] = set()
    left = WORDS
    for row in rows[order].tolist():
        text = sentences.texts[row]
        words = len(text.split())
        if text in texts or (chosen and words > left):
            continue
        chosen.append(row)
        texts.add(text)
        left -= words
        if left <= 0:
            break
    place = {row: n for n, row in enumerate(rows.tolist())}
    return tuple(sorted(chosen, key=place.__getitem__))


def prompt_of(texts: Sequence[str]) -> Prompt:
    """Return the prompt that asks a model to summarise the texts of a cluster."""
    shown = [text[:_ONE_TEXT] for text in texts]
    return prompts.prompt(NAME, Summary, longest=LONGEST, texts=shown, words=WORDS)


def prompts_by_names(bench: Bench, names: int, passages: int) -> ExpectedPrompts:
    """Return an estimate of the prompts about groups of names, before the groups are known.

    Parameters
    ----------
    names, passages : names per prompt, and the length of a prompt in passages.
    """
    count = len({name for named in bench.index.passage_keywords for name in named})
    texts = [passage.text for passage in bench.index.passages]
    number = ceil(count / names)
    starts = (place * len(texts) // number for place in range(number))
    prompts = [prompt_of(texts[start : start + passages]) for start in starts]
    return ExpectedPrompts(prompts, _UNCERTAIN * number)


def _by_model(oracle: Oracle, clusters: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield the summary of each cluster's texts; empty if two replies were unusable."""
    asked = (prompt_of(texts) for texts in clusters)
    for reply, _ in oracle.attempt_all(asked, read_summary):
        yield reply.summary if reply else ""


def write_summaries(
    bench: Bench,
    clusters: Sequence[Sequence[str]],
    instead: Sequence[str],
    report: Report,
    name: str,
) -> tuple[list[str], list[str]]:
    """Return, for each cluster, its summary and the model that wrote it.

    Without a model or a usable reply, the summary is that of `instead`, and the model is empty.

    Parameters
    ----------
    name : the artefact's name, for progress.

    Raises
    ------
    LeaveMissing : the model would have to be called without permission.
    LlmError : the model fails too often in a row.
    """
    texts, makers = list(instead), [""] * len(instead)
    if bench.oracle is not None:
        for number, said in enumerate(_by_model(bench.oracle, clusters)):
            report(Progress(name, number, len(texts)))
            if said:
                texts[number], makers[number] = said, bench.oracle.llm.model
    return texts, makers


def read_summary(text: str) -> Summary:
    """Parse the summary in a reply; raise ReplyUnreadable if that fails."""
    said = one_line(prompts.read(text, Summary).summary)
    if not said:
        raise ReplyUnreadable("The reply contains no summary.")
    return Summary(summary=said)
