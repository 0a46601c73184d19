"""Say how much of the gold each retrieval of a question has."""

from collections.abc import Mapping, Sequence

from core.difference.cause import Account
from core.playback.wording import TITLE, cropped, listed, number, series


def outcome(accounts: Sequence[Account], gold: Mapping[str, str]) -> str:
    """Say how many gold passages each retrieval has and at which ranks, the best first.

    Parameters
    ----------
    gold : the title of each gold id.
    """
    ranks = [_ranks(one, gold) for one in accounts]
    missed = [f"'{cropped(gold[g], TITLE)}'" for g in gold if not any(g in own for own in ranks)]
    many = "both" if len(accounts) == 2 else "all"
    all_miss = f"{many.capitalize()} miss {listed(missed)}." if missed else ""
    if not any(ranks):
        return all_miss
    of = number(len(gold), "gold passage")
    if all(own == ranks[0] for own in ranks):
        told = f"{many.capitalize()} retrieve {len(ranks[0])} of {of}, {_at(ranks[0])}."
    else:
        order = sorted(
            zip(accounts, ranks, strict=True), key=lambda one: (-len(one[1]), sum(one[1].values()))
        )
        (best, own), *others = order
        rest = (
            f"{one.name} retrieves {f'{len(at)} ({_at(at)})' if at else 'none'}"
            for one, at in others
        )
        told = f"{best.name} retrieves {len(own)} of {of} ({_at(own)}); {'; '.join(rest)}."
    return f"{told} {all_miss}".rstrip()


def _ranks(one: Account, gold: Mapping[str, str]) -> dict[str, int]:
    """Return the rank of each gold id that a retrieval has."""
    kept = ((name, one.fates[name]) for name in gold)
    return {name: fate.rank or 0 for name, fate in kept if not fate.lost}


def _at(ranks: Mapping[str, int]) -> str:
    word = "rank" if len(ranks) == 1 else "ranks"
    return f"{word} {series([f'{rank:,}' for rank in sorted(ranks.values())])}"
