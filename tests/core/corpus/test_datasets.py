"""Each published format in its official shape, made small."""

import json
from io import BytesIO
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.corpus import Corpus, read_files
from tests.core.corpus.files import lines, read, zipped

ROME = ["Rome", ["Rome is the capital of Italy.", " It lies on the Tiber."]]
TIBER = ["Tiber", ["The Tiber is a river.", " It is long."]]
PARIS = ["Paris", ["Paris is in France."]]


def hotpot(id: str, context: list[Any], gold: list[str], **more: Any) -> dict[str, Any]:
    return {
        "_id": id,
        "question": f"Question {id}?",
        "answer": "Tiber",
        "type": "bridge",
        "level": "easy",
        "supporting_facts": [[title, number] for title in gold for number in (0, 1)],
        "context": context,
        **more,
    }


def gold_titles(corpus: Corpus, number: int = 0) -> list[str]:
    titles = {made.id: made.title for made in corpus.documents}
    return [titles[reference] for reference in corpus.queries[number].gold]


def test_hotpotqa_gives_each_paragraph_once_and_questions_with_gold(tmp_path: Path) -> None:
    rows = [
        hotpot("a", [ROME, PARIS], ["Rome"]),
        hotpot("b", [TIBER, ROME], ["Rome", "Tiber"]),
    ]
    corpus = read(tmp_path, {"dev.json": json.dumps(rows)})
    assert [made.title for made in corpus.documents] == ["Rome", "Paris", "Tiber"]
    assert corpus.documents[0].text == "Rome is the capital of Italy. It lies on the Tiber."
    assert [gold_titles(corpus, number) for number in (0, 1)] == [["Rome"], ["Rome", "Tiber"]]
    query = corpus.queries[1]
    assert (query.id, query.text, query.answers) == ("b", "Question b?", ("Tiber",))
    assert (query.type, query.dataset, query.origin) == ("bridge", "hotpotqa", "dev.json")
    assert (corpus.files[0].format, corpus.files[0].documents) == ("HotpotQA", 3)
    assert not corpus.duplicates
    assert not corpus.notes


def test_two_paragraphs_of_one_title_are_two_documents(tmp_path: Path) -> None:
    other = ["Rome", ["Rome is a 2005 series."]]
    rows = [hotpot("a", [ROME], ["Rome"]), hotpot("b", [other], ["Rome"])]
    corpus = read(tmp_path, {"dev.json": json.dumps(rows)})
    assert [made.title for made in corpus.documents] == ["Rome", "Rome"]
    assert [query.gold for query in corpus.queries] == [(made.id,) for made in corpus.documents]


def test_gold_that_only_another_questions_context_holds_is_found_there(tmp_path: Path) -> None:
    rows = [hotpot("a", [ROME], ["Rome", "Tiber"]), hotpot("b", [TIBER], ["Tiber"])]
    corpus = read(tmp_path, {"dev.json": json.dumps(rows)})
    assert gold_titles(corpus) == ["Rome", "Tiber"]


def test_two_wiki_is_told_by_its_evidences_and_its_sentences_are_spaced(tmp_path: Path) -> None:
    paragraph = ["Ann", ["Ann( born 1950) is a queen.", "She rules."]]
    row = hotpot("a", [paragraph], ["Ann"], evidences=[["Ann", "is", "queen"]], type="inference")
    corpus = read(tmp_path, {"dev.json": json.dumps([row])})
    assert corpus.documents[0].text == "Ann( born 1950) is a queen. She rules."
    assert (corpus.queries[0].dataset, corpus.queries[0].type) == ("2wiki", "inference")
    assert corpus.files[0].format == "2WikiMultiHopQA"


def test_hotpotqa_as_parquet_has_its_lists_as_columns(tmp_path: Path) -> None:
    row = hotpot("a", [], [])
    row["context"] = {"title": ["Rome", "Paris"], "sentences": [ROME[1], PARIS[1]]}
    row["supporting_facts"] = {"title": ["Rome", "Rome"], "sent_id": [0, 1]}
    buffer = BytesIO()
    pq.write_table(pa.Table.from_pylist([row]), buffer)
    corpus = read(tmp_path, {"dev.parquet": buffer.getvalue()})
    assert corpus.files[0].format == "HotpotQA"
    assert gold_titles(corpus) == ["Rome"]


