"""Commands and jobs that are stopped while a model is asked, in real processes."""

import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import PIPE

import pytest

from core.jobs import Job, state
from core.jobs.worker import CANCEL
from core.models.kept.replies import Replies
from tests.core.five import QUESTION
from tests.llm.replies import choose, questions
from tests.llm.server import Answer, ChatServer, Request

ROOT = Path(__file__).parents[3]
AT_MOST = 8.0  # seconds from the signal to the end; 2 where nothing else runs, and a call takes 60
RUN = """
import sys
from pathlib import Path
import core.models.embedder
from tests.core.fakes import WordEmbedder

core.models.embedder.load_embedder = lambda name: WordEmbedder()
if sys.argv[1] == "job":
    from core.jobs.__main__ import leave, main
    leave(main(Path(sys.argv[2])))
from core.__main__ import main
main()
"""


def stuck(request: Request) -> Answer:
    """The first two calls come, all others take a minute."""
    reply = questions(request) if "title" in request.data else choose(request)
    return Answer(reply.text, delay=0 if request.number < 2 else 60)


@pytest.fixture
def server() -> Iterator[ChatServer]:
    with ChatServer(stuck) as running:
        yield running


@contextmanager
def running(python: str, server: ChatServer, *words: object) -> Iterator["subprocess.Popen[str]"]:
    """A process that has calls under way which take a minute."""
    environment = {**os.environ, "HOPRAG_LLM": "scripted", "HOPRAG_LLM_URL": server.url}
    command = [python, "-W", "ignore", "-c", RUN, *map(str, words)]
    process = subprocess.Popen(
        command, cwd=ROOT, env=environment, stdin=PIPE, stdout=PIPE, stderr=PIPE, text=True
    )
    with process:
        try:
            yield process
        finally:
            process.kill()


def wait_until_stuck(server: ChatServer, process: "subprocess.Popen[str]") -> None:
    patience = time.monotonic() + 60
    while len(server.requests) < 3:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < patience
        time.sleep(0.01)
    time.sleep(0.3)  # what has come is kept


def stopped(process: "subprocess.Popen[str]") -> tuple[int, str]:
    """Its code and what it said on standard error, if it ends in time."""
    began = time.monotonic()
    process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=30)[1]
    assert time.monotonic() - began < AT_MOST
    return process.returncode, said


def test_a_build_stops_at_once_and_keeps_what_came(
    warm_python: str, server: ChatServer, files: Path, tmp_path: Path
) -> None:
    index = tmp_path / "index"
    with running(
        warm_python, server, "build", files, "--index", index, "--maker", "model"
    ) as process:
        wait_until_stuck(server, process)
        code, said = stopped(process)
    assert code == 130
    assert "Stopped." in said.splitlines()[-1]
    assert "kept" in said.splitlines()[-1]
    assert "Traceback" not in said
    assert Replies(index).spent().calls == 2


def test_a_question_stops_at_once_and_keeps_what_came(
    warm_python: str, server: ChatServer, built: Path
) -> None:
    words = ("ask", QUESTION.text, "--index", built, "--retriever", "hoprag-llm")
    with running(warm_python, server, *words) as process:
        wait_until_stuck(server, process)
        code, said = stopped(process)
    assert code == 130
    assert said.splitlines()[-1].startswith("Stopped. The model's replies are cached")
    assert "Traceback" not in said
    assert Replies(built).spent().calls == 2


def test_an_evaluation_stops_at_once(
    warm_python: str, server: ChatServer, built: Path, tmp_path: Path
) -> None:
    asked = tmp_path / "questions.jsonl"
    asked.write_text(json.dumps({"question": QUESTION.text, "answer": "Port Selby"}))
    words = ("evaluate", asked, "--index", built, "--retrievers", "bm25,hoprag-llm")
    with running(warm_python, server, *words) as process:
        wait_until_stuck(server, process)
        code, said = stopped(process)
    assert code == 130
    assert said.splitlines()[-1].startswith("Stopped.")
    assert "Traceback" not in said


@pytest.mark.parametrize("way", ["signal", "file"])
def test_a_job_is_cancelled_at_once(
    warm_python: str, server: ChatServer, files: Path, tmp_path: Path, way: str
) -> None:
    index = tmp_path / "index"
    with running(warm_python, server, "job", index) as process:
        assert process.stdin is not None
        process.stdin.write(json.dumps(Job("build", index, (files,), maker="scripted").to_dict()))
        process.stdin.close()
        process.stdin = None
        wait_until_stuck(server, process)
        began = time.monotonic()
        if way == "signal":
            process.send_signal(signal.SIGTERM)
        else:
            (index / CANCEL).touch()
        assert process.wait(30) == 0
        assert time.monotonic() - began < AT_MOST
    now = state(index)
    assert now is not None
    assert not now.running
    assert Replies(index).spent().calls == 2
