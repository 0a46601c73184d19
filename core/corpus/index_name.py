"""What an index of some files may be called."""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import takewhile
from pathlib import PurePosixPath

from core.corpus.layout import is_generated_title
from core.corpus.types import Corpus
from core.text.entities.keywords import Keywords

_LOOKED_AT = 60  # documents
_OPENING = 800  # characters of each
_SEVERAL = 4  # documents of which one name may be told
_DATE = re.compile(r"^\d{4}[-_. ]\d{2}[-_. ]\d{2}[-_. ]+(?=\S)")
_LEAST = 3  # letters of a name that several files share
# What tells the part of a data set, and not which one.
_PARTS = frozenset(
    "corpus documents docs document data dataset passages texts text queries questions train dev "
    "test validation readme index file files upload".split()
)


def suggest_name(given: Sequence[str], corpus: Corpus) -> str:
    """Suggest a name for an index of `corpus`; empty if nothing suggests one.

    In order of preference: the name of the only file, folder or archive; the words that the names
    of several files share; the first file and the number of others. Where file names say nothing:
    a name that many documents mention; the title of the only document; the data set of the
    questions.

    Parameters
    ----------
    given : the names of the files, folders and archives, as the user knows them.
    """
    holding = [each.name for each in corpus.files if each.documents]
    # Files without documents, as those of questions, name nothing while others do.
    tops = list(dict.fromkeys(name.partition("/")[0] for name in holding)) or list(given)
    stems = [_stem(name) for name in tops]
    telling = [stem for stem in stems if not _says_nothing(stem)]
    if len(stems) == 1 and telling:
        return stems[0]
    if len(telling) > 1:
        shared = _shared_words(telling)
        if len(shared) >= _LEAST and not _says_nothing(shared):
            return shared
    if telling:
        return f"{telling[0]} and {len(stems) - 1} more"
    if subject := _common_subject(corpus):
        return subject
    if len(corpus.documents) == 1:
        return corpus.documents[0].title
    datasets = [query.dataset for query in corpus.queries if query.dataset]
    return next(iter([*datasets, *stems]), "")


def _common_subject(corpus: Corpus) -> str:
    """Return the name in most titles, of names that a third of the documents mention early."""
    some = corpus.documents[:_LOOKED_AT]
    if len(some) < _SEVERAL:
        return ""
    counts: Counter[str] = Counter()
    written: dict[str, str] = {}
    reader = Keywords()
    for document in some:
        text = f"{document.title}.\n{document.text[:_OPENING]}"
        here = {each.key: text[each.start : each.end] for each in reader.mentions(text)}
        written = here | written
        counts.update(key for key in here if len(key.split()) > 1 and not key[0].isdigit())
    most = {key for key, many in counts.items() if 3 * many >= len(some)}
    headed = Counter(key for key in most for each in some if written[key] in each.title)
    return written[max(headed, key=lambda key: (headed[key], counts[key], key))] if headed else ""


def _stem(name: str) -> str:
    return _DATE.sub("", PurePosixPath(name.replace("\\", "/")).name.partition(".")[0])


def _shared_words(stems: Sequence[str]) -> str:
    """Return the words that all begin with, numbers aside."""
    columns = zip(*(re.findall(r"[^\W\d_]+", stem.casefold()) for stem in stems), strict=False)
    return " ".join(column[0] for column in takewhile(lambda each: len(set(each)) == 1, columns))


def _says_nothing(stem: str) -> bool:
    return is_generated_title(stem) or stem.casefold().strip(" -_0123456789") in _PARTS
