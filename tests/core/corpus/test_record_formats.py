"""Files of other tools and data sets, each in its own shape, made small."""

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.corpus import Corpus
from core.corpus.faq_documents import with_faqs
from core.corpus.files import read_files
from core.corpus.gold.linking import Linker
from core.corpus.ids.document_ids import Identities
from core.corpus.types import Brought
from core.text.clean import one_line
from core.types import Document
from tests.core.corpus.files import lines, read

MILL = "Orrin Mill was built by Ada Finch in 1790."
FERRY = "The ferry Gale was rebuilt by the Tern yard."
YARD = "The Tern yard was founded by Iris Holm."


def one(folder: Path, name: str, content: object) -> Corpus:
    text = content if isinstance(content, str) else json.dumps(content)
    return read(folder, {name: text})


def documents(corpus: Corpus) -> list[tuple[str, str, str]]:
    assert not corpus.rejected
    return [(made.id, made.title, made.text) for made in corpus.documents]


SQUAD_QUESTIONS = [
    {
        "id": "s1",
        "question": "Who built Orrin Mill?",
        "answers": [{"text": "Ada Finch", "answer_start": 24}],
        "is_impossible": False,
    },
    {
        "id": "s2",
        "question": "Who burned Orrin Mill?",
        "answers": [],
        "plausible_answers": [{"text": "Ada Finch", "answer_start": 24}],
        "is_impossible": True,
    },
]
SQUAD = {
    "version": "v2.0",
    "data": [
        {"title": "Orrin_Mill", "paragraphs": [{"context": MILL, "qas": SQUAD_QUESTIONS}]},
        {"title": "Gale", "paragraphs": [{"context": FERRY, "qas": []}]},
    ],
}


def test_squad_gives_paragraphs_and_questions_with_spans(tmp_path: Path) -> None:
    corpus = one(tmp_path, "dev.json", SQUAD)
    assert [made.title for made in corpus.documents] == ["Orrin Mill", "Gale"]
    answered, impossible = corpus.queries
    assert (answered.id, answered.answers) == ("s1", ("Ada Finch",))
    assert answered.gold == (corpus.documents[0].id,)
    assert answered.details == {"spans": ("24 Ada Finch",)}
    assert (impossible.gold, impossible.answers) == ((), ())
    assert impossible.details["answerable"] == ("no",)
    assert impossible.details["plausible_answers"] == ("Ada Finch",)


def test_squad_by_row_has_a_paragraph_once(tmp_path: Path) -> None:
    row = {"title": "Orrin_Mill", "context": MILL, "question": "Who built it?"}
    found = {"text": ["Ada Finch"], "answer_start": [24]}
    none: dict[str, list[str]] = {"text": [], "answer_start": []}
    rows = [row | {"id": "a", "answers": found}, row | {"id": "b", "answers": none}]
    corpus = one(tmp_path, "train.jsonl", lines(*rows))
    (made,) = corpus.documents
    assert [query.gold for query in corpus.queries] == [(made.id,), ()]
    assert not corpus.duplicates


def test_langchain_documents_are_called_by_their_source(tmp_path: Path) -> None:
    metadata = {"source": "minutes/march.txt", "page": 2, "tags": ["a"]}
    rows = [
        {"id": None, "page_content": FERRY, "metadata": metadata, "type": "Document"},
        {"id": "own", "page_content": YARD, "metadata": {"title": "Yards"}},
        {"lc": 1, "id": ["langchain", "Document"], "kwargs": {"page_content": MILL}},
    ]
    corpus = one(tmp_path, "docs.json", rows)
    assert documents(corpus)[:2] == [
        ("minutes/march.txt:2", "march.txt", FERRY),
        ("own", "Yards", YARD),
    ]
    assert corpus.documents[0].metadata == {"source": "minutes/march.txt", "page": 2}
    assert corpus.documents[2].text == MILL
    assert corpus.notes == (
        "docs.json: in 1 of 3 records 'tags' was left out, because metadata cannot contain "
        "lists or objects",
    )


