"""Causes of lost gold, as far as they can be derived: stage, relation, and question type.

The relation runs from a passage that the retriever had to the one that it lost. What each is about
is read from its opening, its title or its pronouns (`Mara Quist is a brewer`: a person), and how
they are related from the question of the edge that was not followed (`born`: birth).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.funnel.data import Fate
from core.funnel.stages import Stage, stage_words
from core.playback.wording import begun
from core.reviews.losses.first_loss import first_loss
from core.store.index import Index
from core.text.decomposition.question_names import who_or_what
from core.text.entities.mentions import entity_key
from core.types import Query

_OPENING = 300  # characters in which a passage says what it is about
_PRONOUNS = re.compile(r"\b(?:he|she|him|his|hers?)\b", re.IGNORECASE)
_OFTEN = 2  # pronouns by which a passage is about a person
_WORD = re.compile(r"[\w-]+")
_PLURAL = re.compile(r"(?<=[^siu])s$")
_DEFINED = re.compile(
    r"\b(?:is|was|are|were)\s+(?:an?|the|one of the)\s+((?:[\w'’-]+\s+){0,5}?[\w'’-]+)"
    r"(?=\s*[,.;:(]|\s+(?:of|in|on|at|to|that|which|who|whose|where|when|from|for|by|with|and|near"
    r"|between|about|under|over|behind|whom|made|built|set|is|was|[a-z]+ed)\b)"
)
_RELATIONS = tuple(
    (label, re.compile(rf"\b(?:{words})\b", re.IGNORECASE))
    for label, words in (
        ("birth", "born|birth|birthplace|native|home ?town|raised|grew up"),
        ("death and burial", "died|death|buried|grave"),
        ("family", "mother|father|parents?|wife|husband|spouse|married|son|daughter|sibling"
                   "|brother|sister|grandmother|grandfather"),
        ("founder", "found(?:ed|er|ers|ing)|established"),
        ("director", "direct(?:ed|or|ors|ing)"),
        ("author", "wrote|written|author|novelist|poet"),
        ("music", "compos(?:ed|er)|score|song|album|sang|singer"),
        ("cast", "actor|actress|starred|played by|role"),
        ("design", "design(?:ed|er)|architect|built|maker"),
        ("education", "studied|educated|school|university|supervisor|trained"),
        ("work", "works?|worked|employed|job|profession|occupation"),
        ("sport", "goal|goalkeeper|scorer|scored|coach|referee|captain|won|winner|winners"),
        ("ownership", "owner|owned|bought|subsidiary|merger|parent company"),
        ("place", "located|stands?|lies|flows|where|capital|country|village|city|town"),
        ("date", "when|year|date|century|earlier|later|older|younger"),
    )
)  # fmt: skip
"""What relates two passages, by the words that ask for it; the first one that is found counts."""
_LOST: dict[Stage, str] = {
    "refused": "Not followed",
    "cut": "Below the top k",
}


@dataclass(frozen=True, slots=True)
class Cause:
    """Why the first gold of a question was lost; empty where something is not known.

    Parameters
    ----------
    stage : at which it was lost.
    hop : of what was on offer and not followed.
    have, missing : what the passage that the retriever had is about, and the one that it lost.
    relation : how the two are related, by the edge that was not followed.
    named : whether the question names the lost passage.
    topic : what the question asks for.
    type : of the question.
    """

    stage: str
    hop: int | None = None
    have: str = ""
    missing: str = ""
    relation: str = ""
    named: bool = True
    topic: str = ""
    type: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the cause, the most specific first and the stage alone last.

        They name the missing relation, what was lost, the topic and the type of the question; each
        is empty if unknown.

        >>> one = Cause("refused", 2, "company", "person", "founder", False, "birth", "bridge")
        >>> for name in one.names: print(name)
        Not followed at hop 2: company → person (founder)
        Not followed at hop 2: person not named in the question
        Not followed at hop 2: questions about birth
        Not followed at hop 2: bridge questions
        Not followed at hop 2
        >>> Cause("far").names, Cause("").name
        (('', '', '', '', 'Out of reach'), 'Stage not known')
        """
        stage = _LOST.get(self.stage, begun(stage_words(self.stage)))  # type: ignore[call-overload]
        stage = f"{stage or 'Stage not known'}{f' at hop {self.hop}' if self.hop else ''}"
        what = self.missing or "passage"
        details = (
            self._related,
            "" if self.named else f"{what} not named in the question",
            f"questions about {self.topic}" if self.topic else "",
            f"{self.type} questions" if self.type else "",
        )
        return (*(f"{stage}: {one}" if one else "" for one in details), stage)

    @property
    def name(self) -> str:
        """The most particular one of its names."""
        return next(filter(None, self.names))

    @property
    def _related(self) -> str:
        """`company → person (founder)`; empty unless two of the three are known."""
        if sum(map(bool, (self.have, self.missing, self.relation))) < 2:
            return ""
        ends = " → ".join(filter(None, (self.have, self.missing or "passage")))
        return f"{ends} ({self.relation})" if self.relation else ends


