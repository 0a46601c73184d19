"""Names of regions: two or three terms that set each apart from its siblings."""

import math
from collections import Counter, defaultdict
from collections.abc import Sequence

from core.maps.regions import Region
from core.maps.terms import Term, Terms

MOST = 3
"""Terms of a name."""
_LEAST_COUNT = 3
_LEAST_SHARES = (0.08, 0.03)
"""Shares of passages that have to have a term; the second where nothing has the first."""
_NAME_LEADS = 0.45
"""Share of a region's passages that have to mention a name that the region is called by first: a
region of many subjects is never called by one person."""
_NAME_FOLLOWS = 0.2
_WORTH = 0.35
"""Of the best term's score, what the others need."""


def name_regions(regions: Sequence[Region], terms: Terms, titles: Sequence[str]) -> None:
    """Give each region that has no name its terms, in place.

    Parameters
    ----------
    regions : parents before children; their members are places in `terms` and `titles`.
    terms : of each passage that was read.
    titles : of the same passages, for a region without any distinctive term.

    Notes
    -----
    A term scores share^0.8 * log2(share / share in the parent), as class-based tf-idf does, times
    how often it says what a passage is about. No term comes twice on the way from the whole corpus
    down, and no two siblings are called by one term first.
    """
    for region in regions:
        if not region.children:
            continue
        whole = _shares(region, terms)
        used = {
            word for one in _region_and_ancestors(regions, region) for word in _words(one.terms)
        }
        taken: set[str] = set()
        for child in sorted(region.children, key=lambda one: (-regions[one].size, one)):
            own = regions[child]
            if not own.terms:
                own.terms = next(
                    (
                        name_terms
                        for least in _LEAST_SHARES
                        if (
                            name_terms := _distinguishing_terms(
                                own, region, whole, terms, used | taken, least
                            )
                        )
                    ),
                    (_fallback_name(own, titles),),
                )
            taken |= _words(own.terms[:1])


def _distinguishing_terms(
    region: Region,
    parent: Region,
    whole: Counter[str],
    terms: Terms,
    used: set[str],
    least: float,
) -> tuple[str, ...]:
    """Return the terms that distinguish a region from its parent, best first."""
    inside, weight = Counter[str](), defaultdict[str, float](float)
    for member in region.members:
        for key, worth in terms.of[member].items():
            inside[key] += 1
            weight[key] += worth
    scores = {}
    for key, count in inside.items():
        share = count / len(region.members)
        if count < min(_LEAST_COUNT, len(region.members) / 2) or share < least:
            continue
        lift = share / (whole[key] / len(parent.members))
        if lift > 1.05:
            scores[key] = share**0.8 * math.log2(lift) * (weight[key] / count) ** 2
    ranked = sorted(scores, key=lambda key: (-scores[key], key))
    chosen: list[str] = []
    words: set[str] = set()
    best = 0.0
    for key in ranked:
        term = terms.known[key]
        shown = term.shown[0].upper() + term.shown[1:]
        own = _words((shown,))
        if own & (words | used) or not _fits(
            term, inside[key] / len(region.members), leads=not chosen
        ):
            continue
        if chosen and scores[key] < _WORTH * best:
            break
        best = best or scores[key]
        chosen.append(shown)
        words |= own
        if len(chosen) == MOST:
            break
    return tuple(chosen)


def _fits(term: Term, share: float, *, leads: bool) -> bool:
    return term.leads or share >= (_NAME_LEADS if leads else _NAME_FOLLOWS)


def _shares(region: Region, terms: Terms) -> Counter[str]:
    """Count the passages of `region` that contain each term."""
    return Counter(key for member in region.members for key in terms.of[member])


def _region_and_ancestors(regions: Sequence[Region], region: Region) -> list[Region]:
    """Return a region and the regions that contain it, innermost first."""
    regions_above = [region]
    while regions_above[-1].parent >= 0:
        regions_above.append(regions[regions_above[-1].parent])
    return regions_above


def _words(terms: Sequence[str]) -> set[str]:
    return {word.casefold().rstrip("s") for term in terms for word in term.split()}


def _fallback_name(region: Region, titles: Sequence[str]) -> str:
    """Name a region that no term distinguishes: the title of its first passage and the number
    of others.
    """
    others = f" and {region.size - 1:,} more" if region.size > 1 else ""
    return f"{titles[region.members[0]] or 'Untitled'}{others}"