@pytest.mark.parametrize("as_text", [False, True])
def test_a_llamaindex_docstore_gives_its_nodes(tmp_path: Path, as_text: bool) -> None:
    node = {"id_": "a1", "metadata": {"file_name": "yards.pdf", "page_label": "3"}, "text": YARD}
    other = {"text_resource": {"text": FERRY}, "metadata": {}}
    nodes = {"a1": node, "a2": other}
    data = {
        name: {"__data__": json.dumps(each) if as_text else each, "__type__": "1"}
        for name, each in nodes.items()
    }
    corpus = one(tmp_path, "docstore.json", {"docstore/data": data, "docstore/metadata": {}})
    assert documents(corpus) == [("a1", "yards.pdf", YARD), ("a2", "", FERRY)]
    assert corpus.documents[0].metadata["page_label"] == "3"


def test_records_under_their_ids_keep_them(tmp_path: Path) -> None:
    store = {
        "chunk-01": {"tokens": 8, "content": MILL, "full_doc_id": "doc-1"},
        "chunk-02": {"tokens": 9, "content": FERRY, "full_doc_id": "doc-1"},
    }
    corpus = one(tmp_path, "kv_store_text_chunks.json", store)
    assert documents(corpus) == [("chunk-01", "", MILL), ("chunk-02", "", FERRY)]
    assert corpus.documents[0].metadata == {"tokens": 8, "full_doc_id": "doc-1"}


def test_an_odd_record_of_a_store_is_counted_and_costs_no_other(tmp_path: Path) -> None:
    store = {"_meta": "v1", "chunk-01": {"tokens": 2}, "chunk-02": {"content": MILL}}
    corpus = one(tmp_path, "store.json", store | {"chunk-03": {"content": FERRY}})
    assert documents(corpus) == [("chunk-02", "", MILL), ("chunk-03", "", FERRY)]
    assert corpus.notes == (
        "store.json: 1 of 3 records left out: no text",
        "store.json: 1 value beside the records left out",
    )


def test_fields_beside_the_list_of_records_are_counted(tmp_path: Path) -> None:
    corpus = one(tmp_path, "c.json", {"docs": [{"text": MILL}], "licence": "none", "made": 1790})
    assert corpus.notes == ("c.json: 2 fields beside the list of records left out",)


def test_pyserini_has_the_title_in_the_first_line(tmp_path: Path) -> None:
    rows = [
        {"id": "7", "contents": f"Gale (ferry)\n{FERRY}"},
        {"id": "8", "contents": f'"Tern yard"\n{YARD}'},
        {"id": "9", "contents": f"{MILL}\n{YARD}"},
        {"id": "10", "contents": MILL},
    ]
    corpus = one(tmp_path, "c.jsonl", lines(*rows))
    assert documents(corpus) == [
        ("7", "Gale (ferry)", FERRY),
        ("8", "Tern yard", YARD),
        ("9", "", f"{MILL}\n{YARD}"),
        ("10", "", MILL),
    ]


def test_ms_marco_has_no_header(tmp_path: Path) -> None:
    files = {
        "collection.tsv": f'0\t{FERRY}\n1\t"{YARD}\n2\tIt is called "Tern" now.\n',
        "queries.dev.tsv": "10\twho founded the yard\n",
        "qrels.dev.tsv": "10\t0\t1\t1\n",
    }
    corpus = read(tmp_path, files)
    assert documents(corpus)[:2] == [("0", "", FERRY), ("1", "", f'"{YARD}')]
    assert len(corpus.documents) == 3
    (query,) = corpus.queries
    assert (query.id, query.text, query.gold) == ("10", "who founded the yard", ("1",))
    assert (
        "collection.tsv: the first line is not a header; columns read as id, text" in corpus.notes
    )


def test_a_header_of_unknown_names_is_no_document(tmp_path: Path) -> None:
    (rejected,) = one(tmp_path, "t.tsv", "key\tvalue\na\tb\n").rejected
    assert "found: key, value" in rejected.reason


