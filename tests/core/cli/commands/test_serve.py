import pytest

from core import settings
from core.cli.commands import serve
from tests.core.cli.calling import Cli


def test_app_starts_streamlit(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[list[str]] = []
    monkeypatch.setattr(serve.os, "execv", lambda _, command: started.append(command))
    assert cli("app", "--port", 8600).exit_code == 0
    (command,) = started
    assert command[1:4] == ["-m", "streamlit", "run"]
    assert command[4:] == [str(settings.APP / "app.py"), "--server.port=8600"]
