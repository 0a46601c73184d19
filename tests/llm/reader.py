"""A chooser that has words alone: it sees one request of `choose` and knows nothing else.

It measures what a prompt makes possible. Its rule: a question is about the first name in it.

- A question whose name the passage tells of, as it is written, is worth `NAMED` if that name is
  news: it stands neither in the query nor in the title.
- Such a name, news or not, is worth 1 / sqrt(1 + d) more for each word of the query that the
  passage has, d words away from that name; the end of a sentence is as far as `SENTENCE` words.
- It is worth `OWN` more for each word of the query that it holds itself.

Words of the passage's title tell nothing, since every question here leads on from it. Words are
the same when they begin with the same `STEM` letters (directed, director). Of equals the first one
listed is chosen, which is the one most like the query.

Its numbers were set on 185 edges between gold passages of HotpotQA, MuSiQue and 2WikiMultiHopQA,
of which it finds 162, and 118 where it does not see the passage's text. The sample's were looked at
beside them; settings near these find 29 to 31 of its 36, and 22 to 24 without the text.
"""

import math
import re
from typing import Any

from core.text.sentences import sentences
from core.text.stop_words import STOP_WORDS
from core.text.tokens import Token, normal, tokens

NAMED, OWN, SENTENCE, STEM = 1.0, 0.5, 20, 5
_ONE_NAME = re.compile(" *")
Place = tuple[str, bool, int]
"""A word of a passage: normalised, whether it has a capital, and its place."""


def chosen(data: dict[str, Any]) -> int:
    """The number of the question to follow from the passage of `data`."""
    passage, listed = data["passage"], data["questions"]
    title = {normal(word.text)[:STEM] for word in tokens(passage["title"])}
    known, places = _stems(data["query"]) | title, _places(passage["text"])
    worth = [_worth(one["question"], known - title, known, places) for one in listed]
    return int(listed[worth.index(max(worth))]["number"])


def _worth(question: str, query: set[str], known: set[str], places: list[Place]) -> float:
    own = OWN * len(query & _stems(question))
    name = _name(question)
    news = not {word[:STEM] for word in name} <= known
    stands = [ends for ends in _where(name, places) if name]
    if not stands:
        return own
    beside = query - {word[:STEM] for word in _names(question)}
    near = 0.0
    for word in beside:
        found = [at for text, _, at in places if text[:STEM] == word]
        away = [min(abs(at - end) for end in ends) for at in found for ends in stands]
        near += 1 / math.sqrt(1 + min(away)) if away else 0
    return NAMED * news + near + own


def _places(text: str) -> list[Place]:
    """The words of `text`; each sentence begins `SENTENCE` words behind the end of the last."""
    found: list[Place] = []
    start = 0
    for sentence in sentences(text):
        line = tokens(sentence)
        found.extend((normal(w.text), w.text[0].isupper(), start + i) for i, w in enumerate(line))
        start += len(line) + SENTENCE
    return found


def _where(name: list[str], places: list[Place]) -> list[tuple[int, int]]:
    """Where `name` begins and ends, each time that it stands in the passage."""
    texts = [text for text, _, _ in places]
    starts = range(len(texts) - len(name) + 1)
    found = [i for i in starts if texts[i : i + len(name)] == name and places[i][1]]
    return [(places[i][2], places[i + len(name) - 1][2]) for i in found]


def _name(question: str) -> list[str]:
    """The first run of words with a capital, behind the word that every question begins with."""
    run: list[Token] = []
    for word in tokens(question)[1:]:
        joined = not run or _ONE_NAME.fullmatch(question, run[-1].end, word.start)
        if run and not (word.text[0].isupper() and joined):
            break
        if word.text[0].isupper():
            run.append(word)
    return [normal(word.text) for word in run]


def _names(question: str) -> list[str]:
    return [normal(word.text) for word in tokens(question)[1:] if word.text[0].isupper()]


def _stems(text: str) -> set[str]:
    return {normal(w.text)[:STEM] for w in tokens(text) if normal(w.text) not in STOP_WORDS}