FRAMES = (
    "\tPrompt\tAnswer\twikipedia_link_1\treasoning_types\twiki_links\n"
    "0\tWho built the mill?\tAda Finch\thttps://en.wikipedia.org/wiki/Orrin_Mill\tMultiple\t"
    "\"['https://en.wikipedia.org/wiki/Orrin_Mill', 'https://en.wikipedia.org/wiki/Gale']\"\n"
)


def test_frames_finds_articles_by_address_and_title(tmp_path: Path) -> None:
    corpus = read(
        tmp_path,
        {
            "test.tsv": FRAMES,
            "c.jsonl": lines(
                {"id": 1, "title": "Orrin Mill", "text": MILL},
                {"id": 2, "url": "https://en.wikipedia.org/wiki/Gale", "text": FERRY},
            ),
        },
    )
    (query,) = corpus.queries
    assert (query.id, query.text, query.answers) == ("0", "Who built the mill?", ("Ada Finch",))
    assert (query.type, query.gold) == ("Multiple", ("1", "2"))


@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_ragas_finds_gold_by_its_text(tmp_path: Path, form: str) -> None:
    row = {"user_input": "Who?", "reference_contexts": [YARD], "reference": "Iris Holm"}
    text = (
        lines(row)
        if form == "jsonl"
        else f"user_input,reference_contexts,reference\nWho?,\"['{YARD}']\",Iris Holm\n"
    )
    documents = lines({"id": 1, "text": MILL}, {"id": 2, "text": f"{FERRY} {YARD}"})
    corpus = read(tmp_path, {f"testset.{form}": text, "c.jsonl": documents})
    (query,) = corpus.queries
    assert (query.text, query.answers, query.gold) == ("Who?", ("Iris Holm",), ("2",))
    assert query.details["reference_contexts"] == (YARD,)


@given(
    st.lists(st.text("ab 水車.", min_size=1, max_size=12), min_size=1, max_size=4),
    st.text("ab 水車.", max_size=6),
)
def test_a_quoted_text_is_found_wherever_it_stands(texts: list[str], part: str) -> None:
    quote = f"{part} a b a b {part}."
    documents = [
        Document(str(n), str(n), f"{text}{quote} End", "f") for n, text in enumerate(texts)
    ]
    documents.append(Document("x", "x", "a b a b", "f"))
    known = Identities(map(Brought, documents))
    holders = [made.id for made in known.documents if one_line(quote) in one_line(made.text)]
    expected = (holders[0],) if len(holders) == 1 else ()
    assert Linker(known).find(quote, "") == expected


def test_quoted_texts_are_looked_up_in_few_documents() -> None:
    texts = [f"Mill number{n} stands by river number{n} and turns." for n in range(300)]
    known = Identities(Brought(Document(str(n), "", each, "f")) for n, each in enumerate(texts))
    linker = Linker(known)
    quote = "by river number7 and turns."
    assert linker.find(quote, "") == ("7",)
    assert list(linker._candidates(quote)) == [7]


def test_a_text_that_two_documents_hold_is_no_reference(tmp_path: Path) -> None:
    row = {"question": "Who?", "gold": [YARD]}
    documents = lines({"id": 1, "text": f"{MILL} {YARD}"}, {"id": 2, "text": f"{FERRY} {YARD}"})
    corpus = read(tmp_path, {"q.jsonl": lines(row), "c.jsonl": documents})
    assert corpus.queries[0].gold == (YARD,)
    assert corpus.notes[0].startswith("Gold of 1 question refers to documents that are not in")


def test_strategyqa_answers_are_words_and_facts_stay(tmp_path: Path) -> None:
    row = {
        "qid": "b1",
        "term": "Tern",
        "question": "Would a tern drown?",
        "answer": False,
        "facts": ["A tern floats."],
    }
    (query,) = one(tmp_path, "dev.json", [row]).queries
    assert (query.id, query.answers) == ("b1", ("no",))
    assert query.details == {"facts": ("A tern floats.",)}
    assert query.fields == {"term": "Tern"}


