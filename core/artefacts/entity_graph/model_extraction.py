"""Entities and triples of each passage, extracted by a language model (HippoRAG's OpenIE).

The papers of HippoRAG and HippoRAG 2 ask twice for each passage, for its named entities and then
for triples with them. One call for both costs about half.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from pydantic import BaseModel

from core.corpus.extraction_files import LONGEST as LONGEST_NAME
from core.corpus.extraction_files import Extracted, Extraction, Triple
from core.errors import LlmError
from core.models.oracle import Oracle
from core.models.prompt import Prompt
from core.models.server.window import in_order
from core.prompts import at_most, prompt, read
from core.steps import Exchange
from core.text.clean import one_line
from core.text.display.plurals import number
from core.text.stop_words import STOP_WORDS
from core.text.tokens import words
from core.types import Passage

NAME = "extract"
SHOWN = 12_000  # characters of a passage, as for pseudo-queries
LONGEST = 1_500  # tokens of a reply: 20 names, and 20 triples of about 30 tokens
_ENTITIES, _TRIPLES = 20, 20
"""The maximum numbers that the prompt states and that structured output enforces."""
_NAMED = 5
_NOTHING = "The reply has no entity or triple whose words are in the passage."


class EntitiesAndTriples(BaseModel):
    """What a passage names, and what it states: lists of subject, relation and object."""

    entities: list[str] = at_most(_ENTITIES)
    triples: list[Annotated[list[str], at_most(3)]] = at_most(_TRIPLES)


@dataclass(frozen=True, slots=True)
class Extractor:
    """Extracts entities and triples with one model call per passage.

    An entity, and a triple's subject and object, are kept if all their words are in the title or
    the text of the passage, function words aside; others are left out as made up. So is a triple of
    a thing with itself. The relation may be in the model's own words. A passage without any is left
    to rules. The prompt depends on title and text only, so that no passage needs a second call.

    Parameters
    ----------
    tell : receives sentences on the passages left to rules and on names and triples left out.

    Raises
    ------
    LlmError : by a call, if the model fails too often in a row, or for every passage.
    """

    oracle: Oracle
    tell: Callable[[list[str]], None] = lambda _: None

    @property
    def noun(self) -> str:
        """The singular of what the model extracts, for messages."""
        return "entity or triple"

    def __call__(self, passages: Sequence[Passage], progress: Callable[[int], None]) -> Extraction:
        records: list[Extracted] = []
        missed: list[tuple[Passage, str]] = []
        left_out = 0
        asked = in_order(
            self._request, passages, self.oracle.llm.at_once, meanwhile=lambda: progress(0)
        )
        for passage, (reply, exchange) in zip(passages, asked, strict=True):
            progress(1)
            kept, dropped = supported(passage, reply) if reply else (None, 0)
            left_out += dropped
            if kept:
                records.append(kept)
            else:
                missed.append((passage, exchange.trouble or _NOTHING))
        model = self.oracle.llm.model
        if not records:
            why = missed[0][1] if missed else ""
            raise LlmError(
                f"{model} gave no usable entities or triples for any of the {len(passages):,} "
                f"passages. {why} Fix the problem and ask again (--ask-again), use another "
                "model, or leave them to rules."
            )
        self.tell(list(_missed_sentences(missed, left_out)))
        return Extraction(model, tuple(records), by_model=True)

    def ask(self, passage: Passage) -> tuple[Extracted | None, Exchange]:
        """Return the supported entities and triples of `passage`, or None, and the exchange.

        Raises
        ------
        LlmError : the model fails too often in a row, or will fail for every passage.
        """
        reply, exchange = self._request(passage)
        kept = supported(passage, reply)[0] if reply else None
        return kept, exchange if kept or exchange.trouble else replace(exchange, trouble=_NOTHING)

    def prompt(self, passage: Passage) -> Prompt:
        """Return the prompt that asks for the entities and triples of `passage`."""
        data = {"title": passage.title, "text": passage.text[:SHOWN]}
        return prompt(NAME, EntitiesAndTriples, longest=LONGEST, **data)

    def read(self, text: str) -> EntitiesAndTriples:
        """Return the entities and triples in a reply, or raise ReplyUnreadable."""
        return read(text, EntitiesAndTriples)

    def _request(self, passage: Passage) -> tuple[EntitiesAndTriples | None, Exchange]:
        return self.oracle.attempt(self.prompt(passage), self.read)


def supported(passage: Passage, reply: EntitiesAndTriples) -> tuple[Extracted | None, int]:
    """Keep the entities and triples of a reply whose words occur in `passage`.

    Returns
    -------
    The entities and triples, or None if none is left, and the number of those left out.
    """
    known = {*words(passage.title), *words(passage.text)}
    entities = [name for text in reply.entities if (name := _supported_name(text, known))]
    triples = [triple for parts in reply.triples if (triple := _supported_triple(parts, known))]
    left_out = len(reply.entities) - len(entities) + len(reply.triples) - len(triples)
    if not entities and not triples:
        return None, left_out
    each_once = tuple(dict.fromkeys(entities)), tuple(dict.fromkeys(triples))
    return Extracted((passage.id,), (), *each_once), left_out


def _supported_triple(parts: Sequence[str], known: set[str]) -> Triple | None:
    """Return the triple on one line each; None unless both ends occur in the passage."""
    if len(parts) != 3:
        return None
    subject, object_ = (_supported_name(parts[end], known) for end in (0, 2))
    relation = one_line(parts[1])
    joins = bool(subject and object_ and relation) and words(subject) != words(object_)
    return (subject, relation, object_) if joins else None


def _supported_name(text: str, known: set[str]) -> str:
    """Return `text` on one line; empty if it is too long or has words that are not `known`."""
    name = one_line(text)
    said = set(words(name))
    meant = said - STOP_WORDS or said
    return name if meant and meant <= known and len(name) <= LONGEST_NAME else ""


def _missed_sentences(missed: Sequence[tuple[Passage, str]], left_out: int) -> Iterable[str]:
    """Yield sentences on the passages left to rules and on what was left out of replies."""
    if missed:
        reasons = Counter(why for _, why in missed)
        named = ", ".join(f"'{(one.title or one.id)[:60]}'" for one, _ in missed[:_NAMED])
        more = ", …" if len(missed) > _NAMED else ""
        yield (
            f"Rules extract the entities of {number(len(missed), 'passage')} without a usable "
            f"reply: {named}{more}. {reasons.most_common(1)[0][0]}"
        )
    if left_out:
        yield (
            "Entities and triples left out of replies, because their words are not in the passage "
            f"or because they do not connect two things: {left_out:,}"
        )