def musique(id: str, **more: Any) -> dict[str, Any]:
    return {
        "id": id,
        "question": "Where is the river?",
        "answer": "Rome",
        "answer_aliases": ["Roma", "Rome"],
        "answerable": True,
        "paragraphs": [
            {"idx": 0, "title": "Rome", "paragraph_text": "A city.", "is_supporting": True},
            {"idx": 1, "title": "Rome", "paragraph_text": "A series.", "is_supporting": False},
        ],
        **more,
    }


def test_musique_names_its_gold_by_paragraph(tmp_path: Path) -> None:
    corpus = read(tmp_path, {"dev.jsonl": lines(musique("3hop1__5_6_7"))})
    (query,) = corpus.queries
    assert query.gold == (corpus.documents[0].id,)
    assert corpus.documents[0].text == "A city."
    assert (query.type, query.dataset, query.answers) == ("3hop1", "musique", ("Rome", "Roma"))
    assert corpus.files[0].format == "MuSiQue"


def test_an_unanswerable_twin_adds_neither_gold_nor_answers(tmp_path: Path) -> None:
    corpus = read(tmp_path, {"dev.jsonl": lines(musique("2hop__1_2", answerable=False))})
    assert corpus.queries[0].gold == corpus.queries[0].answers == ()


ARTICLE = {
    "title": "A trial begins",
    "author": "Ann",
    "source": "The Paper",
    "published_at": "2023-09-28",
    "category": "technology",
    "url": "https://example.org/trial",
    "body": "It began today.\n\nIt goes on.",
}
ASKED = {
    "query": "Which trial begins?",
    "answer": "The first",
    "question_type": "inference_query",
    "evidence_list": [{"title": "A trial begins", "url": ARTICLE["url"], "fact": "It began."}],
}


def test_multihop_rag_questions_find_their_articles(tmp_path: Path) -> None:
    files = {"questions.json": json.dumps([ASKED]), "articles.json": json.dumps([ARTICLE])}
    corpus = read(tmp_path, files)
    (article,), (query,) = corpus.documents, corpus.queries
    assert query.gold == (article.id,)
    assert (query.type, query.dataset) == ("inference", "multihop-rag")
    assert article.text == ARTICLE["body"]
    assert article.metadata == {
        "author": "Ann",
        "source": "The Paper",
        "date": "2023-09-28",
        "category": "technology",
        "url": ARTICLE["url"],
    }
    assert [file.format for file in corpus.files] == [
        "MultiHop-RAG questions",
        "MultiHop-RAG articles",
    ]


@pytest.mark.parametrize("key", ["url", "title"])
def test_multihop_rag_questions_find_articles_of_other_formats(tmp_path: Path, key: str) -> None:
    row = {"id": "own", "title": "Another title", "text": "It began.", key: ARTICLE[key]}
    corpus = read(tmp_path, {"q.json": json.dumps([ASKED]), "c.jsonl": lines(row)})
    assert corpus.queries[0].gold == ("own",)


def test_gold_without_its_article_is_kept_and_said(tmp_path: Path) -> None:
    other = ARTICLE | {"url": "https://example.org/other", "title": "Other"}
    files = {"questions.json": json.dumps([ASKED]), "articles.json": json.dumps([other])}
    corpus = read(tmp_path, files)
    assert len(corpus.queries[0].gold) == 1
    assert "Gold of 1 question refers to documents" in corpus.notes[0]


def test_questions_alone_have_the_ids_that_an_index_made_before_has(tmp_path: Path) -> None:
    articles = read(tmp_path, {"articles.json": json.dumps([ARTICLE])})
    questions = read(tmp_path, {"questions.json": json.dumps([ASKED])})
    assert questions.queries[0].gold == (articles.documents[0].id,)
    assert not questions.notes


BEIR = {
    "corpus.jsonl": lines(
        {"_id": "d1", "title": "Rome", "text": "A city.", "metadata": {"lang": "en", "x": [1]}},
        {"_id": "d2", "title": "", "text": "A river."},
    ),
    "queries.jsonl": lines({"_id": "q1", "text": "Which city?"}, {"_id": "q2", "text": "Why?"}),
    "qrels/test.tsv": "query-id\tcorpus-id\tscore\nq1\td1\t1\nq1\td2\t0\n",
}


