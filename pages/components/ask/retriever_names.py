"""Display names of retrievers with their settings, and which retrievers are offered."""

from collections.abc import Sequence

from core.retrievers import CARDS, Spec
from core.retrievers.settings import Declared


def changes(spec: Spec, *, but: Sequence[str] = ()) -> str:
    """Return the settings that differ from the defaults, without those named in `but`."""
    given = dict(spec.settings)
    told = (one for one in spec.declared if one.name in given and one.name not in but)
    return " · ".join(f"{one.title} {_value_in_words(one, given[one.name])}" for one in told)


def _value_in_words(one: Declared, value: object) -> str:
    """Return a setting's value as shown on the screen; a nested retriever is shown by its name."""
    return in_sentence(called(value)) if isinstance(value, Spec) else one.worded(value)


def called(spec: Spec, *, but: Sequence[str] = ()) -> str:
    """Return a retriever's title, and the settings that differ from the defaults.

    >>> called(Spec.parse("rerank(over=hoprag-similarity(n_hop=2))"))
    'Rerank · over HopRAG (similarity, hops 2)'
    """
    told = changes(spec, but=but)
    return f"{spec.card.title} · {told}" if told else spec.card.title


def in_sentence(name: str, *more: str) -> str:
    """Return a retriever's name and a remark `more` in one pair of brackets, to use within a
    sentence.

    >>> in_sentence("HopRAG (coverage) · hops 3"), in_sentence("BM25"), in_sentence("BM25", "new")
    ('HopRAG (coverage, hops 3)', 'BM25', 'BM25 (new)')
    """
    title, inside = name.partition(" · ")[::2]
    first, _, kind = title.removesuffix(")").partition(" (")
    rest = [part for part in (kind, *inside.split(" · ")) if part]
    return f"{first} ({', '.join([*rest, *more])})" if rest or more else first


def listed(key: str, *, with_model: bool = True) -> str:
    """Return a retriever's entry in a list: badge, title, family, and whether it needs a model.

    Parameters
    ----------
    with_model : whether a model is set up; otherwise the list marks what uses rules instead.
    """
    card, spec = CARDS[key], Spec(key)
    by_rules = ", by rules without a model" if spec.asks_model and not with_model else ""
    needs = ", needs a model" if spec.idle_without_model else by_rules
    return f"{card.badge} · {card.title} ({card.family}{needs})"


def offered(*, with_model: bool) -> list[str]:
    """Return the keys of the retrievers that can run, in their order."""
    return [key for key in CARDS if with_model or not Spec(key).needs_model]
