"""Terms of the application, each defined once, for hover texts, legends and the list on Methods."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Term:
    """A term and what it means.

    Parameters
    ----------
    name : as it is written within a sentence.
    meaning : one or two sentences.
    symbol : in the HopRAG paper (arXiv 2502.12442), if it has one.
    """

    name: str
    meaning: str
    symbol: str = ""

    @property
    def told(self) -> str:
        """The meaning, followed by the symbol.

        >>> Term("Helpfulness", "A score.", "H").told
        'A score. Symbol in the HopRAG paper: H.'
        """
        symbol = f" Symbol in the HopRAG paper: {self.symbol}." if self.symbol else ""
        return f"{self.meaning}{symbol}"


GLOSSARY: Mapping[str, Term] = {
    "query": Term("query", "The question that you ask a retriever.", "q"),
    "passage": Term(
        "passage",
        "A piece of a document: the unit of retrieval, and a node of the graph.",
        "v",
    ),
    "pseudo_query": Term(
        "pseudo-query",
        "A question generated for a passage: an in-question if the passage answers it, an "
        "out-question if the passage raises it.",
    ),
    "edge": Term(
        "edge",
        "A link from a passage that raises a question to a passage that answers it: an "
        "out-question of the first matches an in-question of the second.",
        "e",
    ),
    "backwards": Term(
        "walked backwards",
        "Followed from the passage that answers an edge's question to the passage that raises it. "
        "The score of such an edge is reduced.",
    ),
    "out_degree": Term("out-degree", "Number of edges that leave a passage."),
    "orphan": Term("orphan", "A passage without edges, which a walk cannot reach or leave."),
    "hub": Term(
        "hub", "A name or passage with so many connections that it links almost everything."
    ),
    "embedder": Term(
        "embedder",
        ("The model that turns texts into vectors, placing similar texts close together."),
    ),
    "retrieval_time": Term(
        "retrieval time",
        "Time from the query to its ranking, without embedding the query and without the warm-up "
        "that loads tables and models before the first query.",
    ),
    "retriever": Term("retriever", "A method that ranks passages for a query."),
    "reranker": Term(
        "reranker",
        (
            "A retriever that reorders the results of another retriever by "
            "comparing them more closely with the query."
        ),
    ),
    "top_k": Term("top k", "The number of passages that a retriever returns.", "top_k"),
    "seed": Term("seed", "A passage at which a walk starts."),
    "hop": Term(
        "hop",
        "A step from one passage to the next along an edge. In each round of hops, the "
        "walk examines the edges of every passage in the queue. A round can end without "
        "reaching a new passage.",
        "n_hop",
    ),
    "queue": Term(
        "queue", "Passages that a walk has reached and whose edges it examines next.", "C_queue"
    ),
    "visits": Term(
        "visit count", "How often a walk has reached a passage. Also called visit counter.", "C(v)"
    ),
    "similarity": Term(
        "similarity",
        "Mean of keyword overlap (Jaccard index) and cosine of the embeddings.",
        "SIM",
    ),
    "importance": Term("importance", "A passage's share of all visits of the walk.", "IMP"),
    "helpfulness": Term(
        "Helpfulness",
        "The score that ranks the passages of a walk: the mean of similarity and importance. "
        "HopRAG (coverage) adds the two instead.",
        "H",
    ),
    "candidate": Term("candidate", "A passage that the walk may go to next."),
    "not_followed": Term(
        "not followed", ("A candidate that the walk rejected in favour of others.")
    ),
    "queued": Term("in the queue", "A passage whose edges the walk examines next."),
    "current": Term("current", "The passage whose edges are examined in this step."),
    "visited": Term("visited", "A passage that the walk has reached."),
    "retrieved": Term("retrieved", "A passage in the final top k."),
    "cut_off": Term("cut off", "A passage ranked below the top k."),
    "missed": Term("missed", "A passage that contains evidence but is not in the result."),
    "cut_off_line": Term(
        "cut-off", "The lowest score that would be in the top k if the retrieval ended now."
    ),
    "unjudged": Term(
        "not asked", ("A step at which a model would decide, but no model was called.")
    ),
    "evidence": Term("evidence", "A text that a question needs: a sentence, a fact or a span."),
    "gold": Term("gold", "Evidence that the query needs, or a passage that contains it."),
    "evidence_recall": Term(
        "evidence recall", "Share of a question's gold that is in the top k.", "R@k"
    ),
    "all_evidence": Term(
        "all-evidence", "Share of questions with all of their gold retrieved.", "all@k"
    ),
    "stage": Term(
        "stage of loss",
        "The step at which gold was lost: not in the index, out of reach, never a candidate, not "
        "followed, or below the top k.",
    ),
    "fix": Term("fix", "The smallest change to a setting or an edge that retrieves missed gold."),
    "run": Term("run", "A question set evaluated with one or more retrievers, and its results."),
    "baseline": Term("baseline", "The retriever that all others are compared with."),
    "slice": Term("slice", "The questions with the same value of a field, such as type or source."),
    "label": Term("label", "A reviewer's name for a kind of error."),
    "budget": Term(
        "budget",
        (
            "The most that a job may spend on a language model. When it runs out, "
            "finished work is kept."
        ),
    ),
}
