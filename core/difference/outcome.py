"""Which of those that are compared did better on one question, in a short sentence."""

from collections.abc import Mapping, Sequence

from core.difference.cause import Account
from core.playback.wording import TITLE, cropped, listed, series


def outcome(accounts: Sequence[Account], gold: Mapping[str, str]) -> str:
    """`A is better here: gold at 1 and 2, B at 1 and 20.`

    Better is who retrieves more gold, and of those who retrieve the same gold who ranks it higher
    in sum. `gold` says what each gold id is called.
    """
    ranks = [_ranks(one, gold) for one in accounts]
    lost = [gold[name] for name in gold if not any(name in own for own in ranks)]
    two = len(accounts) == 2
    neither, all_ = ("Neither", "both") if two else ("None", "all")
    titles = [f"'{cropped(name, TITLE)}'" for name in lost]
    loses = f"{all_} lose {listed(titles)}"
    if not any(ranks):
        return f"{neither}: {loses}."
    end = f"; {loses}." if lost else "."
    if all(own == ranks[0] for own in ranks):
        return f"No difference in gold: {all_} have gold at {_listed(ranks[0])}{end}"
    best = _best(ranks)
    order = [*best, *(i for i in range(len(ranks)) if i not in best)]
    most = max(map(len, ranks))
    first, *others = ((accounts[i].name, _at(ranks[i], most)) for i in order)
    rest = ", ".join(f"{name} {at}" for name, at in others)
    if len(best) == 1:
        return f"{first[0]} is {'better' if two else 'best'} here: gold {first[1]}, {rest}{end}"
    names = series([accounts[i].name for i in best])
    some = len(best) < len(ranks)
    begin = f"{names} are best here" if some else f"{neither} is {'better' if two else 'best'} here"
    return f"{begin}: {first[0]} has gold {first[1]}, {rest}{end}"


def _ranks(one: Account, gold: Mapping[str, str]) -> dict[str, int]:
    """The rank of each gold id that it retrieves."""
    kept = ((name, one.fates[name]) for name in gold)
    return {name: fate.rank or 0 for name, fate in kept if not fate.lost}


def _best(ranks: Sequence[Mapping[str, int]]) -> list[int]:
    """The places of the best; several where nothing tells them apart, as who has other gold."""
    most = max(map(len, ranks))
    ahead = [i for i, own in enumerate(ranks) if len(own) == most]
    if any(ranks[i].keys() != ranks[ahead[0]].keys() for i in ahead):
        return ahead
    least = min(sum(ranks[i].values()) for i in ahead)
    return [i for i in ahead if sum(ranks[i].values()) == least]


def _at(ranks: Mapping[str, int], most: int) -> str:
    if not ranks:
        return "nowhere"
    return f"at {_listed(ranks)}{' only' if len(ranks) < most else ''}"


def _listed(ranks: Mapping[str, int]) -> str:
    return series([f"{rank:,}" for rank in sorted(ranks.values())])
