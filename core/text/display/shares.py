"""Shares as percentages."""


def percent(share: float) -> str:
    """Return a share in [0, 1] as a percentage; only all is 100% and only nothing is 0%.

    >>> [percent(share) for share in (0, 0.001, 0.374, 330 / 331, 0.99999, 1)]
    ['0%', '< 1%', '37%', '99.7%', '> 99.9%', '100%']
    """
    if 0 < share < 0.01:
        return "< 1%"
    if 0.99 < share < 1:
        return f"{100 * share:.1f}%" if share < 0.9995 else "> 99.9%"
    return f"{100 * share:.0f}%"
