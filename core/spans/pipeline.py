"""Group spans by question, and read the question, searches, prompt and answer of each."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TypeVar

from core.corpus.record_formats.retrieved_results import Context, ContextKey, Result
from core.retrievers import Spec
from core.spans.span import OWN_PROJECT, SEARCHES, Span

_BEGINNING = 120
"""Characters of a text by which it is found in a prompt, which may have cut it short."""
_WHOLE_REPLY = 20
"""Characters from which on a reply inside a later prompt is no coincidence."""
_Key = TypeVar("_Key")
_METHOD = re.compile(r"(?<=\w)\._?a?(?:retrieve|postprocess_nodes|query|predict|complete|chat)$")
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True)
class Pipeline:
    """The spans of one question, in the order of their starts."""

    spans: Sequence[Span]

    @staticmethod
    def of(spans: Iterable[Span]) -> "Pipeline":
        """Return the pipeline of spans in any order; fill in texts of documents that lack one."""
        ordered = sorted(spans, key=lambda span: span.start)
        every = (one for span in ordered for one in (*span.documents, *span.offered))
        texts = {one.id: one for one in every if one.id and one.text}

        def with_texts(documents: tuple[Context, ...]) -> tuple[Context, ...]:
            """Fill in texts from a span that has the same document with its text."""
            return tuple(
                document
                if document.text or document.id not in texts
                else replace(texts[document.id], score=document.score)
                for document in documents
            )

        return Pipeline(
            [
                replace(
                    span, documents=with_texts(span.documents), offered=with_texts(span.offered)
                )
                for span in ordered
            ]
        )

    @cached_property
    def _by_id(self) -> dict[str, Span]:
        return {span.id: span for span in self.spans}

    @cached_property
    def _children(self) -> Mapping[str, list[Span]]:
        """The child spans of each span, by its id; roots are under ''."""
        children: dict[str, list[Span]] = defaultdict(list)
        for span in self.spans:
            children[span.parent if span.parent in self._by_id else ""].append(span)
        return children

    def walk(self) -> Iterator[tuple[Span, bool]]:
        """Yield each span twice: before its descendants (True) and after them (False)."""
        waiting = [(span, True) for span in reversed(self._children[""])]
        while waiting:
            span, begins = waiting.pop()
            yield span, begins
            if begins:
                waiting.append((span, False))
                waiting += [(one, True) for one in reversed(self._children.get(span.id, ()))]

    def _ancestors(self, spans: Iterable[Span]) -> set[str]:
        """Return the ids of all ancestors of `spans`."""
        ancestors: set[str] = set()
        for span in spans:
            at = span.parent
            while at in self._by_id and at not in ancestors:
                ancestors.add(at)
                at = self._by_id[at].parent
        return ancestors

    @cached_property
    def search_ids(self) -> set[str]:
        """The ids of searches and rerankers, without duplicate spans.

        LlamaIndex nests a second span without documents in each retriever span, and a second span
        in each reranker span.
        """
        searches = [span for span in self.spans if span.kind in SEARCHES]
        above = self._ancestors(span for span in searches if span.documents)

        def is_duplicate(span: Span) -> bool:
            """Whether the span describes the same search as its parent or a descendant does.

            A nested retriever with documents of its own is another search. A reranker nested in a
            reranker is not.
            """
            parent = self._by_id.get(span.parent)
            same_kind = parent is not None and parent.kind == span.kind
            if span.documents:
                return same_kind and span.kind == "RERANKER"
            return same_kind or span.id in above

        return {span.id for span in searches if not is_duplicate(span)}

    @cached_property
    def call_ids(self) -> set[str]:
        """The ids of model calls; of nested spans of one call, the innermost."""
        calls = [span for span in self.spans if span.kind == "LLM"]
        return {span.id for span in calls} - self._ancestors(calls)

    @cached_property
    def outermost(self) -> list[Span]:
        """The spans that are not inside a search, in order."""
        outer, inside = [], 0
        for span, begins in self.walk():
            is_search = span.id in self.search_ids
            if begins and not inside:
                outer.append(span)
            inside += is_search * (1 if begins else -1)
        return outer

    @cached_property
    def searches(self) -> list[Span]:
        """The outermost searches and rerankers."""
        return [span for span in self.outermost if span.id in self.search_ids]

    @cached_property
    def calls(self) -> list[Span]:
        """The calls of a model outside of searches."""
        return [span for span in self.outermost if span.id in self.call_ids]

    @cached_property
    def documents(self) -> list[Context]:
        """The documents that searches returned or rerankers were given, each key once."""
        searches = [span for span in self.spans if span.id in self.search_ids]
        every = (one for span in searches for one in (*span.offered, *span.documents))
        return list(first_by(every, lambda one: one.key).values())

    @property
    def is_incomplete(self) -> bool:
        """Whether documents are missing, because the exporter dropped attributes of a search."""
        return any(span.dropped for span in self.spans if span.id in self.search_ids)

    @property
    def seconds(self) -> float:
        return sum(root.seconds for root in self._children[""])

    @cached_property
    def embedding_seconds(self) -> Mapping[str, float]:
        """Seconds of embedding by the innermost enclosing search; '' for none."""
        seconds: dict[str, float] = defaultdict(float)
        searches, depth = [""], 0
        for span, begins in self.walk():
            if span.id in self.search_ids:
                searches = [*searches, span.id] if begins else searches[:-1]
            if span.kind == "EMBEDDING":
                seconds[searches[-1]] += span.seconds if begins and not depth else 0.0
                depth += 1 if begins else -1
        return seconds

    @cached_property
    def question(self) -> str:
        """The input of the root, or else of the first search."""
        named = (span.asked for span in (*self._children[""], *self.searches))
        return next((one for one in named if one), "")

    @cached_property
    def answer(self) -> str:
        """The output of the last root, or else of the last call of a model."""
        ends = [one for one in reversed(self._children[""]) if one.id not in self.search_ids]
        return next((one.said for one in (*ends, *reversed(self.calls)) if one.said), "")

    @property
    def name(self) -> str:
        """The project, or else the name of the root; never the key of a built-in retriever."""
        root = self._children[""][0]
        project = root.project if root.project != OWN_PROJECT else ""
        return foreign(project or root.name or "pipeline")

    @cached_property
    def listed(self) -> tuple[Context, ...]:
        """The final list of the searches.

        The lists of several searches are concatenated, each document once. A reranker's list goes
        to the top and replaces the documents that the reranker was given.
        """
        pool: dict[ContextKey, Context] = {}
        for span in self.searches:
            new = first_by(span.documents, lambda one: one.key)
            if span.kind == "RERANKER":
                given = {one.key for one in span.offered} or {*pool}
                pool = {**new, **{k: v for k, v in pool.items() if k not in given | {*new}}}
            else:
                pool = {**pool, **{k: v for k, v in new.items() if k not in pool}}
        return tuple(pool.values())

    @cached_property
    def context(self) -> tuple[Context, ...]:
        """The documents that the answering model read, in the order of its prompt.

        If no prompt contains any listed document, all listed documents are returned.
        """
        return tuple(self._read()) or self.listed

    @property
    def cut(self) -> tuple[Context, ...]:
        """The listed documents that the answering model did not read."""
        read = {one.key for one in self.context}
        return tuple(one for one in self.listed if one.key not in read)

    def _read(self) -> list[Context]:
        """Return the listed documents in the prompt of the last call that contains any of them.

        If that call refines an earlier reply, the prompt of the earlier call counts, too.
        """
        begins = {one.key: _spaced(one.text)[:_BEGINNING] for one in self.listed if one.text}
        read: list[str] = []
        for call in reversed(self.calls):
            prompt = _spaced(call.read)
            refined = len(call.said) >= _WHOLE_REPLY and any(_spaced(call.said) in p for p in read)
            if refined or (not read and any(one in prompt for one in begins.values())):
                read.insert(0, prompt)
        whole = "\n".join(read)
        places = {key: whole.find(one) for key, one in begins.items()}
        read_contexts = [one for one in self.listed if places.get(one.key, -1) >= 0]
        return sorted(read_contexts, key=lambda one: places[one.key])


def first_by(contexts: Iterable[Context], key: Callable[[Context], _Key]) -> dict[_Key, Context]:
    """Return the first context of each key, in order."""
    first: dict[_Key, Context] = {}
    for one in contexts:
        first.setdefault(key(one), one)
    return first


def foreign(name: str) -> str:
    """Return a span's name without LlamaIndex's method; mark the keys of built-in retrievers.

    >>> foreign("BM25Retriever.retrieve"), foreign("bm25")
    ('BM25Retriever', 'bm25 (imported)')
    """
    method = _METHOD.sub("", " ".join(name.split())[:80])
    return f"{method} (imported)" if Spec.known(method) else method


def _spaced(text: str) -> str:
    return _SPACE.sub(" ", text).strip()


@dataclass(frozen=True, slots=True)
class TracedResult(Result):
    """A result with the pipeline that it was read from."""

    pipeline: Pipeline = field(default_factory=lambda: Pipeline([]), compare=False, repr=False)


def traced_results(spans: Iterable[Span]) -> list[TracedResult]:
    """Return a result for each trace that contains a search, in the order of their starts.

    Several roots with one trace id are separate results, unless they share a parent that was not
    exported.
    """
    by_trace: dict[str, dict[str, Span]] = defaultdict(dict)
    for span in spans:
        by_trace[span.trace][span.id] = span
    groups: dict[tuple[str, str], list[Span]] = defaultdict(list)
    for trace, by_id in by_trace.items():
        tops: dict[str, str] = {}
        for span in by_id.values():
            groups[trace, _top(span, by_id, tops)].append(span)
    pipelines = [Pipeline.of(group) for group in groups.values()]
    searching = [one for one in pipelines if one.searches]
    return [
        TracedResult(question=one.question, contexts=one.context, answer=one.answer, pipeline=one)
        for one in sorted(searching, key=lambda one: one.spans[0].start)
    ]


def _top(span: Span, spans: Mapping[str, Span], tops: dict[str, str]) -> str:
    """Return the id of a span's root, or of the root's parent if that was not exported.

    `tops` caches the results.
    """
    path: dict[str, None] = {}
    at = span.id
    while at in spans and at not in tops and at not in path:
        path[at] = None
        at = spans[at].parent or at
    top = tops.get(at, at)
    tops.update(dict.fromkeys(path, top))
    return top
