"""Say how much of the gold each retrieval of a question has."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType

from core.difference.explanations import Account
from core.playback.wording import TITLE, cropped, listed, series
from core.text.display.plurals import number

Passages = Mapping[str, Sequence[str]]
NOT_SHARED: Passages = MappingProxyType({})


def outcome(
    accounts: Sequence[Account], gold: Mapping[str, str], passages: Passages = NOT_SHARED
) -> str:
    """Say how many gold passages each retrieval has and at which ranks, the best first.

    Parameters
    ----------
    gold : the title of each gold id.
    passages : the passages of each gold id that is not one itself.
    """
    ranks = [_ranks(one, gold) for one in accounts]
    lost = [name for name in gold if not any(name in own for own in ranks)]
    missed = [f"'{cropped(gold[name], TITLE)}'" for name in told_once(lost, passages)]
    many = "both" if len(accounts) == 2 else "all"
    all_miss = f"{many.capitalize()} miss {listed(missed)}." if missed else ""
    if not any(ranks):
        return all_miss
    of = counted(gold, passages)
    if all(own == ranks[0] for own in ranks):
        sentence = f"{many.capitalize()} retrieve {len(ranks[0])} of {of}, {_at(ranks[0])}."
    else:
        order = sorted(
            zip(accounts, ranks, strict=True), key=lambda one: (-len(one[1]), sum(one[1].values()))
        )
        (best, own), *others = order
        rest = (
            f"{one.name} retrieves {f'{len(at)} ({_at(at)})' if at else 'none'}"
            for one, at in others
        )
        sentence = f"{best.name} retrieves {len(own)} of {of} ({_at(own)}); {'; '.join(rest)}."
    return f"{sentence} {all_miss}".rstrip()


def counted(gold: Collection[str], passages: Passages) -> str:
    """Return the number of gold passages, or of pieces of evidence if a passage holds several.

    >>> counted(["a", "b"], {"a": ["p"], "b": ["q"]}), counted(["a", "b"], {"a": ["p"], "b": ["p"]})
    ('2 gold passages', '2 pieces of evidence')
    """
    if len(told_once(gold, passages)) < len(gold):
        return f"{len(gold):,} pieces of evidence"
    return number(len(gold), "gold passage")


def told_once(gold: Iterable[str], passages: Passages) -> list[str]:
    """Return the first of all gold ids that the same passages hold."""
    first: dict[tuple[str, ...], str] = {}
    for name in gold:
        first.setdefault(tuple(passages.get(name, (name,))), name)
    return list(first.values())


def _ranks(one: Account, gold: Mapping[str, str]) -> dict[str, int]:
    """Return the rank of each gold id that a retrieval has."""
    kept = ((name, one.fates[name]) for name in gold)
    return {name: fate.rank or 0 for name, fate in kept if not fate.lost}


def _at(ranks: Mapping[str, int]) -> str:
    word = "rank" if len(ranks) == 1 else "ranks"
    return f"{word} {series([f'{rank:,}' for rank in sorted(ranks.values())])}"
