"""Costs, upper bound and settings of a retrieval, in a line."""

from core.funnel.oracle import oracle
from core.lost_gold.gold_distance import IndexView
from core.lost_gold.gold_ranks import Marks
from core.marks import level_of_gold, level_told
from core.playback.account import Account, account
from core.playback.wording import begun, called, lasting
from core.retrievers import Spec
from core.retrievers.settings import Declared
from core.steps import Asked, Step, Value
from core.text.display.plurals import number
from core.traces import Trace


def footer(
    trace: Trace, title: str, spec: Spec | None, marks: Marks, index: IndexView | None = None
) -> str:
    """Return the best possible outcome, and what the retrieval took and with which settings."""
    cost = account(trace.steps)
    facts = [
        f"query embedded in {lasting(cost.embed_seconds)}" if cost.embed_seconds else "",
        f"retrieved in {lasting(cost.seconds)}",
        *(
            f"{number(one.scored, one.of)} scored in {number(one.lists, 'list')}"
            for one in cost.looked
        ),
        _model_use(cost) or (spec.substitute if spec else ""),
        f"{cost.model.called(title)} ({', '.join(settings_told(trace.steps[0], spec))})",
        f"index {trace.index}, graph {trace.graph_version}",
        level_told(level_of_gold(trace.kept_gold)) if trace.gold else "",
    ]
    line = " · ".join(filter(None, facts))
    best = _oracle_summary(trace, marks, index) if index else ""
    return f"{begun(best)}. {begun(line)}" if best else begun(line)


def _model_use(cost: Account) -> str:
    """Describe the calls, tokens and decisions of the model; empty if it was not needed."""
    if not cost.model.turned_to:
        return ""
    calls = f"{number(cost.calls, 'call')}, {cost.tokens:,} tokens" if cost.calls else "no call"
    kept = f", {number(cost.kept, 'reply')} from the cache" if cost.kept else ""
    places = (
        f", the model decided {cost.model.decided:,} of {number(cost.model.turned_to, 'choice')}"
    )
    return f"{calls}{kept}{places}"


def _oracle_summary(trace: Trace, marks: Marks, index: IndexView) -> str:
    """Describe the result of the walk with the best choices of edges; empty if unknown."""
    gold = [name for name, marked_by in marks.items() if marked_by]
    documents = {name: index.document_passages.get(name, ()) for name in gold}
    # A passage of a gold document counts unless its own mark was removed (marked as "").
    passages_by_gold = {
        name: tuple(one for one in passages if marks.get(one, "given"))
        for name, passages in documents.items()
        if passages
    }
    return str(oracle(trace.steps, gold, index, passages_by_gold) or "")


def settings_told(first: Step, spec: Spec | None) -> list[str]:
    """Return settings in the words of `spec`, or by their names if the retriever is unknown."""
    settings = {"top_k": first.top_k, **first.settings} if isinstance(first, Asked) else {}
    known = {one.name: one for one in spec.declared} if spec else {}
    return [
        _set(known[name], value) if name in known else f"{name} {value}"
        for name, value in settings.items()
        if value != ""
    ]


def _set(one: Declared, value: Value) -> str:
    """Return a setting in words, such as `6 passages of a search`."""
    if one.kind is Spec:
        return f"over {called(str(value))}"
    if one.is_labelled_by_unit and isinstance(value, int):
        what, _, rest = one.setting.says.removesuffix(" at most").partition(" ")
        most = "at most " if one.setting.says.endswith(" at most") else ""
        return f"{most}{number(value, what)} {rest}".rstrip()
    if one.setting.zero and value == 0:
        return f"{one.title}: {one.setting.zero}"
    return f"{one.title} {one.worded(value)}"
