from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from core import sample
from core.corpus.readers import read_files


def test_the_files_are_read_as_documents_and_questions() -> None:
    corpus = read_files([sample.CORPUS, sample.QUESTIONS])
    assert not corpus.rejected
    assert not corpus.duplicates
    ids = {document.id for document in corpus.documents}
    assert all(set(query.gold) <= ids for query in corpus.queries)


def test_suggested_questions_are_questions_of_the_sample() -> None:
    asked = {query.text for query in read_files([sample.QUESTIONS]).queries}
    assert sample.suggested()
    assert set(sample.suggested()) <= asked


def test_an_index_is_current_when_no_file_is_newer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("CORPUS", "QUESTIONS"):
        path = tmp_path / name
        path.touch()
        monkeypatch.setattr(sample, name, path)
    hour = timedelta(hours=1)
    assert sample.is_current(datetime.now(UTC) + hour)
    assert not sample.is_current(datetime.now(UTC) - hour)
    assert not sample.is_current(None)


def test_the_job_names_both_files(tmp_path: Path) -> None:
    job = sample.build_job(tmp_path, "some-model")
    assert (job.kind, job.index, job.embedder) == ("build", tmp_path / "sample", "some-model")
    assert job.files == (sample.CORPUS, sample.QUESTIONS)
