"""The passages of each gold id of a question, and which of them are needed."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Literal

from core.types import Evidence, Query

Parts = tuple[tuple[str, ...], ...]
"""Groups of passages. One passage of each group is needed."""

GoldLevel = Literal["evidence", "document"]
"""What counts as gold: each piece of evidence, or what the question set names as a whole (documents
or passages). A question without evidence has the latter at both levels."""


@dataclass(frozen=True, slots=True, eq=False)  # equal mappings are equal
class Holders(Mapping[str, tuple[str, ...]]):
    """The passages of each gold id.

    Any one of these passages is enough, unless the evidence is split across passages. `split` has
    the groups of passages of such evidence: one passage of each group is needed.
    """

    passages: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    split: Mapping[str, Parts] = field(default_factory=dict)

    @staticmethod
    def of(parts: Mapping[str, Parts]) -> "Holders":
        """Return the holders of gold ids.

        Parameters
        ----------
        parts : groups of passages by gold id; one passage of each group is needed.
        """
        return Holders(
            {
                gold_id: tuple(dict.fromkeys(passage for group in groups for passage in group))
                for gold_id, groups in parts.items()
            },
            {gold_id: groups for gold_id, groups in parts.items() if len(groups) > 1},
        )

    def __getitem__(self, gold_id: str) -> tuple[str, ...]:
        return self.passages[gold_id]

    def __iter__(self) -> Iterator[str]:
        return iter(self.passages)

    def __len__(self) -> int:
        return len(self.passages)


_NO_PARTS: Mapping[str, Parts] = MappingProxyType({})


def parts_of(gold_id: str, holders: Mapping[str, Collection[str]]) -> Parts:
    """Return groups of passages of a gold id: one passage of each group is needed."""
    split = holders.split if isinstance(holders, Holders) else _NO_PARTS
    return split.get(gold_id) or (tuple(holders.get(gold_id, ())),)


def evidence_ids(query: Query) -> tuple[str, ...]:
    """Return the gold ids of a question's evidence, in order."""
    return tuple(f"{query.id}:e{number}" for number, _ in enumerate(query.evidence, 1))


def evidence_by_id(query: Query) -> dict[str, Evidence]:
    """Return the evidence of a question by its gold ids, in order."""
    return dict(zip(evidence_ids(query), query.evidence, strict=True))


def asked_evidence(query: Query) -> dict[str, Evidence]:
    """Return the evidence among the gold of a question, by its gold ids."""
    named = evidence_by_id(query)
    return {name: named[name] for name in query.gold if name in named}


def with_evidence_as_gold(query: Query) -> Query:
    """Return a question whose gold is its evidence; one without evidence stays as it is."""
    return replace(query, gold=evidence_ids(query)) if query.evidence else query


def evidence_holders(evidence: Mapping[str, Evidence]) -> Holders:
    """Return the passages of evidence by its gold ids, without what was not found."""
    return Holders.of({name: each.parts for name, each in evidence.items() if each.parts})