def test_questions_and_answers_alone_become_documents_of_a_new_index(tmp_path: Path) -> None:
    text = "Question,Answer,Topic\nWho repairs pumps?,Oda Fisk.,tools\nWho is paid?,Nobody.,\n"
    corpus = one(tmp_path, "faq.csv", text)
    assert (corpus.documents, corpus.queries[0].gold) == ((), ())
    assert corpus.notes == (
        "faq.csv: 2 questions with answers but no documents. A new index will contain each as a "
        "document, with the question as title and the answer as text. To add them to an existing "
        "index, name these columns title and text",
    )
    made = with_faqs(corpus)
    assert [(each.title, each.text) for each in made.documents] == [
        ("Who repairs pumps?", "Oda Fisk."),
        ("Who is paid?", "Nobody."),
    ]
    assert made.documents[0].metadata == {"Topic": "tools"}
    assert [query.gold for query in made.queries] == [(each.id,) for each in made.documents]


def test_questions_for_a_measurement_and_those_beside_documents_stay_questions(
    tmp_path: Path,
) -> None:
    measured = one(tmp_path, "q.json", [{"question": "Who?", "answer": "Oda.", "gold": ["1"]}])
    assert with_faqs(measured) == measured
    beside = read(tmp_path / "b", {"faq.csv": "Question,Answer\nWho?,Oda.\n", "a.txt": "A mill."})
    assert with_faqs(beside) == beside


def test_a_supporting_fact_tells_paragraphs_of_one_title_apart(tmp_path: Path) -> None:
    first, second = ["Gale", [FERRY]], ["Gale", ["The Gale is a wind.", " It blows."]]
    row = {"_id": "h", "question": "Who?", "context": [first, second]}
    asked = [
        row | {"supporting_facts": [["Gale", 1]]},
        row | {"_id": "i", "supporting_facts": [["Gale", 0]]},
    ]
    corpus = one(tmp_path, "dev.json", asked)
    ids = [made.id for made in corpus.documents]
    assert [query.gold for query in corpus.queries] == [(ids[1],), tuple(ids)]
    assert corpus.notes == (
        "dev.json: in 1 of 2 records a supporting fact matches several paragraphs with the "
        "same title, so all of them are gold",
    )


def test_both_questions_of_a_musique_pair_stay(tmp_path: Path) -> None:
    row = {"id": "2hop__1_2", "question": "Where?", "answer": "Selby"}
    pair = [
        row
        | {
            "answerable": answerable,
            "paragraphs": [{"title": "T", "paragraph_text": text, "is_supporting": True}],
        }
        for answerable, text in ((True, YARD), (False, FERRY))
    ]
    corpus = one(tmp_path, "full.jsonl", lines(*pair))
    assert [(query.id, len(query.gold), query.answers) for query in corpus.queries] == [
        ("2hop__1_2", 1, ("Selby",)),
        ("2hop__1_2~unanswerable", 0, ()),
    ]
    assert corpus.notes == (
        "1 question shared an id with another and got a new one; '2hop__1_2' "
        "is now '2hop__1_2~unanswerable'",
    )


BEIR = {
    "corpus.jsonl": lines(
        {"_id": "1", "title": "Orrin Mill", "text": ""},
        {"_id": "2", "title": "", "text": MILL},
        {"_id": "3", "title": "Tern", "text": YARD},
    ),
    "queries.jsonl": lines(
        {"_id": "q1", "text": "mill of Orrin"},
        {"_id": "q2", "text": "where does the tern nest"},
        {"_id": "q3", "text": "no judgement here"},
    ),
}


