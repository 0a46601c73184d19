"""Query simulation (HopRAG 3.2): the questions that a passage answers, and those it raises.

Here, rules generate them without a model: an in-question for what each sentence states about its
subject, and an out-question for each other entity that a sentence names. A match of the two
(`core.hop_graph.edges`) then mostly means 'mentioned here, described there'. They are matched in
these words, and shown in those of `core.text.display.question_wording`. A maker is any
function from passages to questions that has a name; `core.hop_graph.model_questions` asks a model.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Protocol

from core.store.graph_limits import AUTOMATIC, GraphLimits
from core.text.display.question_wording import BY_RULES, ENDS, PRONOUNS, clause
from core.text.entities.keywords import Keywords
from core.text.entities.mentions import Mention, entity_key
from core.text.entities.passage_names import OPENING, names
from core.text.scripts import language
from core.text.sentences import sentences
from core.text.table_rows import Cell, cells_of
from core.text.tokens import bare, ending, opening, words
from core.types import Direction, Passage, PseudoQuery

Counted = Callable[[int], None]


class Maker(Protocol):
    """A generator of pseudo-queries. `name` is `rules` or the name of a model."""

    @property
    def name(self) -> str: ...

    def __call__(
        self, passages: Sequence[Passage], progress: Counted | None = None
    ) -> Iterator[list[PseudoQuery]]:
        """Yield the pseudo-queries of each passage, in order of the passages.

        `progress` is called with the number of passages read since the previous call.
        """


_PERSONAL = frozenset(("he", "she", "his", "her", "him"))
_THING = frozenset(("it", "its"))
_CONTEXT_WORDS = 24
_NAME_WORDS = 6  # most words of a table cell that is a name
_HUBS_NAMED = 5


@dataclass(frozen=True, slots=True)
class Rules:
    """The generator that needs no model.

    Parameters
    ----------
    common_share, common_floor : entities named in more than `common_share` of all passages and in
        more than `common_floor` passages raise no questions: an edge for every mention of a
        country would connect nearly all passages.
    limits : the first in-questions and out-questions of a passage are kept, up to these limits.
    """

    common_share: float = 0.01
    common_floor: int = 20
    name: str = BY_RULES
    limits: GraphLimits = AUTOMATIC

    def __call__(
        self, passages: Sequence[Passage], progress: Counted | None = None
    ) -> Iterator[list[PseudoQuery]]:
        read = self.read(passages, progress)
        common = self.common(named_in(read), len(read))
        for each in read:
            yield self.questions(each, common)

    def read(self, passages: Sequence[Passage], progress: Counted | None = None) -> list["Reading"]:
        """Find the sentences of all passages and the entities named in them."""
        called = names(passages)
        keywords = Keywords(called)
        read: list[Reading] = []
        for passage, name in zip(passages, called, strict=True):
            read.append(reading(passage, name, keywords))
            if progress:
                progress(1)
        return read

    def limit(self, passages: int) -> int:
        """Return how many of `passages` may name an entity that raises questions."""
        return int(max(self.common_floor, self.common_share * passages))

    def common(self, counts: Counter[str], passages: int) -> frozenset[str]:
        """Return the entities that raise no questions.

        Parameters
        ----------
        counts : number of passages that name each entity.
        passages : number of passages in all.
        """
        limit = self.limit(passages)
        return frozenset(key for key, count in counts.items() if count > limit)

    def hubs(self, counts: Counter[str], passages: int) -> "Hubs":
        """Return the common entities that are names; numbers raise no questions anyway."""
        common = [
            key
            for key in self.common(counts, passages)
            if len(key) > 1 and any(map(str.isalpha, key))
        ]
        first = sorted(common, key=lambda key: (-counts[key], key))[:_HUBS_NAMED]
        return Hubs(self.limit(passages), len(common), tuple(first))

    def questions(self, read: "Reading", common: frozenset[str]) -> list[PseudoQuery]:
        """Generate the pseudo-queries of one passage."""
        made = list(_questions(read.passage, read.name, read.lines, common, self.name))
        most = {"in": self.limits.in_questions, "out": self.limits.out_questions}
        kept: list[PseudoQuery] = []
        counts: Counter[Direction] = Counter()
        for query in made:
            counts[query.direction] += 1
            if counts[query.direction] <= (most[query.direction] or len(made)):
                kept.append(query)
        return kept


RULES = Rules()


def rules_with(hub_limit: int, limits: GraphLimits = AUTOMATIC) -> Rules:
    """Return the rules by which a name in more than `hub_limit` passages raises no questions.

    Parameters
    ----------
    hub_limit : 0 is the automatic limit, the larger of 20 passages and 1% of all.
    limits : limits of the graph. They also hold for a model, and the edge cap for a file, that
        has these rules as its fallback.
    """
    rules = replace(RULES, limits=limits)
    return replace(rules, common_share=0.0, common_floor=hub_limit) if hub_limit else rules


def hub_limit_of(maker: Maker) -> int:
    """Return the `hub_limit` of the rules of a maker or of its fallback; 0 if automatic."""
    rules = _rules_of(maker)
    return rules.common_floor if rules and not rules.common_share else 0


def limits_of(maker: Maker) -> GraphLimits:
    """Return the limits of a maker; automatic if it takes the whole graph from a file."""
    rules = _rules_of(maker)
    return rules.limits if rules else AUTOMATIC


def _rules_of(maker: Maker) -> Rules | None:
    """Return `maker` itself or its fallback, if that is rules."""
    rules = getattr(maker, "rules", maker)
    return rules if isinstance(rules, Rules) else None


@dataclass(frozen=True, slots=True)
class Hubs:
    """Names in too many passages to join them.

    Parameters
    ----------
    limit : passages that may contain a name that raises questions.
    count : names that more passages contain.
    names : the most frequent of them, most frequent first, in their normal form.
    """

    limit: int = 0
    count: int = 0
    names: tuple[str, ...] = ()


NO_HUBS = Hubs()
"""For questions generated by a model, which may ask about anything."""


@dataclass(frozen=True, slots=True)
class _Line:
    """A sentence and the entities that it names; `subject` is the mention at its start, or None."""

    text: str
    mentions: list[Mention]
    subject: Mention | None


@dataclass(frozen=True, slots=True)
class Reading:
    """A passage, its name, and its sentences."""

    passage: Passage
    name: str
    lines: list[_Line]


def named_in(read: Iterable[Reading]) -> Counter[str]:
    """Count the passages that name each entity; counts of batches can be added."""
    counts: Counter[str] = Counter()
    for each in read:
        counts.update({mention.key for line in each.lines for mention in line.mentions})
    return counts


def reading(passage: Passage, name: str, keywords: Keywords) -> Reading:
    """Find the sentences of a passage and the entities that `keywords` finds in them."""
    lines = []
    for text in sentences(passage.text):
        mentions = keywords.mentions(text)
        if cells := cells_of(text):
            mentions = [each for each in mentions if _is_of_cell(each, cells)]
            subject = _first_cell(cells, mentions)
        else:
            subject = _first_mention(mentions, 0)
        lines.append(_Line(text, mentions, subject))
    return Reading(passage, name, lines)


def _first_mention(mentions: Iterable[Mention], begin: int) -> Mention | None:
    """Return the first mention near `begin`, the start of a sentence or a cell; no number."""
    named = (each for each in mentions if each.kind != "number")
    return next((each for each in named if 0 <= each.start - begin <= OPENING), None)


def _first_cell(cells: Sequence[Cell], mentions: Iterable[Mention]) -> Mention | None:
    """Return the subject of a table row, named in its first cell.

    A short capitalised cell is a name, unless it repeats the label of another column.
    """
    first, *others = cells
    mention = _first_mention(mentions, first.start)
    if mention or not first.text[0].isupper() or first.text in [each.label for each in others]:
        return mention
    key = entity_key(first.text) if len(first.text.split()) <= _NAME_WORDS else ""
    return Mention(key, first.start, first.end, "name") if key else None


def _is_of_cell(mention: Mention, cells: Sequence[Cell]) -> bool:
    """Check whether a mention is in a cell of the row, or is the name of a passage."""
    within = any(cell.start <= mention.start and mention.end <= cell.end for cell in cells)
    return within or mention.kind == "title"


def _questions(
    passage: Passage, name: str, lines: Sequence[_Line], common: frozenset[str], maker: str
) -> Iterator[PseudoQuery]:
    """Yield an in-question for each sentence, and an out-question for each other entity, once."""
    own = entity_key(name)
    relative = _relative(passage.text)
    asked: set[str] = set()
    for number, line in enumerate(lines):
        evidence = line.text
        subject = line.subject.key if line.subject else ""
        about = tuple(sorted({own, subject} - {""}))
        text = _in_question(name, line, own, relative)
        yield pseudo_query(passage, "in", number, text, about, maker, evidence)
        for mention in line.mentions:
            if not _can_raise_question(mention, own, common) or mention.key in asked:
                continue
            asked.add(mention.key)
            text = _out_question(line.text, mention)
            yield pseudo_query(passage, "out", len(asked), text, (mention.key,), maker, evidence)


def _can_raise_question(mention: Mention, own: str, common: frozenset[str]) -> bool:
    """Return whether a question about this mention may lead to another passage.

    Numbers, `common` names and the subject of the passage itself (`own`) lead to none.
    """
    if mention.kind == "number" or mention.key in common:
        return False
    return mention.key != own and len(mention.key) > 1


def _in_question(name: str, line: _Line, own: str, relative: str) -> str:
    """Build the question that a sentence answers; `name` replaces a pronoun at its start.

    'He left Rome in 1512.' in 'Bramante' becomes 'What is known about Bramante, who left Rome in
    1512?' Sentences in other scripts get no English words.
    """
    if language(line.text) != "en":
        return f"{name}: {clause(line.text)}?" if name else f"{clause(line.text)}?"
    first, _, rest = line.text.partition(" ")
    pronoun = PRONOUNS.get(first.casefold())
    if name and pronoun and rest:
        return f"What is known about {name}, {pronoun} {clause(rest)}?"
    if line.subject and line.subject.start == 0 and line.subject.key == own:
        predicate = line.text[line.subject.end :].lstrip()
        if predicate[:1].islower():
            return f"What is known about {name}, {relative} {clause(predicate)}?"
    if not name:
        return f"What is known here: {clause(line.text)}?"
    return f"What is known about {name}: {clause(line.text)}?"


def _relative(text: str) -> str:
    """Return 'who' if a passage has more personal pronouns than 'it' and 'its', else 'which'."""
    counts = Counter(words(text))
    persons = sum(counts[word] for word in _PERSONAL)
    return "who" if persons > sum(counts[word] for word in _THING) else "which"


def _out_question(sentence: str, mention: Mention) -> str:
    """Build the question who or what the mentioned entity is, with the words around it."""
    name = bare(sentence[mention.start : mention.end])
    if language(sentence) != "en":
        return f"{name}: {_around(sentence, mention)}?"
    return f"Who or what is {name}, as in “{_around(sentence, mention)}”?"


def _around(sentence: str, mention: Mention) -> str:
    """Return the mention with up to half of `_CONTEXT_WORDS` words on each side."""
    half = _CONTEXT_WORDS // 2
    left = ending(sentence[: mention.start], half)
    right = opening(sentence[mention.end :], half)
    name = sentence[mention.start : mention.end]
    glue = "" if sentence[mention.end : mention.end + 1].strip() else " "
    spaced = " " if left and sentence[mention.start - 1].isspace() else ""
    text = f"{left}{spaced}{name}{glue if right else ''}{right}"
    return text.strip().rstrip(ENDS)


def pseudo_query(
    passage: Passage,
    direction: Direction,
    number: int,
    text: str,
    keywords: Iterable[str],
    maker: str,
    evidence: str,
) -> PseudoQuery:
    """Build a pseudo-query of `passage` with a unique id.

    `number` distinguishes the passage's pseudo-queries of one direction.
    """
    parts = (passage.id, direction, str(number), text, maker)
    query_id = blake2b("\x1f".join(parts).encode(), digest_size=12).hexdigest()
    return PseudoQuery(query_id, passage.id, direction, text, tuple(keywords), maker, evidence)
