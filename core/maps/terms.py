"""Terms by which a region can be called: common nouns and names of its passages.

Nouns are told from other words by what stands around them in this very corpus: a noun follows an
article more often than a verb, and is followed by a function word or a punctuation mark more often
than an adjective. A language without such articles has names and words of titles only.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from core.text.stop_words import STOP_WORDS

_LOOKED_AT = 1_500  # characters of a text
_TOKEN = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*|[.!?:;,()\"“”]|\d+")
_DETERMINERS = frozenset(
    """a an the his her its their this that these our my your each every some any no another
    un une le la les des du el los las una der die das den ein eine einen""".split()
)
_GENERIC = frozenset(
    """time times year years day days month months week weeks name names part parts number way
    ways people person man woman men women thing things lot kind type form order use end side fact
    place places case point example list one ones term terms word words world life
    member side head live state country area series half death title role work role group
    january february march april may june july august september october november december
    monday tuesday wednesday thursday friday saturday sunday mr mrs ms dr jr sr st""".split()
)
_BEFORE_PLACES = frozenset("in from at near the a an to into throughout across".split())
_PLACED = 0.4  # share of a name's passages where it follows one of these
_CONNECTORS = frozenset("of the de la le du del di da van von der al".split())
_LEAST_SEEN = 3
_ARTICLES, _FOLLOWED = 0.12, 0.4
_POSSESSIVE = re.compile(r"(?<=\w)['’](?:s|re|m|ve|ll|d|t)?$")
_ENDS = re.compile(r"(?:ly|ing|ed)$")
_DEFINES = frozenset(("is", "was", "are", "were"))
_LONGEST_DEFINITION = 14  # words from 'is a' to the noun that says what it is


@dataclass(slots=True)
class _Seen:
    """The occurrences of a word in the corpus, under its singular."""

    count: int = 0
    after_article: int = 0
    before_small: int = 0
    forms: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class Term:
    """A candidate name of a region. `leads` is False for names that may be of a person."""

    shown: str
    leads: bool


@dataclass(frozen=True)
class Terms:
    """The terms of each passage, by key, with a weight: above 1 where it says what it is about."""

    known: Mapping[str, Term]
    of: Sequence[Mapping[str, float]]


def singular(word: str) -> str:
    """Return the singular of an English noun, roughly.

    >>> singular("cities"), singular("churches"), singular("films"), singular("glass")
    ('city', 'church', 'film', 'glass')
    """
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "xes", "sses")):
        return word[:-2]
    return word[:-1]


def terms_of(passages: Iterable[tuple[str, str]]) -> Terms:
    """Return the terms of passages.

    Parameters
    ----------
    passages : title and text of each.
    """
    read = [(title, _TOKEN.findall(text[:_LOOKED_AT])) for title, text in passages]
    nouns = _nouns(tokens for _, tokens in read)
    shown: defaultdict[str, Counter[str]] = defaultdict(Counter)
    placed: Counter[str] = Counter()
    terms = []
    for title, tokens in read:
        own: dict[str, float] = {}
        for word in tokens:
            if word.islower() and (key := singular(word)) in nouns:
                own[key] = max(own.get(key, 0), 1.0)
        for key in _defined(tokens, nouns):
            own[key] = 2.0
        for key in _title_nouns(title, nouns):
            own[key] = max(own.get(key, 0), 1.5)
        for name, is_placed in _names(tokens).items():
            key = f"name:{name.casefold()}"
            shown[key][name] += 1
            placed[key] += is_placed
            own[key] = max(own.get(key, 0), 1.0)
        terms.append(own)
    known = {key: Term(_plural(key, seen), leads=True) for key, seen in nouns.items()}
    for key, forms in shown.items():
        leads = placed[key] >= _PLACED * forms.total()
        known[key] = Term(forms.most_common(1)[0][0], leads)
    return Terms(known, terms)


def _nouns(texts: Iterable[Sequence[str]]) -> dict[str, _Seen]:
    """Count the common nouns in tokenised texts, by singular.

    Without a tagger, a word is a noun if it often follows an article and stands before a function
    word.
    """
    seen: defaultdict[str, _Seen] = defaultdict(_Seen)
    for tokens in texts:
        for number, word in enumerate(tokens):
            if (
                len(word) < 3
                or not word.islower()
                or word in STOP_WORDS
                or singular(word) in _GENERIC
            ):
                continue
            at = seen[singular(word)]
            at.count += 1
            at.forms[word] += 1
            before = tokens[number - 1].lower() if number else ""
            after = tokens[number + 1] if number + 1 < len(tokens) else "."
            at.after_article += before in _DETERMINERS
            at.before_small += after in STOP_WORDS or not after[0].isalpha()
    return {
        key: at
        for key, at in seen.items()
        if at.count >= _LEAST_SEEN
        and len(key) > 2
        and not _ENDS.search(key)
        and at.after_article >= _ARTICLES * at.count
        and at.before_small >= _FOLLOWED * at.count
    }


def _plural(key: str, seen: _Seen) -> str:
    """Return the plural if the corpus has it more than now and then: 'Films', but 'Music'."""
    plural, count = max(
        ((form, many) for form, many in seen.forms.items() if form != key),
        key=lambda pair: pair[1],
        default=(key, 0),
    )
    return plural if count >= 0.12 * seen.count else key


def _defined(tokens: Sequence[str], nouns: Mapping[str, _Seen]) -> Iterator[str]:
    """Yield the nouns that define the subject in the first sentence: the last noun before each
    break.
    """
    for number, word in enumerate(tokens[:60]):
        if word == "." and number > 8:
            return
        article = tokens[number + 1 : number + 2]
        if word not in _DEFINES or article not in (["a"], ["an"], ["the"]):
            continue
        last = ""
        for after in tokens[number + 2 : number + 2 + _LONGEST_DEFINITION]:
            if after in ("and", ","):
                if last:
                    yield last
                last = ""
                continue
            if after in STOP_WORDS or not after[0].isalpha():
                break
            if (key := singular(after)) in nouns:
                last = key
        if last:
            yield last
        return


def _title_nouns(title: str, nouns: Mapping[str, _Seen]) -> Iterator[str]:
    for word in _TOKEN.findall(title):
        if (key := singular(word.lower())) in nouns:
            yield key


def _names(tokens: Sequence[str]) -> dict[str, bool]:
    """Runs of capitalised words inside sentences, and whether one follows 'in', 'the' or the like:
    places, nations and bodies do, people do not."""
    is_place: dict[str, bool] = {}
    run: list[str] = []
    before = last = ""
    begins = True  # of a sentence, where a capital says nothing
    for token in [*tokens, "."]:
        word = _POSSESSIVE.sub("", token)
        if word[0].isupper() and (not begins or word.lower() not in STOP_WORDS):
            if word.lower() not in _GENERIC:
                before = before if run else last
                run.append(word)
        elif run and word in _CONNECTORS:
            run.append(word)
        else:
            while run and run[-1] in _CONNECTORS:
                run.pop()
            if run and len(run) <= 4 and len(" ".join(run)) > 2:
                name = " ".join(run)
                is_place[name] = is_place.get(name, False) or before.lower() in _BEFORE_PLACES
            run = []
        begins, last = word in '.!?:;"“”', word
    return is_place