def test_beir_keeps_documents_that_are_titles_and_grades(tmp_path: Path) -> None:
    judged = "query-id\tcorpus-id\tscore\nq1\t1\t2\nq1\t2\t1\nq2\t3\t1\nq2\t99\t1\nq1\t3\t0\n"
    corpus = read(tmp_path, BEIR | {"qrels/test.tsv": judged})
    assert documents(corpus)[0] == ("1", "Orrin Mill", "Orrin Mill")
    assert [query.gold for query in corpus.queries] == [("1", "2"), ("3", "99"), ()]
    assert corpus.queries[0].grades == {"1": 2}
    assert "Gold of 1 question refers" in corpus.notes[1]


@pytest.mark.parametrize("name", ["qrels.txt", "qrels.tsv"])
@pytest.mark.parametrize("separator", [" ", "\t"])
def test_trec_qrels_are_judgements(tmp_path: Path, name: str, separator: str) -> None:
    judged = "q1 0 2 1\r\nq2 0 3 3\r\nq2 0 1 0\r\n".replace(" ", separator)
    corpus = read(tmp_path, BEIR | {name: judged})
    assert len(corpus.documents) == 3
    assert [query.gold for query in corpus.queries] == [("2",), ("3",), ()]
    assert corpus.queries[1].grades == {"3": 3}
    assert {file.name: file.format for file in corpus.files}[name] == "TREC qrels"


@pytest.mark.parametrize("name", ["my.qrels", "my.qrel", "my.trec", "my.qrels.gz"])
def test_trec_qrels_by_their_own_endings(tmp_path: Path, name: str) -> None:
    judged = b"q1 0 2 1\n"
    corpus = read(tmp_path, BEIR | {name: gzip.compress(judged) if "gz" in name else judged})
    assert corpus.queries[0].gold == ("2",)


def test_other_files_of_these_endings_are_refused_by_what_they_are(tmp_path: Path) -> None:
    files = {"my.trec": "q1 Q0 d1 1 9.5 mine\n", "docs.trec": "<DOC>\n<DOCNO> 1 </DOCNO>\n"}
    reasons = [each.reason for each in read(tmp_path, files).rejected]
    assert "a TREC run" in reasons[0]
    assert "not TREC qrels" in reasons[1]


def test_a_run_of_ms_marco_is_no_document(tmp_path: Path) -> None:
    (rejected,) = one(tmp_path, "run.tsv", "300674\t7067032\t1\n300674\t11\t2\n").rejected
    assert "an MS MARCO run" in rejected.reason


def test_one_document_of_ms_marco_without_a_header(tmp_path: Path) -> None:
    corpus = one(tmp_path, "docs.tsv", "D1\thttps://a.example/gale\tName\tBuilt.\n")
    assert documents(corpus) == [("D1", "Name", "Built.")]


def test_a_trec_run_is_no_document(tmp_path: Path) -> None:
    (rejected,) = one(tmp_path, "my.txt", "q1 Q0 d1 1 9.5 mine\nq1 Q0 d2 2 8e-1 mine\n").rejected
    assert "a TREC run" in rejected.reason
    text = "q1 Q0 d1 1 9.5 mine\nThis is a text about runs.\n"
    assert one(tmp_path / "b", "text.txt", text).documents


def test_the_log_of_a_pipeline_is_a_corpus_where_there_is_no_other(tmp_path: Path) -> None:
    """The union of all texts it retrieved; its answers are not the right ones."""
    log = tmp_path / "log.jsonl"
    told = [
        {"question": "Who?", "contexts": [YARD, "The tern nests."], "response": "Noah"},
        {"question": "Where?", "contexts": ["The tern nests."], "reference": "on shingle"},
    ]
    log.write_text("\n".join(map(json.dumps, told)))
    corpus = read_files([log])
    assert [made.text for made in corpus.documents] == [YARD, "The tern nests."]
    assert [asked.answers for asked in corpus.queries] == [(), ("on shingle",)]
    assert "the corpus consists of the 2 distinct texts retrieved in log.jsonl" in " ".join(
        corpus.notes
    )
    docs = tmp_path / "docs.jsonl"
    docs.write_text(json.dumps({"id": "a", "text": "Another text."}))
    assert [made.id for made in read_files([log, docs]).documents] == ["a"]