def cause_of(question: Query, fates: Sequence[Fate], index: Index) -> Cause:
    """Return the cause for which the first gold in funnel order was lost."""
    loss = first_loss(fates)
    if loss is None:
        return Cause("", topic=relation_of(question.text), type=question.type)
    known = loss.passage in index.number
    return Cause(
        stage=loss.stage,
        hop=loss.hop if loss.stage == "refused" else None,
        have=_kind_of_passage(_passage_before(loss, fates, index), index),
        missing=_kind_of_passage(loss.passage, index),
        relation=relation_of(loss.asks),
        named=not known or _names(question.text, index.passage(loss.passage).title),
        topic=relation_of(question.text),
        type=question.type,
    )


def relation_of(text: str) -> str:
    """Return the relation that a question asks for; empty if none is recognised.

    >>> relation_of("In which village was the founder of the shipping company born?")
    'birth'
    >>> relation_of("Is it so?")
    ''
    """
    return next((label for label, words in _RELATIONS if words.search(text)), "")


def about(title: str, text: str) -> str:
    """Return the type of entity that a passage describes: `person`, or the noun that defines it or
    ends its title.

    >>> about("Mara Quist", "Mara Quist is a brewer.")
    'person'
    >>> about("Port Selby", "Port Selby is an old town on the River Ash.")
    'town'
    >>> about("The Drum Hall", "Warm as it is, the hall seats 940.")
    'hall'
    >>> about("Rain", "It rained.")
    ''
    """
    opening = text[:_OPENING]
    if match := _DEFINED.search(opening):
        described = match.group(1)
        head = _PLURAL.sub("", described.split()[-1].casefold())
        return "person" if who_or_what(described).startswith("Who") else head
    others = _WORD.findall(title)
    last = str(others.pop()) if others else ""
    if others and re.search(rf"\b{re.escape(last.casefold())}\b", text):
        return last.casefold()
    return "person" if others and len(_PRONOUNS.findall(opening)) >= _OFTEN else ""


def _kind_of_passage(passage: str, index: Index) -> str:
    """Return the type of entity that a passage describes; empty if the index lacks it."""
    if passage not in index.number:
        return ""
    lost = index.passage(passage)
    return about(lost.title, lost.text)


def _passage_before(loss: Fate, fates: Sequence[Fate], index: Index) -> str:
    """Return the passage one step before the lost one: the source of its edge, or other gold."""
    if loss.at in index.number:
        return loss.at
    return next((one.passage for one in fates if not one.lost), "")


def _names(question: str, title: str) -> bool:
    """Check whether a question names a passage by its title."""
    key = entity_key(title)
    return not key or f" {key} " in f" {entity_key(question)} "
