from pathlib import Path

from core import sample
from core.corpus.files import read_files


def test_the_files_are_read_as_documents_and_questions() -> None:
    corpus = read_files([sample.CORPUS, sample.QUESTIONS])
    assert not corpus.rejected
    assert not corpus.duplicates
    ids = {document.id for document in corpus.documents}
    assert [set(query.gold) - ids for query in corpus.queries if set(query.gold) - ids] == [
        {"letters-osgood-petrie-1971"}
    ]


def test_suggested_questions_are_questions_of_the_sample() -> None:
    asked = {query.text for query in read_files([sample.QUESTIONS]).queries}
    assert sample.suggested()
    assert set(sample.suggested()) <= asked


def test_the_job_names_both_files(tmp_path: Path) -> None:
    job = sample.build_job(tmp_path, "some-model")
    assert (job.kind, job.index, job.embedder) == ("build", tmp_path / "sample", "some-model")
    assert job.files == (sample.CORPUS, sample.QUESTIONS)
