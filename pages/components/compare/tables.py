"""The two overviews of a comparison: ranks of the gold, and the overlap of the rankings."""

from html import escape

from core.funnel.stages import STAGES, meaning
from core.marks import level_of_gold, level_told
from core.measures import recall
from core.ranking_comparison import overlap
from core.text.display.shares import percent
from pages.components.compare.comparison import Column, Comparison
from pages.components.passages.gold import star, star_key
from pages.components.passages.highlighting import fact
from pages.components.passages.hit_list import FACT, SNIPPET
from pages.components.shell.formatting import cropped
from pages.components.shell.glossary import term
from pages.components.shell.retriever_colours import badge


def gold_table(found: Comparison) -> str:
    """Return the rank of every gold id in every column and the recall, as HTML."""
    heads = "".join(
        f"<th scope='col'>{_badge(c)}"
        f"<span class='hop-named' dir='auto'>{escape(c.name)}</span></th>"
        for c in found.answered
    )
    body = "".join(_gold_row(found, gold) for gold in found.gold)
    recalls = "".join(f"<td>{_recall(found, c.key)}</td>" for c in found.answered)
    level = level_of_gold(found.said)
    return (
        "<table class='hop-table'><thead><tr><th scope='col'>"
        f"{term('evidence' if level == 'evidence' else 'gold', level_told(level))}</th>"
        f"{heads}</tr></thead><tbody>{body}</tbody>"
        f"<tfoot><tr><th scope='row'>{term('evidence_recall', f'In the top {found.top_k}')}</th>"
        f"{recalls}</tr></tfoot></table>"
        + (star_key() if found.said.added else "")
        + _removed_marks(found)
    )


def overlap_table(found: Comparison) -> str:
    """Return how many of the first k passages each two columns share, as HTML."""
    shared = overlap(found.rankings, found.top_k)
    heads = "".join(f"<th scope='col'>{_badge(column)}</th>" for column in found.answered)

    def cell(row: Column, column: Column) -> str:
        """Return a table cell with the number of shared passages, tinted by their share of the top
        k.
        """
        if row is column:
            return "<td class='hop-diagonal'>·</td>"
        number = shared.get((row.key, column.key), shared.get((column.key, row.key), 0))
        weight = 45 * number / found.top_k
        tint = f"background:color-mix(in srgb,var(--hop-shared) {weight:.0f}%,transparent)"
        return f"<td style='{tint}'>{number}</td>"

    def line(row: Column) -> str:
        cells = "".join(cell(row, other) for other in found.answered)
        return f"<tr><th scope='row'>{_badge(row)}</th>{cells}</tr>"

    body = "".join(map(line, found.answered))
    return (
        "<table class='hop-table hop-matrix'><thead><tr><th></th>"
        f"{heads}</tr></thead><tbody>{body}</tbody></table>"
    )


def _gold_row(found: Comparison, gold: str) -> str:
    """Return a row for a gold id: its title and evidence, then its rank or loss in each column."""
    passage = found.gold_passage(gold)
    title = found.index.titled(passage.id).title if passage else found.said.titles.get(gold, gold)
    text = passage.text if passage else ""
    cells = "".join(
        f"<td>{_rank(found, c, gold)}</td>"
        if passage or found.gold_ranks[c.key][gold]
        else f"<td class='hop-miss' title='no retriever can find it'>{STAGES['absent']}</td>"
        for c in found.answered
    )
    sign = star(found.said.author_of(gold), history=found.said.told.get(gold, ""))
    return (
        f"<tr><th scope='row' title='{escape(title)}: {escape(text)}'>"
        f"{sign}<span class='hop-crop' dir='auto'>{escape(title)}"
        f"{_evidence_html(found, gold, text)}</span></th>{cells}</tr>"
    )


def _evidence_html(found: Comparison, gold: str, text: str) -> str:
    """Return the evidence below the title,
    or beside it the beginning of a passage that is a whole.
    """
    evidence = found.said.evidence.get(gold)
    if evidence and text:
        return f"<small>{fact(evidence.text, FACT)}</small>"
    return f" <span class='hop-quiet'>{escape(cropped(text, SNIPPET))}</span>"


def _removed_marks(found: Comparison) -> str:
    """Return which gold marks of the question set were removed by hand, and how to restore them."""
    removed = [name for name in found.said.removed if name in found.index.number]
    told = found.said.told
    titles = [
        f"{title} ({told[name]})" if name in told else title
        for name, title in found.index.shown(removed).items()
    ]
    if not titles:
        return ""
    return (
        "<p class='hop-caption' dir='auto'>Gold marks removed by hand: "
        f"{escape(', '.join(titles))}. Open the passage to mark it again.</p>"
    )


def _rank(found: Comparison, column: Column, gold: str) -> str:
    """Return the rank of `gold`, or the stage at which it was lost."""
    fate = found.fates[column.key].get(gold)
    if fate is None or not fate.lost:
        return f"<b class='hop-rank'>{found.gold_ranks[column.key][gold]}</b>"
    told = f"{fate}. {meaning(fate.stage)}"
    return f"<span class='hop-miss' title='{escape(told)}'>{escape(fate.brief)}</span>"


def _recall(found: Comparison, key: str) -> str:
    """Return the recall over all gold; gold that is not in the index counts as not found."""
    ranks = found.gold_ranks[key]
    share = recall(ranks, found.top_k) or 0.0
    number = sum(_is_retrieved(rank, found.top_k) for rank in ranks.values())
    return f"<b>{number} of {len(ranks)}</b> <span class='hop-quiet'>{percent(share)}</span>"


def _is_retrieved(rank: int | None, top_k: int) -> bool:
    return rank is not None and rank <= top_k


def _badge(column: Column) -> str:
    return badge(column.card, column.name)
