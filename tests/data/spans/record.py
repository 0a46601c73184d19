#!/usr/bin/env python3
"""Record the spans that instrumented LlamaIndex and LangChain pipelines write for the sample.

The pipelines' packages are pinned apart from ours, so this runs in an environment of its own:

    pip install llama-index-core==0.14.25 openinference-instrumentation-llama-index==4.6.1 \\
        langchain-core==1.8.3 openinference-instrumentation-langchain==0.1.80 \\
        opentelemetry-exporter-otlp-proto-common==1.45.2 rank-bm25==0.2.2
    python tests/data/spans/record.py

No model is asked: embeddings count words, and the answers are made up. Beside the spans of each
pipeline (`NAME.spans.jsonl.gz`, OTLP JSON) its own log is written (`NAME.log.jsonl.gz`), as a
pipeline without instrumentation would write it.
"""

import gzip
import json
import re
import zlib
from base64 import b64decode
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from google.protobuf.json_format import MessageToDict
from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.retrievers import BaseRetriever as LangChainRetriever
from langchain_core.runnables import RunnableLambda
from llama_index.core import VectorStoreIndex
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.instrumentation import get_dispatcher
from llama_index.core.instrumentation.events.rerank import ReRankEndEvent, ReRankStartEvent
from llama_index.core.llms import CompletionResponse, CustomLLM, LLMMetadata
from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.response_synthesizers import get_response_synthesizer
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode
from openinference.instrumentation.langchain import LangChainInstrumentor
from openinference.instrumentation.llama_index import LlamaIndexInstrumentor
from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from rank_bm25 import BM25Okapi

HERE = Path(__file__).parent
SAMPLE = HERE.parents[2] / "assets" / "sample"
SEARCHED, KEPT, FEWER = 12, 5, 3
DIMENSION = 256
UNKNOWN = "The context does not say."
dispatcher = get_dispatcher(__name__)


def rows(name: str) -> list[dict[str, Any]]:
    lines = (SAMPLE / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip()]


PASSAGES, QUESTIONS = rows("corpus.jsonl"), rows("questions.jsonl")


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


BM25 = BM25Okapi([words(f"{one['title']} {one['text']}") for one in PASSAGES])


def search(question: str, k: int) -> list[tuple[dict[str, Any], float]]:
    scores = BM25.get_scores(words(question))
    best = sorted(range(len(PASSAGES)), key=lambda n: -scores[n])[:k]
    return [(PASSAGES[n], float(scores[n])) for n in best]


def overlap(question: str, text: str) -> float:
    asked, held = set(words(question)), set(words(text))
    return len(asked & held) / len(asked)


def answer(number: int) -> str:
    """Every other answer is right."""
    return (
        QUESTIONS[number]["answers"][0] if number % 2 and QUESTIONS[number].get("answers") else ""
    )


class BM25Nodes(BaseRetriever):
    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return [
            NodeWithScore(node=TextNode(id_=one["id"], text=one["text"]), score=score)
            for one, score in search(query_bundle.query_str, SEARCHED)
        ]


class OverlapRerank(BaseNodePostprocessor):
    def _postprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        asked = query_bundle.query_str if query_bundle else ""
        scored = [NodeWithScore(node=n.node, score=overlap(asked, n.text)) for n in nodes]
        return sorted(scored, key=lambda one: -(one.score or 0))[:KEPT]


class ReportingRerank(OverlapRerank):
    """Sends the events that rerankers with a model send."""

    def _postprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        dispatcher.event(
            ReRankStartEvent(query=query_bundle, nodes=nodes, top_n=FEWER, model_name="overlap")
        )
        found = super()._postprocess_nodes(nodes, query_bundle)[:FEWER]
        dispatcher.event(ReRankEndEvent(nodes=found))
        return found


class WordEmbedding(BaseEmbedding):
    """Counts words in the dimensions of their hashes."""

    def _get_text_embedding(self, text: str) -> list[float]:
        found = [0.0] * DIMENSION
        for word in words(text):
            found[zlib.crc32(word.encode()) % DIMENSION] += 1.0
        return found

    def _get_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)


class Scripted(CustomLLM):
    """Says what it was told to say."""

    says: str = UNKNOWN

    @property
    def metadata(self) -> LLMMetadata:
        return LLMMetadata(model_name="scripted", context_window=100_000)

    def complete(self, prompt: str, formatted: bool = False, **_: Any) -> CompletionResponse:
        return CompletionResponse(text=self.says)

    def stream_complete(self, prompt: str, formatted: bool = False, **_: Any) -> Any:
        raise NotImplementedError


Log = dict[str, Any]
Ask = Callable[[int, str], Log]


def log(question: str, contexts: Sequence[tuple[str, str, float | None]], said: str) -> Log:
    found = [{"id": id_, "text": text, "score": score} for id_, text, score in contexts]
    return {"question": question, "contexts": found, "answer": said}


def engine_asks(engine: RetrieverQueryEngine, llm: Scripted) -> Ask:
    def ask(number: int, question: str) -> Log:
        llm.says = answer(number) or UNKNOWN
        found = engine.query(question)
        nodes = [(one.node.node_id, one.text, one.score) for one in found.source_nodes]
        return log(question, nodes, str(found))

    return ask


