"""Say how much of the gold each retrieval of a question has."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType

from core.difference.explanations import Account
from core.playback.wording import TITLE, cropped, join_names, series
from core.text.display.plurals import number

Passages = Mapping[str, Sequence[str]]
NOT_SHARED: Passages = MappingProxyType({})


def outcome(
    accounts: Sequence[Account], gold: Mapping[str, str], passages: Passages = NOT_SHARED
) -> str:
    """Say in short sentences which retrieval finds which gold passage, the best first.

    Ranks are named only if all find the same gold.

    Parameters
    ----------
    gold : the title of each gold id.
    passages : the passages of each gold id that is not one itself.
    """
    ranks = [_ranks(one, gold) for one in accounts]
    missed_by_all = [name for name in gold if not any(name in own for own in ranks)]
    many = "both" if len(accounts) == 2 else "all"
    all_miss = (
        f"{many.capitalize()} miss {_titles(missed_by_all, gold, passages)}."
        if missed_by_all
        else ""
    )
    if not any(ranks):
        return all_miss
    if all(own.keys() == ranks[0].keys() for own in ranks):
        what = _amount(ranks[0], gold, passages)
        twice = many == "both" and what.startswith("both ")
        who = "Each finds" if twice else f"{many.capitalize()} find"
        said = [f"{who} {what}{_at_ranks(accounts, ranks)}."]
    else:
        said = _groups(accounts, ranks, gold, passages, missed_by_all)
    return " ".join(filter(None, (*said, all_miss)))


def _groups(
    accounts: Sequence[Account],
    ranks: Sequence[Mapping[str, int]],
    gold: Mapping[str, str],
    passages: Passages,
    missed_by_all: Collection[str],
) -> list[str]:
    """Return a sentence for the retrievals that find the same gold, most gold first."""
    groups: dict[frozenset[str], list[Account]] = {}
    order = sorted(
        zip(accounts, ranks, strict=True), key=lambda one: (-len(one[1]), sum(one[1].values()))
    )
    for one, own in order:
        groups.setdefault(frozenset(own), []).append(one)
    said = []
    for found, some in groups.items():
        called = [one.name for one in accounts if one in some]
        names, s = series(called), "" if len(called) > 1 else "s"
        left = [name for name in gold if name not in found and name not in missed_by_all]
        if not found:
            said.append(f"{names} find{s} none.")
        elif left:
            said.append(f"{names} miss{s and 'es'} {_titles(left, gold, passages)}.")
        elif missed_by_all:
            held = [name for name in gold if name in found]
            said.append(f"{names} find{s} {_titles(held, gold, passages)}.")
        else:
            said.append(f"{names} find{s} {_amount(found, gold, passages)}.")
    return said


def _amount(found: Collection[str], gold: Collection[str], passages: Passages) -> str:
    """Describe how much of the gold is found.

    >>> _amount("ab", "ab", {}), _amount("a", "a", {}), _amount("abc", "abc", {})
    ('both gold passages', 'the gold passage', 'all 3 gold passages')
    >>> _amount("a", "ab", {})
    '1 of 2 gold passages'
    """
    of = counted(gold, passages)
    if len(found) < len(gold):
        return f"{len(found):,} of {of}"
    bare = of.partition(" ")[2]
    return {1: f"the {bare}", 2: f"both {bare}"}.get(len(gold), f"all {of}")


def _titles(names: Collection[str], gold: Mapping[str, str], passages: Passages) -> str:
    return join_names([f"'{cropped(gold[name], TITLE)}'" for name in told_once(names, passages)])


def _at_ranks(accounts: Sequence[Account], ranks: Sequence[Mapping[str, int]]) -> str:
    """Return the ranks at which all find the same gold, best first."""
    if all(own == ranks[0] for own in ranks):
        return f", at {_ranks_phrase(ranks[0])}"
    order = sorted(zip(accounts, ranks, strict=True), key=lambda one: sum(one[1].values()))
    (first, own), *others = order
    rest = (f"{one.name} at {_ranks_phrase(at)}" for one, at in others)
    return f": {'; '.join((f'{first.name} at {_ranks_phrase(own)}', *rest))}"


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


def _ranks_phrase(ranks: Mapping[str, int]) -> str:
    word = "rank" if len(ranks) == 1 else "ranks"
    return f"{word} {series([f'{rank:,}' for rank in sorted(ranks.values())])}"
