"""The two overviews of a comparison: where the gold stands, and how much two rankings share."""

from html import escape

from core.compare import overlap, recall
from core.retrievers import Card
from pages.components.card import badge
from pages.components.compare_run import Comparison


def gold_table(found: Comparison) -> str:
    """Rank of every gold id in every column, and the recall, as HTML."""
    heads = "".join(f"<th scope='col'>{_badge(c.card)}</th>" for c in found.answered)
    body = "".join(_gold_row(found, gold) for gold in found.gold)
    recalls = "".join(f"<td>{_recall(found, c.card.key)}</td>" for c in found.answered)
    return (
        "<table class='hop-table'><thead><tr><th scope='col'>Gold passage</th>"
        f"{heads}</tr></thead><tbody>{body}</tbody>"
        f"<tfoot><tr><th scope='row'>In the first {found.top_k}</th>{recalls}</tr></tfoot></table>"
    )


def overlap_table(found: Comparison) -> str:
    """How many of the first k passages each two columns share, as HTML."""
    shared = overlap(found.rankings, found.top_k)
    cards = [column.card for column in found.answered]
    heads = "".join(f"<th scope='col'>{_badge(card)}</th>" for card in cards)

    def cell(row: Card, column: Card) -> str:
        if row is column:
            return "<td class='hop-diagonal'>·</td>"
        number = shared.get((row.key, column.key), shared.get((column.key, row.key), 0))
        weight = 45 * number / found.top_k
        tint = f"background:color-mix(in srgb,var(--hop-shared) {weight:.0f}%,transparent)"
        return f"<td style='{tint}'>{number}</td>"

    body = "".join(
        f"<tr><th scope='row'>{_badge(row)}</th>{''.join(cell(row, other) for other in cards)}</tr>"
        for row in cards
    )
    return (
        "<table class='hop-table hop-matrix'><thead><tr><th></th>"
        f"{heads}</tr></thead><tbody>{body}</tbody></table>"
    )


def headline(found: Comparison) -> str:
    """Who found how much, in a sentence."""
    if not found.gold:
        return "No passage is known to be gold for this question. Open a passage to mark it."
    hits = {
        column.card.title: sum(_within(rank, found.top_k) for rank in ranks.values())
        for column in found.answered
        for ranks in [found.gold_ranks[column.card.key]]
    }
    if not hits:
        return "No retriever answered."
    best, total = max(hits.values()), len(found.gold)
    if best == 0:
        return f"None of them finds any of the {total} gold passages in its first {found.top_k}."
    names = [title for title, number in hits.items() if number == best]
    if len(names) == len(hits) > 1:
        return f"All of them find {best} of {total} gold passages in the first {found.top_k}."
    verb = "finds" if len(names) == 1 else "find"
    return f"{_listed(names)} {verb} most: {best} of {total} gold passages in the first {found.top_k}."


def _gold_row(found: Comparison, gold: str) -> str:
    passage = found.gold_passage(gold)
    title = passage.title or gold if passage else gold
    cells = "".join(
        f"<td>{_rank(found.gold_ranks[c.card.key][gold], found.top_k)}</td>"
        if passage
        else "<td class='hop-miss'>not in the index</td>"
        for c in found.answered
    )
    return (
        f"<tr><th scope='row' title='{escape(title, quote=True)}'><span class='hop-star'>★</span>"
        f"<span class='hop-crop' dir='auto'>{escape(title)}</span></th>{cells}</tr>"
    )


def _rank(rank: int | None, top_k: int) -> str:
    if rank is None:
        return "<span class='hop-miss'>not found</span>"
    if rank > top_k:
        return f"<span class='hop-miss'>{rank}, cut</span>"
    return f"<b class='hop-rank'>{rank}</b>"


def _recall(found: Comparison, key: str) -> str:
    ranks = found.gold_ranks[key]
    share = recall(ranks, found.top_k) or 0.0
    number = sum(_within(rank, found.top_k) for rank in ranks.values())
    return f"<b>{number} of {len(ranks)}</b> <span class='hop-quiet'>{share:.0%}</span>"


def _within(rank: int | None, top_k: int) -> bool:
    return rank is not None and rank <= top_k


def _badge(card: Card) -> str:
    return badge(card.letter, card.colour, card.title)


def _listed(names: list[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
