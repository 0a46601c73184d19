"""Readers, editors and strangers: what each is shown, and what each may do, whatever is pressed."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core import jobs
from core.errors import HopRagError, InputError, NotAllowed
from core.jobs.journal import last_run
from core.ledger import Ledger
from core.settings import settings
from core.visitors.rules import OPEN
from pages.components.shell import nav, resources
from pages.components.shell.actions import index_actions, permissions
from pages.components.shell.visitors import access, sign_in, visitor
from tests.llm.configured import configured
from tests.llm.replies import choose
from tests.llm.server import ChatServer
from tests.pages.conftest import QUESTION, TINY
from tests.pages.journeys import checked, here, labels, opened, words

ADA, RAE = "ada@example.org", "rae@example.org"
APP = Path(__file__).parents[3] / "app.py"
PAGES = (
    *("start", "corpus", "build", "explore", "trace", "compare", "evaluate", "errors"),
    *("studies", "methods", "settings", "help"),
)
Signs = Callable[[str], None]


@pytest.fixture
def signed_in(tiny_home: Path, monkeypatch: pytest.MonkeyPatch) -> Signs:
    """Sign in as somebody; Ada is an editor, Rae a reader."""
    monkeypatch.setenv("HOPRAG_EDITORS", ADA)
    monkeypatch.setenv("HOPRAG_READERS", "rae@*,*@readers.example, rae@example.org")
    settings.cache_clear()
    monkeypatch.setattr(sign_in, "has_sign_in", lambda: True)
    who = [""]
    monkeypatch.setattr(visitor, "_verified_email", lambda: who[0])

    def sign(name: str) -> None:
        who[0] = name

    return sign


def shown(app: AppTest) -> str:
    """Everything that is sent to the browser."""
    return " ".join(str(element.proto) for element in (*app.main, *app.sidebar))


def test_alone_on_a_machine_nothing_is_asked(tiny_home: Path) -> None:
    app = opened("start")
    assert "Sign out" not in labels(app, "button")
    assert not app.button(key=f"start_delete_{TINY}").disabled
    app.button(key=f"start_delete_{TINY}").click().run()
    app.button(key="start_delete_now").click().run()
    assert not (tiny_home / "indexes" / TINY).exists()
    assert not (tiny_home / "visitors.sqlite").exists()


@pytest.mark.parametrize("page", PAGES)
def test_who_has_not_signed_in_is_shown_the_way_in_and_nothing_else(
    signed_in: Signs, page: str
) -> None:
    for name in ("", "stranger@example.org", "rae@elsewhere.example", "x@ada@example.org"):
        signed_in(name)
        app = opened(page, index=TINY)
        assert labels(app, "button") == ["Sign in" if not name else "Sign out"]
        assert TINY not in shown(app)


@pytest.mark.parametrize("page", PAGES)
def test_a_reader_sees_no_folder_and_no_key(
    signed_in: Signs, tiny_home: Path, monkeypatch: pytest.MonkeyPatch, page: str
) -> None:
    monkeypatch.setenv("HOPRAG_LLM", "scripted")
    monkeypatch.setenv("HOPRAG_LLM_URL", "http://user:word@127.0.0.1:9/v1")
    monkeypatch.setenv("HOPRAG_LLM_KEY", "sk-secret")
    monkeypatch.setenv("HOPRAG_ROOTS", "/srv/texts")
    settings.cache_clear()
    signed_in(RAE)
    app = opened(page, index=TINY, q=QUESTION.text)
    sent = shown(app)
    assert f"{RAE}, reader" in sent
    for secret in (str(tiny_home), "/srv/texts", "sk-secret", "word@", "127.0.0.1:9", ADA):
        assert secret not in sent


@pytest.mark.parametrize("page", ["corpus", "settings"])
def test_a_page_for_editors_is_empty_for_readers(signed_in: Signs, page: str) -> None:
    signed_in(RAE)
    app = opened(page)
    assert "Only for editors" in words(app)
    assert sorted(labels(app, "button")) == ["Go to Start", "Sign out"]
    signed_in(ADA)
    assert "Only for editors" not in words(opened(page))


def test_what_a_reader_presses_all_the_same_does_nothing(
    signed_in: Signs, tiny_home: Path, inline_jobs: list[jobs.Job]
) -> None:
    signed_in(ADA)
    app = opened("start")
    app.button(key=f"start_delete_{TINY}").click().run()
    signed_in(RAE)  # a button that was drawn for somebody else, or that was pressed by hand
    app.button(key="start_delete_now").click().run()
    assert "Only editors" in app.error[0].value
    app = opened("start")
    for key in (f"start_rename_{TINY}", f"start_delete_{TINY}", "start_corpus"):
        app.button(key=key).proto.disabled = False  # as a client of one's own may
        app.button(key=key).click().run()
        assert "Delete it" not in labels(app, "button")
        assert not app.text_input
    assert here(app) == "HopRAG Explorer"
    assert [each.name for each in (tiny_home / "indexes").iterdir()] == [TINY]
    assert inline_jobs == []


def test_every_act_asks_who_may(signed_in: Signs, tiny_home: Path, tiny_index: Any) -> None:
    signed_in(RAE)
    path = tiny_home / "indexes" / TINY
    for act in (
        permissions.leave,
        lambda: index_actions.start(jobs.Job("remove", path, documents=("mara",))),
        lambda: index_actions.resume(path),
        lambda: index_actions.cancel(path),
        lambda: index_actions.rename(TINY, "other"),
        lambda: index_actions.delete(TINY),
        lambda: index_actions.drop(TINY, "lexicon", tiny_index.meta.embedder),
        lambda: index_actions.fetch("all-MiniLM-L6-v2"),
        permissions.need_editor,
    ):
        with pytest.raises(NotAllowed, match="HOPRAG_EDITORS"):
            act()
    assert permissions.done() == []


def test_who_did_what_is_written_down(
    signed_in: Signs, tiny_home: Path, inline_jobs: list[jobs.Job]
) -> None:
    signed_in(ADA)
    path = tiny_home / "indexes" / TINY
    documents = tuple(d.id for d in resources.workbench(resources.entry(TINY)).index.documents[:1])
    index_actions.start(jobs.Job("remove", path, documents=documents))
    assert last_run(path)[0]["job"]["by"] == ADA
    index_actions.rename(TINY, "renamed")
    index_actions.delete("renamed")
    noted = [(act.by, act.what, act.about) for act in Ledger(tiny_home).acts()]
    assert noted == [(ADA, "delete", "renamed"), (ADA, "rename", TINY), (ADA, "remove", TINY)]
    assert f"{ADA} delete renamed" in words(opened("settings"))


@pytest.fixture
def server(tiny_home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    with configured(choose, monkeypatch) as running:
        yield running


def asked(page: str = "trace") -> AppTest:
    return opened(page, index=TINY, q=QUESTION.text, retriever="hoprag-llm")


def test_a_reader_sees_what_is_kept_and_asks_nothing(signed_in: Signs, server: ChatServer) -> None:
    signed_in(RAE)
    app = asked()
    assert "trace_ask_model" not in [button.key for button in app.button]
    assert "An editor must approve" in " ".join(each.value for each in app.caption)
    assert server.requests == []
    signed_in(ADA)
    checked(asked().button(key="trace_ask_model").click().run())
    calls = len(server.requests)
    assert calls
    signed_in(RAE)
    assert "An editor must approve" not in " ".join(each.value for each in asked().caption)
    assert len(server.requests) == calls


def test_a_person_spends_no_more_than_a_day_holds(
    signed_in: Signs, server: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOPRAG_BUDGET_PERSON", "50 tokens")
    settings.cache_clear()
    signed_in(ADA)
    app = asked().button(key="trace_ask_model").click().run()
    said = " ".join(each.value for each in (*app.error, *app.info)).replace("\\", "")
    assert "may spend 50 tokens a day on this server" in said
    assert server.requests == []


def test_embedders_are_those_of_the_settings_where_others_reach_the_server(
    signed_in: Signs, tiny_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOPRAG_EMBEDDERS", "/models/one")
    settings.cache_clear()
    signed_in(ADA)
    index_actions.need_embedder("/models/one")
    path = tiny_home / "indexes" / "new"
    for name in ("someone/model", "/etc", "../../x"):
        with pytest.raises(InputError, match="HOPRAG_EMBEDDERS"):
            index_actions.start(jobs.Job("build", path, embedder=name))
    box = opened("settings").selectbox(key="settings_embedder")
    assert "/models/one" in box.options
    assert not box.proto.accept_new_options


def test_beyond_loopback_the_app_says_what_to_set_and_does_nothing_else(
    tiny_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(access, "listens_beyond_loopback", lambda address: True)
    app = checked(AppTest.from_file(str(APP), default_timeout=30).run())
    assert "This server is not set up yet" in words(app)
    assert OPEN in words(app)
    assert labels(app, "button") == []
    with pytest.raises(NotAllowed):
        index_actions.delete(TINY)
    monkeypatch.setenv("HOPRAG_OPEN", "yes")
    settings.cache_clear()
    app = checked(AppTest.from_file(str(APP), default_timeout=30).run())
    assert "HOPRAG_OPEN opens the server only if its value is" in words(app)
    monkeypatch.setenv("HOPRAG_OPEN", OPEN)
    settings.cache_clear()
    assert here(opened("start")) == "HopRAG Explorer"
    index_actions.delete(TINY)
    with pytest.raises(InputError):
        index_actions.need_embedder("someone/model")


def test_a_list_without_a_sign_in_lets_nobody_in(
    tiny_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOPRAG_EDITORS", ADA)
    settings.cache_clear()
    app = checked(AppTest.from_file(str(APP), default_timeout=30).run())
    assert "This server is not set up yet" in words(app)


def test_a_header_is_not_believed_where_no_door_stands(
    tiny_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (
        ("HOPRAG_USER_HEADER", "X-Email"),
        ("HOPRAG_PROXIES", "127.0.0.1"),
        ("HOPRAG_EDITORS", ADA),
    ):
        monkeypatch.setenv(name, value)
    settings.cache_clear()
    app = checked(AppTest.from_file(str(APP), default_timeout=30).run())
    assert "This server is not set up yet" in words(app)


@pytest.mark.parametrize("name", ["../../../../etc", "a/../../etc", ".."])
def test_a_name_that_leads_elsewhere_says_nothing_of_what_is_there(
    tiny_home: Path, name: str
) -> None:
    from pages.components.building.form import _is_taken

    try:
        assert not _is_taken(tiny_home / "indexes", name)
    except HopRagError:
        pytest.fail("it is said on the page")


def test_the_pages_are_those_that_were_tried() -> None:
    assert set(PAGES) == set(nav.TITLES)
