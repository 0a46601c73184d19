"""Signing in at a provider of the tests' own, in two browsers, as an editor and as a reader."""

import re
from pathlib import Path
from typing import Any

import pytest

from core.indexing.updates import build
from tests.browser.oidc import ADA, RAE, Provider
from tests.browser.serving import Server, idle, serve
from tests.core.fakes import WordEmbedder
from tests.core.five import corpus, silent


def signed_in(browser: Any, server: Server, idp: Provider, who: str) -> Any:
    """A tab of a browser of its own, in which `who` has signed in."""
    context = browser.new_context()
    context.add_cookies([{"name": "who", "value": who, "url": idp.url}])
    page = context.new_page()
    page.set_default_timeout(60_000)  # it may be the first page of a server
    page.goto(server.url)
    idle(page)
    assert page.get_by_text("sample").count() == 0
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(f"{server.url}/**")
    page.get_by_role("button", name="Sign out").wait_for()
    idle(page)
    return page


def test_an_editor_and_a_reader_in_two_browsers(
    browser: Any, guarded: Server, idp: Provider
) -> None:
    build(guarded.home / "indexes" / "sample", corpus(), WordEmbedder(), silent)
    ada, rae = (signed_in(browser, guarded, idp, who) for who in (ADA, RAE))
    for page, role in ((ada, "editor"), (rae, "reader")):
        side = page.get_by_test_id("stSidebar").inner_text()
        assert f", {role}" in side
        assert page.get_by_role("button", name="Open", exact=True).is_enabled()
    assert rae.get_by_role("button", name="Delete").is_disabled()
    ada.get_by_role("button", name="Delete").click()
    ada.get_by_role("button", name="Delete it").click()
    ada.get_by_role("button", name="Try the sample").wait_for()
    assert not (guarded.home / "indexes" / "sample").exists()
    ada.goto(f"{guarded.url}/settings")
    idle(ada)
    done = ada.get_by_role("row").filter(has_text=ADA).filter(has_text="sample")
    assert ADA in done.inner_text()
    rae.goto(f"{guarded.url}/settings")
    idle(rae)
    assert "Only for editors" in rae.content()
    assert str(guarded.home) not in rae.content()


@pytest.mark.parametrize("who", ["eve@example.org", "ada@example.org.evil"])
def test_who_is_on_no_list_sees_nothing(
    browser: Any, guarded: Server, idp: Provider, who: str
) -> None:
    context = browser.new_context()
    context.add_cookies([{"name": "who", "value": who, "url": idp.url}])
    page = context.new_page()
    page.goto(f"{guarded.url}/build?index=sample")
    idle(page)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_function("!location.pathname.includes('authorize')")
    page.get_by_text("has no access to this server").wait_for()
    idle(page)
    assert page.get_by_test_id("stSidebarNavLink").count() == 0
    assert page.locator(".hop-index").count() == 0
    context.close()


def test_an_address_that_the_provider_has_not_checked_is_nobodys(
    browser: Any, guarded: Server, idp: Provider
) -> None:
    idp.unverified.add(ADA)
    context = browser.new_context()
    context.add_cookies([{"name": "who", "value": ADA, "url": idp.url}])
    page = context.new_page()
    page.goto(guarded.url)
    idle(page)
    # The page has this address already: to the provider and back is a navigation of its own.
    with page.expect_navigation(url=re.compile(rf"^{re.escape(guarded.url)}/?$"), timeout=60_000):
        page.get_by_role("button", name="Sign in").click()
    idle(page)
    assert page.get_by_role("button", name="Sign in").count() == 1
    assert page.get_by_test_id("stSidebarNavLink").count() == 0
    idp.unverified.clear()
    context.close()


def test_strangers_upload_nothing_and_read_no_metrics(browser: Any, guarded: Server) -> None:
    page = browser.new_page()
    page.goto(guarded.url)
    idle(page)
    send = "fetch('/_stcore/upload_file/a/b', {method: 'PUT', body: 'x'}).then(a => a.status)"
    assert page.evaluate(send) == 403
    assert page.evaluate("fetch('/_stcore/metrics').then(a => a.status)") == 403
    page.close()


def test_a_stranger_does_not_say_who_is_there(browser: Any, tmp_path: Path) -> None:
    """That a proxy does is tested with uploads, whose server has one."""
    settings = {
        "HOPRAG_EDITORS": ADA,
        "HOPRAG_USER_HEADER": "X-Forwarded-Email",
        "HOPRAG_PROXIES": "192.0.2.7",
    }
    with serve(tmp_path, tmp_path / "log", **settings) as server:
        context = browser.new_context(extra_http_headers={"X-Forwarded-Email": ADA})
        page = context.new_page()
        page.goto(server.url)
        idle(page)
        assert page.get_by_test_id("stSidebarNavLink").count() == 0
        assert "did not" in page.content()
        context.close()


def test_beyond_loopback_it_says_what_to_set(browser: Any, tmp_path: Path) -> None:
    with serve(tmp_path, tmp_path / "log", "--server.address", "0.0.0.0") as server:
        assert server.foreign == []  # nobody is asked for the outer address
        page = browser.new_page()
        page.goto(server.url)
        idle(page)
        assert "This server is not set up yet" in page.content()
        assert page.get_by_test_id("stSidebarNavLink").count() == 0
        assert page.get_by_role("button", name="Delete").count() == 0
        assert server.foreign == []
        page.close()
