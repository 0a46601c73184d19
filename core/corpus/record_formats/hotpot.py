"""HotpotQA and 2WikiMultiHopQA: a question with ten paragraphs, and the sentences that it needs."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.corpus.file_contents import Row, characters, document, label, query, strings
from core.corpus.gold.given_evidence import without_repeats
from core.corpus.record_formats.base import Format, Piece, with_text
from core.corpus.record_formats.values import all_texts, not_empty
from core.text.clean import one_line
from core.types import Document, Evidence

_SEVERAL = (
    "a supporting fact matches several paragraphs with the same title, so all of them are gold"
)
_NO_SENTENCE = (
    "a supporting fact refers to a sentence that its paragraph does not have, so the whole "
    "paragraph is evidence"
)
_NO_TITLE = (
    "a supporting fact refers to a title that is not among the question's paragraphs, so the "
    "whole document is evidence"
)


@dataclass(frozen=True, slots=True)
class _Paragraph:
    document: Document
    sentences: Sequence[str]

    def has(self, number: object) -> bool:
        return isinstance(number, int) and 0 <= number < len(self.sentences)


@dataclass(frozen=True, slots=True)
class _Fact:
    """A supporting fact; `titled` are the paragraphs with its title, possibly none."""

    title: str
    number: Any
    titled: Sequence[_Paragraph]

    @property
    def paragraphs(self) -> Sequence[_Paragraph]:
        """The paragraphs that contain its sentence; if none does, all paragraphs with its title."""
        return [each for each in self.titled if each.has(self.number)] or self.titled

    @property
    def gold(self) -> list[str]:
        # A title that is missing in the context may still be another question's paragraph.
        return [each.document.id for each in self.paragraphs] or [self.title]

    @property
    def sentences(self) -> list[str]:
        """The sentence in each paragraph that has it."""
        return [
            one_line(characters(each.sentences[self.number]))
            for each in self.titled
            if each.has(self.number)
        ]

    @property
    def remarks(self) -> list[str]:
        several = len({each.document.id for each in self.paragraphs}) > 1
        missing = _NO_SENTENCE if self.titled else _NO_TITLE
        return [_SEVERAL] * several + [missing] * (not any(self.sentences))

    def evidence(self, hop: int) -> list[Evidence]:
        """Return its sentence as evidence; without a sentence, its whole paragraph or document."""
        if not self.titled:
            return [Evidence("", "paragraph", self.title, hop)]
        if any(self.sentences):
            pairs = zip(self.sentences, self.paragraphs, strict=True)
            return [
                Evidence(text, "sentence", each.document.id, hop) for text, each in pairs if text
            ]
        return [
            Evidence(one_line(each.document.text), "paragraph", each.document.id, hop)
            for each in self.paragraphs
        ]


def _question(row: Row, file: str) -> Piece:
    """Convert a record to a question with its paragraphs, gold and evidence sentences."""
    paragraphs = [
        _Paragraph(document(characters(title), characters(_join_sentences(parts)), file), parts)
        for title, parts in ((title, list(parts)) for title, parts in _pairs(row["context"]))
    ]
    facts = list(_facts(row, paragraphs))
    triples = [all_texts(each) for each in row.get("evidences") or ()]
    hops = _hops(triples)
    evidence = [each for fact in facts for each in fact.evidence(_hop(fact.title, hops))]
    details = {
        "evidences": tuple(" | ".join(triple) for triple in triples),
    }
    question = query(
        row["question"],
        given=row.get("_id") or row.get("id"),
        answers=strings(row.get("answer")),
        gold=tuple(dict.fromkeys(name for fact in facts for name in fact.gold)),
        type=label(row.get("type")),
        dataset="2wiki" if "evidences" in row else "hotpotqa",
        origin=file,
        details=not_empty(details),
        evidence=without_repeats(evidence),
    )
    remarks = tuple(remark for fact in facts for remark in fact.remarks)
    documents = [each.document for each in paragraphs]
    return with_text(documents, Piece(queries=(question,), remarks=remarks))


def _facts(row: Row, paragraphs: Sequence[_Paragraph]) -> Iterator[_Fact]:
    """Yield the supporting facts of a record, each with the paragraphs of its title."""
    titled: dict[str, list[_Paragraph]] = defaultdict(list)
    for each in paragraphs:
        titled[each.document.title].append(each)
    for given, number in _pairs(row.get("supporting_facts", [])):
        title = one_line(characters(given))
        yield _Fact(title, number, titled[title])


def _pairs(value: object) -> Iterator[tuple[str, Any]]:
    """Yield pairs from `[[title, x], ...]`, or from columns `{title: [...], sentences: [...]}`."""
    if isinstance(value, dict):
        titles, rest, *_ = value.values()
        return zip(titles, rest, strict=True)
    if not isinstance(value, list):
        raise TypeError("neither pairs nor columns")
    return ((title, rest) for title, rest in value)


def _join_sentences(sentences: list[str]) -> str:
    """Join sentences; HotpotQA's begin with a space, 2WikiMultiHopQA's do not."""
    spaced = any(sentence[:1].isspace() for sentence in sentences[1:])
    return ("" if spaced else " ").join(sentences)


def _hops(triples: Sequence[Sequence[str]]) -> dict[str, int]:
    """Return the hop of each subject; none where no triple leads to another.

    A triple leads to those about its object. Two entities that are compared have a chain each,
    and both chains begin at hop 1.
    """
    hops: dict[str, int] = {}
    objects: dict[str, int] = {}
    for triple in triples:  # 2WikiMultiHopQA lists the triples of a chain in order
        if len(triple) > 2:
            subject, value = _name(triple[0]), _name(triple[-1])
            hop = hops.setdefault(subject, objects.get(subject, 0) + 1)
            objects.setdefault(value, hop)
    return hops if max(hops.values(), default=0) > 1 else {}


def _hop(title: str, hops: Mapping[str, int]) -> int:
    """Return the hop that needs the paragraph of a title, from 1; 0 if the order is unknown.

    Triples name a subject without what tells titles apart, as 'Gale' for 'Gale (ferry)'.
    """
    return hops.get(_name(title)) or hops.get(_name(title.partition(" (")[0]), 0)


def _name(title: str) -> str:
    return one_line(characters(title)).casefold()


def _is_hotpot(row: Row, _: str) -> bool:
    """Return whether a record has a question and a context of pairs or columns."""
    context = row.get("context")
    if isinstance(context, list):
        return "question" in row and all(isinstance(pair, list) for pair in context)
    return "question" in row and isinstance(context, dict)


def _is_two_wiki(row: Row, file: str) -> bool:
    return _is_hotpot(row, file) and "evidences" in row


FORMATS = (
    Format("2WikiMultiHopQA", _is_two_wiki, _question, merges=True),
    Format("HotpotQA", _is_hotpot, _question, merges=True),
)
