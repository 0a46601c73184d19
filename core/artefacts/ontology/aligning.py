"""Decide which names mean the same entity: by shared aliases, a model, or rules.

The model, or rules in its place, also link similar names of related but different entities. No
sentence states these links.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated

import numpy as np
from pydantic import BaseModel, ConfigDict, StrictInt
from scipy import sparse

from core import prompts
from core.artefacts.base import Bench
from core.artefacts.entity_graph.graph import Entities, Numbers
from core.artefacts.ontology.defining import Defined
from core.errors import ReplyUnreadable
from core.models.prompt import Prompt
from core.progress import Progress, Report
from core.text.clean import one_line

RADIUS = 0.1
"""1 - cosine within which two names are near (tau, which the paper does not give)."""
MOST = 12
"""Names of a cluster that are judged together."""
LONGEST = 500
"""Tokens of a reply about 12 names: groups of the same entity, and a few links."""
_DIGIT = re.compile(r"\d|\b[ivx]+\b")


class Link(BaseModel):
    """Two of the names, by number, and in a few words what one is to the other."""

    one: StrictInt
    other: StrictInt
    relation: str


class Alignment(BaseModel):
    """What a model says of near names: which are one thing, and which are related."""

    model_config = ConfigDict(json_schema_extra={"additionalProperties": False})

    same: list[Annotated[list[StrictInt], prompts.at_most(MOST)]] = prompts.at_most(MOST)
    related: list[Link] = prompts.at_most(2 * MOST)


@dataclass(frozen=True, slots=True)
class Judged:
    """Pairs of names that mean the same, and links (name, name, relation), by number.

    `by_model` counts the clusters that the model judged.
    """

    same: tuple[tuple[int, int], ...]
    related: tuple[tuple[int, int, str], ...]
    by_model: int


def exact_aliases(
    definitions: Mapping[int, Defined], number: Mapping[str, int]
) -> Iterator[tuple[int, int]]:
    """Yield (entity, alias) pairs, by number, for aliases of one entity only that fit its types.

    An alias that two entities have is skipped: it is ambiguous.
    """
    claimed: defaultdict[str, list[int]] = defaultdict(list)
    for one, definition in definitions.items():
        for alias in definition.aliases:
            claimed[alias].append(one)
    for alias, owners in sorted(claimed.items()):
        other = number.get(alias)
        if len(owners) == 1 and other is not None and types_fit(definitions, owners[0], other):
            yield owners[0], other


def types_fit(definitions: Mapping[int, Defined], one: int, other: int) -> bool:
    """Check whether two names share a type, or the types of one are unknown."""
    types = [definitions[n].types if n in definitions else frozenset() for n in (one, other)]
    return not all(types) or bool(types[0] & types[1])


def clusters(entities: Entities) -> list[tuple[int, ...]]:
    """Cluster similar names by DBSCAN over their cosines.

    A cluster of more than `MOST` names is split, in alphabetical order.
    """
    from sklearn.cluster import DBSCAN  # only here, as every list of retrievers would wait for it

    one, other, cosine = entities.synonyms
    near = 1 - cosine <= RADIUS
    one, other, away = one[near], other[near], np.maximum(1e-9, 1 - cosine[near])
    known = np.unique(np.concatenate((one, other)))
    if not len(known):
        return []
    rows, columns = np.searchsorted(known, one), np.searchsorted(known, other)
    half = sparse.csr_matrix((away, (rows, columns)), shape=(len(known), len(known)))
    distances = (half + half.T).tocsr()
    labels = DBSCAN(eps=RADIUS, min_samples=2, metric="precomputed").fit_predict(distances)
    parts = (known[labels == label].tolist() for label in range(labels.max() + 1))
    return [tuple(part[at : at + MOST]) for part in parts for at in range(0, len(part), MOST)]


def align(
    bench: Bench,
    entities: Entities,
    definitions: Mapping[int, Defined],
    texts: Mapping[int, str],
    report: Report,
    name: str,
) -> Judged:
    """Align each cluster of similar names by the model, or else by rules.

    Parameters
    ----------
    definitions, texts : the definition of a name, and a sentence about it, by its number.
    name : the artefact's name, for progress.

    Raises
    ------
    LeaveMissing : the model would have to be asked, and nobody allowed it.
    LlmError : the model fails too often in a row.
    """
    parts = [part for part in clusters(entities) if len(part) > 1]
    by_rules = partial(_align_by_rules, entities, definitions)
    if bench.oracle is None:
        return _merged_alignments([(part, by_rules(part)) for part in parts], 0)
    asked = prompts_about(entities, definitions, texts)
    replies = bench.oracle.attempt_all(asked, read_alignment)
    alignments: list[tuple[Sequence[int], Alignment]] = []
    by_model = 0
    for part, (reply, _) in zip(parts, replies, strict=True):
        report(Progress(name, len(alignments), len(parts)))
        by_model += reply is not None
        alignments.append((part, reply or by_rules(part)))
    return _merged_alignments(alignments, by_model)


def prompts_about(
    entities: Entities, definitions: Mapping[int, Defined], texts: Mapping[int, str]
) -> Iterator[Prompt]:
    """Yield a prompt for each cluster of similar names; parameters as in `align`."""
    for part in clusters(entities):
        if len(part) > 1:
            yield prompt_of(_cluster_rows(part, entities, definitions, texts))


def _cluster_rows(
    part: Sequence[int],
    entities: Entities,
    definitions: Mapping[int, Defined],
    texts: Mapping[int, str],
) -> list[dict[str, object]]:
    """Return the rows of the prompt about one cluster: number, name, types and a sentence."""
    return [
        {
            "number": place,
            "name": entities.names[n],
            "types": sorted(definitions[n].types) if n in definitions else [],
            "told": texts.get(n, ""),
        }
        for place, n in enumerate(part, start=1)
    ]


def prompt_of(names: Sequence[Mapping[str, object]]) -> Prompt:
    """Return the prompt that asks a model to align the names of a cluster."""
    return prompts.prompt("align_names", Alignment, longest=LONGEST, names=list(names))


def read_alignment(text: str) -> Alignment:
    """Parse the alignment in a reply; raise ReplyUnreadable if that fails."""
    alignment = prompts.read(text, Alignment)
    numbers = {n for group in alignment.same for n in group}
    numbers |= {n for link in alignment.related for n in (link.one, link.other)}
    if not all(1 <= n <= MOST for n in numbers):
        raise ReplyUnreadable("The reply contains names that are not in the list.")
    return alignment


def _align_by_rules(
    entities: Entities, definitions: Mapping[int, Defined], cluster: Sequence[int]
) -> Alignment:
    """Merge two names if their types fit and one is the other with words inserted; link all other
    pairs as alike.
    """
    same, related = [], []
    for place, one in enumerate(cluster, start=1):
        for later, other in enumerate(cluster[place:], start=place + 1):
            if types_fit(definitions, one, other) and is_longer(
                entities.names[one], entities.names[other]
            ):
                same.append([place, later])
            else:
                related.append(Link(one=place, other=later, relation="alike"))
    return Alignment(same=same, related=related)


def is_longer(one: str, other: str) -> bool:
    """Check whether one name is the other plus inner words, or without spaces.

    Names with different numbers are different entities.

    >>> is_longer("ada birch", "ada mary birch"), is_longer("ada birch", "ada birch hall")
    (True, False)
    """
    if _DIGIT.findall(one) != _DIGIT.findall(other):
        return False
    short, long = sorted((one.split(), other.split()), key=len)
    if "".join(short) == "".join(long):
        return True
    rest = iter(long)
    ends = len(short) > 1 and (short[0], short[-1]) == (long[0], long[-1])
    return ends and all(word in rest for word in short)


def _merged_alignments(found: Iterable[tuple[Sequence[int], Alignment]], by_model: int) -> Judged:
    """Translate the alignments of clusters, which count places, into numbers of names."""
    same: list[tuple[int, int]] = []
    related: list[tuple[int, int, str]] = []
    for part, said in found:
        for group in said.same:
            held = [part[n - 1] for n in group if n <= len(part)]
            same += [(held[0], other) for other in held[1:]]
        related += [
            (part[link.one - 1], part[link.other - 1], one_line(link.relation)[:60])
            for link in said.related
            if max(link.one, link.other) <= len(part) and link.one != link.other
        ]
    return Judged(tuple(same), tuple(related), by_model)


def groups_of(count: int, pairs: Iterable[tuple[int, int]]) -> Numbers:
    """Return the group of each name, (count,), by the `pairs` that join; first names first."""
    rows, columns = np.array(sorted(set(pairs)), np.int64).reshape(-1, 2).T
    ones = np.ones(len(rows), np.int8)
    joins = sparse.csr_matrix((ones, (rows, columns)), shape=(max(1, count), max(1, count)))
    labels = sparse.csgraph.connected_components(joins, directed=False)[1].tolist()[:count]
    first = {label: place for place, label in enumerate(dict.fromkeys(labels))}
    return np.array([first[label] for label in labels], np.int64)
