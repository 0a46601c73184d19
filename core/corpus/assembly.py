"""The contents of all files to one corpus: ids made unique, duplicates out, gold linked."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from core.corpus.faq_documents import is_faq
from core.corpus.file_contents import Contents, Judgement, fingerprint
from core.corpus.gold.given_evidence import gold_as_given, without_repeats
from core.corpus.gold.linking import Linker, ambiguous, note_on_missing_gold, number_of, with_gold
from core.corpus.gold.near_titles import notes_on_near_titles
from core.corpus.gold.notices import note_on_unknown_documents, renumbered_references, without_gold
from core.corpus.ids.document_ids import Identities
from core.corpus.ids.passage_ids import split_passage_id
from core.corpus.omissions import sentences
from core.corpus.types import Brought, Corpus
from core.text.display.plurals import counted, number
from core.types import Query


def assemble(files: Sequence[Contents], names: Sequence[str] = ()) -> Corpus:
    """Merge the contents of all files, in order, into one corpus.

    Documents with the title and text of another are left out as duplicates. Which duplicate stays,
    and which conflicting ids change, does not depend on the order of files (`Identities`). Gold is
    looked up among all documents (`core.corpus.gold.linking`).

    Parameters
    ----------
    names : the names of `files` as the user knows them, for messages about omissions.
    """
    files = _with_retrieved(files)
    brought = tuple(_brought_documents(files))
    known = Identities(brought)
    asked, replaced = latest_questions(files)
    queries, doubled = unique_questions(asked)
    doubled = [*replaced, *doubled]
    queries, strays = _with_judgements(
        queries, [pair for file in files for pair in file.judgements]
    )
    links: dict[str, tuple[str, ...]] = {}
    for contents in files:
        links |= contents.links
    linker = Linker(known, links)
    linked = [with_gold(query, linker.find, known) for query in queries]
    unindexed = _note_on_faq(files, known)
    unmeasured = without_gold(linked)
    of_files = [note for contents in files for note in contents.notes]
    return Corpus(
        known.documents,
        tuple(linked),
        duplicates=tuple(duplicate for _, duplicate in known.duplicates()),
        notes=(
            *of_files,
            *sentences(zip(names, (contents.tally for contents in files), strict=False)),
            *notes_on_changed_ids(known, known.ids),
            *notes_on_passage_ids(known, known.ids),
            *doubled,
            *strays,
            *note_on_missing_gold(linked, linker),
            *notes_on_near_titles(linked, known),
            *ambiguous(linked, linker),
            *renumbered_references(queries, linker),
            *note_on_unknown_documents(linked, known),
            *(unindexed or unmeasured),
        ),
        brought=brought,
        question_notes=(*of_files, *doubled, *strays, *unmeasured),
    )


def _with_retrieved(files: Sequence[Contents]) -> Sequence[Contents]:
    """Return `files`, with retrieved texts as documents where no file has documents."""
    if any(contents.documents for contents in files):
        return files
    linked = []
    for contents in files:
        made = {fingerprint(one.title, one.text): one for one in contents.retrieved}
        note = (
            f"no file contains documents, so the corpus consists of the {len(made):,} "
            f"distinct texts retrieved in {next(iter(made.values())).source}"
            if made
            else ""
        )
        linked.append(
            replace(
                contents,
                documents=tuple(made.values()),
                merges=contents.merges or bool(made),
                notes=(*contents.notes, *filter(None, [note])),
            )
        )
    return linked


def _brought_documents(files: Iterable[Contents]) -> Iterator[Brought]:
    """Yield the documents of all files; files with the same name get different numbers."""
    alike: Counter[str] = Counter()
    for contents in files:
        sources = {made.source for made in contents.documents}
        alike.update(sources)
        for made in contents.documents:
            yield Brought(made, alike[made.source], contents.merges)


def notes_on_changed_ids(known: Identities, texts: Iterable[str]) -> list[str]:
    """Describe, per source file, the documents of `texts` whose id was taken by another text."""
    changed = defaultdict(list)
    for text in texts:
        made = known.kept[text].document
        if made.id != known.ids[text]:
            changed[made.source].append((made.id, known.ids[text]))
    return [
        f"{source}: {number(len(pairs), 'new id')}, because the old id was taken; "
        f"'{pairs[0][0]}' is now '{pairs[0][1]}'" + (", for example" if len(pairs) > 1 else "")
        for source, pairs in changed.items()
    ]


def notes_on_passage_ids(known: Identities, texts: Iterable[str]) -> list[str]:
    """Describe documents whose passage ids use another separator, since documents have the usual
    ids.

    Parameters
    ----------
    texts : fingerprints of the new documents.
    """
    new = {known.ids[text] for text in texts}
    notes = []
    for document, separator in sorted(known.separators.items()):
        others = [
            name
            for name in known.ids.values()
            if name.startswith(f"{document}#") and (split_passage_id(name) or ("",))[0] == document
        ]
        if new.isdisjoint([document, *others]):
            continue
        notes.append(
            f"'{others[0]}' is the id of a document, so the passages of '{document}', if it is "
            f"split, are called '{document}{separator}0' and so on"
        )
    return notes


def latest_questions(files: Iterable[Contents]) -> tuple[list[Query], list[str]]:
    """Return the questions of all files without those that a later file of the same name repeats.

    So a corrected file takes the place of the one it corrects, as it does when it is added to an
    index (`core.corpus.updates.questions.joined_questions`).

    Returns
    -------
    The questions, and sentences on the files whose gold was replaced.
    """
    latest: dict[tuple[str, str, str], Query] = {}
    left: list[Query] = []
    changed: Counter[str] = Counter()
    for contents in reversed(list(files)):
        fresh = [query for query in contents.queries if _key(query) not in latest]
        changed.update(
            query.origin
            for query in contents.queries
            if (later := latest.get(_key(query))) and gold_as_given(query) != gold_as_given(later)
        )
        latest |= {_key(query): query for query in fresh if query.origin}
        left[:0] = fresh
    notes = [
        f"{origin} was added more than once: its last version replaces the gold of "
        f"{number(count, 'question')}"
        for origin, count in changed.items()
    ]
    return left, notes


def _key(query: Query) -> tuple[str, str, str]:
    """Return the file, id and text that identify a question."""
    return query.origin, query.id, query.text


def unique_questions(queries: Iterable[Query]) -> tuple[list[Query], list[str]]:
    """Merge repeated questions, and describe what was changed.

    Repetitions of a question are merged with the gold and evidence of all. A different question
    with the same id gets a new id. So does one of two questions that disagree whether they can be
    answered.

    Returns
    -------
    The questions, and sentences for the user about changes.
    """
    by_id: dict[str, Query] = {}
    changed: list[tuple[str, str]] = []
    merged: list[str] = []
    for query in queries:
        known = by_id.get(query.id)
        if known is not None and (other := _own_id(query, known)):
            changed.append((query.id, other))
            query = replace(query, id=other)
            known = by_id.get(other)
        if known is not None:
            merged.append(known.id)
            query = replace(
                known,
                gold=tuple(dict.fromkeys(known.gold + query.gold)),
                answers=tuple(dict.fromkeys(known.answers + query.answers)),
                grades={**known.grades, **query.grades},
                details={**query.details, **known.details},
                evidence=without_repeats(known.evidence + query.evidence),
            )
        by_id[query.id] = query
    notes = [
        (
            f"{number(len(changed), 'question')} shared an id with another and got a "
            f"new one; '{old}' is now '{new}'"
        )
        + (", for example" if len(changed) > 1 else "")
        for old, new in changed[:1]
    ]
    if merged:
        notes.append(
            f"{counted(len(merged), 'duplicate question was', 'duplicate questions were')} merged, "
            f"with all gold, such as '{merged[0]}'"
        )
    return list(by_id.values()), notes


def _own_id(query: Query, known: Query) -> str:
    """Return another id if `known` is a different question with the same id, else ""."""
    if known.text != query.text:
        return f"{query.id}~{fingerprint(query.text)[:10]}"
    if known.details.get("answerable") != query.details.get("answerable"):
        possible = query.details.get("answerable") != ("no",)
        return f"{query.id}~{'answerable' if possible else 'unanswerable'}"
    return ""


def _with_judgements(
    queries: list[Query], judgements: Sequence[Judgement]
) -> tuple[list[Query], list[str]]:
    """Return the questions with gold and grades from qrels, and a note about unmatched qrels."""
    by_id: dict[str, str] = {}
    for query in queries:
        by_id.setdefault(number_of(query.id), query.id)
    ids = {query.id for query in queries}
    gold: dict[str, dict[str, float]] = defaultdict(dict)
    for query_id, document_id, grade in judgements:
        asked = query_id if query_id in ids else by_id.get(number_of(query_id), query_id)
        gold[asked][document_id] = grade
    judged = []
    for query in queries:
        given = gold.pop(query.id, {})
        grades = {name: grade for name, grade in given.items() if grade != 1}
        judged.append(
            replace(
                query,
                gold=tuple(dict.fromkeys([*query.gold, *given])),
                grades={**query.grades, **grades},
            )
        )
    note = counted(len(gold), "question has", "questions have")
    note += " judgements but no text; add the file with the queries"
    return judged, [note] * bool(gold)


def _note_on_faq(files: Sequence[Contents], known: Identities) -> list[str]:
    """Return a sentence about questions with answers if there is no document to index."""
    if known.documents:
        return []
    found = (
        list(filter(is_faq, contents.queries))
        for contents in files
        if contents.format.endswith(" questions")
    )
    return [
        f"{asked[0].origin}: {number(len(asked), 'question')} with answers but no "
        "documents. A new "
        "index will contain each as a document, with the question as title and the answer as "
        "text. To add them to an existing index, name these columns title and text"
        for asked in filter(None, found)
    ]
