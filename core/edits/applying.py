"""Apply the edits of a copy to its passages and pseudo-queries, in every build of the copy."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from core.edits.edit import Edit, Edits
from core.hop_graph.model_questions import best_sentence
from core.hop_graph.pseudo_queries import pseudo_query
from core.text.clean import text_digest
from core.text.entities.keywords import Keywords
from core.text.entities.passage_names import names
from core.types import Passage, PseudoQuery


def edited_passages(
    passages: Sequence[Passage], edits: Edits | None
) -> tuple[list[Passage], dict[str, Edit]]:
    """Return the passages with their new texts, and the edits that applied, by passage id.

    An edit of a passage whose text is not the one that was edited is left out: its document was
    replaced since.
    """
    wanted = {one.passage: one for one in edits.edits} if edits else {}
    applied: dict[str, Edit] = {}
    result = []
    for passage in passages:
        edit = wanted.get(passage.id)
        if edit and edit.original == text_digest(passage.text):
            applied[passage.id] = edit
            if edit.text is not None:
                passage = replace(passage, text=edit.text)
        result.append(passage)
    return result, applied


def edited_queries(
    passages: Sequence[Passage], queries: Iterable[PseudoQuery], applied: dict[str, Edit]
) -> list[PseudoQuery]:
    """Return the pseudo-queries, those of edited passages as they were written.

    A question that the maker made again stays as it was made.
    """
    rewritten = {name: edit for name, edit in applied.items() if edit.queries is not None}
    if not rewritten:
        return list(queries)
    kept: list[PseudoQuery] = []
    made: dict[str, dict[tuple[str, str], PseudoQuery]] = {name: {} for name in rewritten}
    for query in queries:
        if query.passage_id in made:
            made[query.passage_id][query.direction, query.text] = query
        else:
            kept.append(query)
    keywords = Keywords(names(passages))
    for passage in passages:
        if passage.id in rewritten:
            kept += _edited_queries(passage, rewritten[passage.id], made[passage.id], keywords)
    return kept


def _edited_queries(
    passage: Passage,
    edit: Edit,
    made: dict[tuple[str, str], PseudoQuery],
    keywords: Keywords,
) -> Iterator[PseudoQuery]:
    """Yield the pseudo-queries of an edited passage; unchanged ones keep their number and
    keywords.
    """
    for number, one in enumerate(edit.queries or ()):
        again = made.get((one.direction, one.text))
        if again and again.maker == one.maker:
            yield again
            continue
        evidence = best_sentence(passage, one.text)
        mentioned = keywords.of(one.text)
        yield pseudo_query(passage, one.direction, number, one.text, mentioned, one.maker, evidence)
