"""Without a model: the sentences that cover the question best. Evidence, and not an answer."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import Stemmer

from core.text.sentences import sentences
from core.text.tokens import Token, normal, tokens, words
from core.types import Passage

MOST = 6
"""Sentences at most."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a passage, `rank` from 1 its passage's.

    `new` are the words of the question, in their normal form, that no sentence before it holds;
    `marks` are the places `text[start:end]` of all of the question's words in it. `gold` if it
    holds gold evidence.
    """

    passage_id: str
    rank: int
    text: str
    new: tuple[str, ...]
    marks: tuple[tuple[int, int], ...]
    gold: bool = False

    @property
    def held(self) -> int:
        """The number of different words of the question that it contains."""
        return len({normal(self.text[start:end]) for start, end in self.marks})


@dataclass(frozen=True, slots=True)
class Evidence:
    """Sentences in the order in which they were taken: gold evidence, then what covers most.

    `share` in [0, 1] is how much of the question they cover, its words weighted by idf; `missing`
    are the words that no title and no text of the passages holds, in any form that has their stem.
    """

    sentences: tuple[Sentence, ...]
    share: float
    missing: tuple[str, ...]

    @property
    def telling(self) -> tuple[Sentence, ...]:
        """The first of the sentences, and of the others those with two words of the question or
        more: who merely has a word in common with it tells nothing of it.
        """
        others = (one for one in self.sentences[1:] if one.held > 1 or one.gold)
        return (*self.sentences[:1], *others)


def evidence(
    weights: Mapping[str, float],
    ranking: Sequence[Passage],
    *,
    gold: Collection[str] = (),
    most: int = MOST,
) -> Evidence:
    """Take the sentence that adds the most weight until nothing is added, at most `most`.

    Sentences with gold evidence come first.

    Parameters
    ----------
    weights : the question's words by their share of its idf (`core.artefacts.lexical.postings`).
    ranking : the passages, best first. Among equals the sentence of the best passage is taken, and
        of its sentences the first.
    gold : texts of gold evidence.
    """
    offered = [
        _Offered(passage.id, rank, text, tokens(text))
        for rank, passage in enumerate(ranking, start=1)
        for text in sentences(passage.text)
    ]
    held = [one.words & weights.keys() for one in offered]
    open_words = set(weights)
    wanted = [" ".join(text.split()) for text in gold if text.strip()]
    taken: list[Sentence] = []
    for one, words_held in zip(offered, held, strict=True):
        if len(taken) < most and one.holds(wanted):
            taken.append(replace(one.sentence(weights, open_words), gold=True))
            open_words -= words_held
    while len(taken) < most:
        best = max(
            range(len(offered)), key=lambda i: _weight(weights, held[i] & open_words), default=None
        )
        if best is None or not held[best] & open_words:
            break
        taken.append(offered[best].sentence(weights, open_words))
        open_words -= held[best]
    return Evidence(
        sentences=tuple(taken),
        share=_weight(weights, weights.keys() - open_words),
        missing=_missing(weights, offered, ranking),
    )


def _missing(
    weights: Iterable[str], offered: Iterable["_Offered"], ranking: Iterable[Passage]
) -> tuple[str, ...]:
    """Return the words of the question that occur neither in sentences nor in titles."""
    # Who reads that a word is missing looks at titles, too, and takes 'finals' for 'final'.
    anywhere = {word for one in offered for word in one.words}
    anywhere.update(word for passage in ranking for word in words(passage.title))
    stem = Stemmer.Stemmer("english").stemWord
    stems = set(map(stem, anywhere))
    return tuple(word for word in weights if word not in anywhere and stem(word) not in stems)


@dataclass(frozen=True, slots=True)
class _Offered:
    passage_id: str
    rank: int
    text: str
    run: list[Token]

    @property
    def words(self) -> set[str]:
        return {normal(token.text) for token in self.run}

    def holds(self, wanted: Iterable[str]) -> bool:
        """Check whether the sentence equals, contains or is contained in one of the texts."""
        text = " ".join(self.text.split())
        return any(text in one or one in text for one in wanted)

    def sentence(self, weights: Mapping[str, float], open_words: set[str]) -> Sentence:
        """Return the sentence with the spans of the question's words.

        `weights` are by word; `open_words` are those that no better sentence has.
        """
        words = self.words
        return Sentence(
            self.passage_id,
            self.rank,
            self.text,
            new=tuple(word for word in weights if word in words and word in open_words),
            marks=tuple(
                (token.start, token.end) for token in self.run if normal(token.text) in weights
            ),
        )


def _weight(weights: Mapping[str, float], words: set[str]) -> float:
    # Summed in the order of the question: a set's order is another in every process.
    return sum(weight for word, weight in weights.items() if word in words)