@pytest.mark.parametrize("way", ["uploads", "zip", "folder"])
def test_beir_is_one_data_set_however_it_comes(tmp_path: Path, way: str) -> None:
    if way == "uploads":
        corpus = read(tmp_path, BEIR)
    elif way == "zip":
        corpus = read(
            tmp_path, {"set.zip": zipped({f"set/{name}": text for name, text in BEIR.items()})}
        )
    else:
        read(tmp_path / "set", BEIR)
        corpus = read_files([tmp_path / "set"])
    assert [made.id for made in corpus.documents] == ["d1", "d2"]
    assert corpus.documents[0].metadata == {"lang": "en"}
    assert [(query.id, query.gold) for query in corpus.queries] == [("q1", ("d1",)), ("q2", ())]
    assert sorted(file.format for file in corpus.files) == [
        "BEIR corpus",
        "BEIR qrels",
        "BEIR queries",
    ]


def test_qrels_of_questions_that_are_nowhere_are_said(tmp_path: Path) -> None:
    corpus = read(tmp_path, {name: BEIR[name] for name in ("corpus.jsonl", "qrels/test.tsv")})
    assert corpus.notes == ("1 question has judgements but no text; add the file with the queries",)


def test_hipporag_corpora_have_titles_and_texts(tmp_path: Path) -> None:
    files = {
        "a.json": json.dumps([{"title": "Rome", "text": "A city.", "idx": 0}]),
        "b.json": json.dumps({"Tiber": ["A river.", "It flows."]}),
        "c.json": json.dumps(
            {
                "docs": [
                    {
                        "title": "Po",
                        "text": "Long.",
                        "passage": "Po\nLong.",
                        "extracted_triples": [],
                    }
                ]
            }
        ),
    }
    corpus = read(tmp_path, files)
    assert [(made.title, made.text) for made in corpus.documents] == [
        ("Rome", "A city."),
        ("Tiber", "A river. It flows."),
        ("Po", "Long."),
    ]
    assert corpus.documents[2].metadata == {}
    assert [file.format for file in corpus.files][::2] == ["HippoRAG corpus", "HippoRAG extraction"]


@pytest.mark.parametrize(
    "row",
    [
        hotpot("a", [["Rome"]], []),
        hotpot("a", [["Rome", [1]]], []),
        musique("2hop__1", paragraphs=[{"title": "Rome"}]),
        ASKED | {"evidence_list": [5]},
        ARTICLE | {"body": 7},
        {"_id": "d1", "title": "Rome", "text": ["a"]},
        {"query-id": "q", "corpus-id": "d", "score": "high"},
        {"query-id": "q", "corpus-id": "d", "score": "nan"},
        {"query-id": "q", "corpus-id": "d", "score": "inf"},
    ],
)
def test_a_record_that_breaks_its_format_is_named(tmp_path: Path, row: dict[str, Any]) -> None:
    corpus = read(tmp_path, {"bad.jsonl": lines(row), "good.txt": "Good."})
    (rejected,) = corpus.rejected
    assert "record 1 is not in that format" in rejected.reason
    assert len(corpus.documents) == 1


def test_entities_in_titles_are_characters_and_gold_still_matches(tmp_path: Path) -> None:
    band = ["Simon &amp; Garfunkel", ["Simon &amp; Garfunkel sang at AT&T &copy."]]
    rows = [hotpot("a", [band, PARIS], ["Simon &amp; Garfunkel"]), hotpot("b", [PARIS], [band[0]])]
    corpus = read(tmp_path, {"hotpot.json": json.dumps(rows)})
    made = corpus.documents[0]
    assert made.title == "Simon & Garfunkel"
    assert made.text == "Simon & Garfunkel sang at AT&T &copy."
    assert [query.gold for query in corpus.queries] == [(made.id,), (made.id,)]
    corpus = read(
        tmp_path / "two",
        {
            "corpus.jsonl": lines({"id": 1, "title": "R&amp;B &#8211; music", "text": "Loud."}),
            "asked.jsonl": lines({"question": "Which?", "gold": ["R&amp;B &#8211; music"]}),
        },
    )
    assert corpus.documents[0].title == "R&B – music"
    assert corpus.queries[0].gold == ("1",)