def llamaindex_reranked() -> Ask:
    llm = Scripted()
    engine = RetrieverQueryEngine(
        BM25Nodes(),
        response_synthesizer=get_response_synthesizer(llm=llm),
        node_postprocessors=[OverlapRerank()],
    )
    return engine_asks(engine, llm)


def llamaindex_vectors() -> Ask:
    """Half passages without ids of ours: another chunking."""
    llm = Scripted()
    nodes: list[TextNode] = []
    for one in PASSAGES:
        sentences = re.split(r"(?<=[.!?]) ", one["text"])
        half = (len(sentences) + 1) // 2
        nodes += [
            TextNode(text=" ".join(part), metadata={"title": one["title"]})
            for part in (sentences[:half], sentences[half:])
            if part
        ]
    index = VectorStoreIndex(nodes, embed_model=WordEmbedding())
    engine = RetrieverQueryEngine(
        index.as_retriever(similarity_top_k=KEPT),
        response_synthesizer=get_response_synthesizer(llm=llm),
        node_postprocessors=[ReportingRerank()],
    )
    return engine_asks(engine, llm)


class BM25Documents(LangChainRetriever):
    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun
    ) -> list[Document]:
        return [
            Document(page_content=one["text"], metadata={"id": one["id"], "score": score})
            for one, score in search(query, SEARCHED)
        ]


PROMPT = ChatPromptTemplate.from_template("Answer from the context.\n{context}\n\n{question}")


def langchain_simple() -> Ask:
    retriever = BM25Documents()

    def ask(number: int, question: str) -> Log:
        llm = GenericFakeChatModel(messages=iter([AIMessage(answer(number) or UNKNOWN)]))
        found: list[Document] = []

        def context(asked: str) -> dict[str, str]:
            found.extend(retriever.invoke(asked))
            return {"context": "\n".join(one.page_content for one in found), "question": asked}

        chain = RunnableLambda(context) | PROMPT | llm
        said = chain.invoke(question)
        contexts = [(d.metadata["id"], d.page_content, d.metadata["score"]) for d in found]
        return log(question, contexts, str(said.content))

    return ask


def langchain_agent() -> Ask:
    """Searches, has the model ask a second question, searches again; reads five passages."""
    retriever = BM25Documents()

    def ask(number: int, question: str) -> Log:
        follow_up = f"Who is {QUESTIONS[number]['gold'][-1].partition('-')[2].replace('-', ' ')}?"
        says = iter([AIMessage(follow_up), AIMessage(answer(number) or UNKNOWN)])
        llm, read = GenericFakeChatModel(messages=says), list[Document]()

        def agent(asked: str) -> str:
            first = retriever.invoke(asked)[:3]
            message = llm.invoke(f"What else has to be known?\n{first[0].page_content}\n{asked}")
            second = retriever.invoke(str(message.content))[:2]
            read.extend((*first, *second))
            context = "\n".join(one.page_content for one in read)
            told = llm.invoke(PROMPT.format(context=context, question=asked))
            return str(told.content)

        said = RunnableLambda(agent, name="two-step agent").invoke(question)
        unique = {one.metadata["id"]: one for one in read}.values()
        contexts = [(d.metadata["id"], d.page_content, d.metadata["score"]) for d in unique]
        return log(question, contexts, said)

    return ask


def with_hex_ids(request: dict[str, Any]) -> dict[str, Any]:
    """OTLP's JSON writes ids in hex, and protobuf's JSON in base 64."""
    for resource in request["resourceSpans"]:
        for scope in resource["scopeSpans"]:
            for span in scope["spans"]:
                for name in ("traceId", "spanId", "parentSpanId"):
                    if name in span:
                        span[name] = b64decode(span[name]).hex()
    return request


def write(path: Path, lines: Sequence[Any]) -> None:
    text = "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines)
    path.write_bytes(gzip.compress(text.encode(), mtime=0))


PIPELINES = {
    "llamaindex": (llamaindex_reranked, LlamaIndexInstrumentor, len(QUESTIONS)),
    "llamaindex-vectors": (llamaindex_vectors, LlamaIndexInstrumentor, 6),
    "langchain": (langchain_simple, LangChainInstrumentor, len(QUESTIONS)),
    "langchain-agent": (langchain_agent, LangChainInstrumentor, 6),
}


def main() -> None:
    for name, (make, instrumentor, questions) in PIPELINES.items():
        ask = make()
        kept = InMemorySpanExporter()
        provider = TracerProvider(resource=Resource({"service.name": name}))
        provider.add_span_processor(SimpleSpanProcessor(kept))
        instrumented = instrumentor()
        instrumented.instrument(tracer_provider=provider)
        asked = list(enumerate(one["question"] for one in QUESTIONS[:questions]))
        logs = [ask(number, question) for number, question in asked]
        instrumented.uninstrument()
        spans = kept.get_finished_spans()
        batches = [spans[at : at + 50] for at in range(0, len(spans), 50)]
        requests = [with_hex_ids(MessageToDict(encode_spans(some))) for some in batches]
        write(HERE / f"{name}.spans.jsonl.gz", requests)
        write(HERE / f"{name}.log.jsonl.gz", logs)


if __name__ == "__main__":
    main()
