"""Notices about an index: names that raise no questions, and repeated texts."""

from core.store.meta import Counts


def hub_notice(counts: Counts) -> str:
    """Return which names raise no questions and what follows from it; empty if there are none."""
    if not counts.hubs:
        return ""
    one = counts.hubs == 1
    examples = ", ".join(counts.hub_names[:3])
    more = ", …" if counts.hubs > 3 else ""
    return (
        f"{counts.hubs:,} {'name is' if one else 'names are'} in more than "
        f"{counts.hub_limit:,} passages each ({examples}{more}) and "
        f"{'raises' if one else 'raise'} no out-questions, so no edges are built from "
        f"{'it' if one else 'them'}. To connect these passages, rebuild with a higher hub "
        "limit (on Corpus, or --hub-limit)."
    )


def repeats_notice(counts: Counts) -> str:
    """Return how many passages repeat the text of others; empty if none does, or if unknown."""
    told = []
    if near := counts.near_duplicates:
        told.append(
            f"{near:,} of {counts.vertices:,} passages nearly repeat the text of an earlier one."
        )
    if windows := counts.overlapping:
        told.append(f"{windows:,} begin with the last words of the passage before them.")
    if told:
        told.append(
            "Repeated texts take places in a ranking; the retriever distinct leaves them out."
        )
    return " ".join(told)
