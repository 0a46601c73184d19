"""Signing in at a provider that lies, and at an application whose addresses are made up."""

from collections.abc import Iterator
from http.cookiejar import CookieJar
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import HTTPCookieProcessor, HTTPRedirectHandler, Request, build_opener

import pytest
from joserfc.jwk import RSAKey

from tests.browser.client import Client
from tests.browser.oidc import ADA, Provider
from tests.browser.serving import Server


class _Stay(HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


class Browser:
    """The cookies of a browser, which follows a redirect when it is told to."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.jar = CookieJar()
        self._opener = build_opener(HTTPCookieProcessor(self.jar), _Stay)

    def get(self, url: str, **headers: str) -> tuple[int, str]:
        """The status of the response, and where it leads."""
        try:
            with self._opener.open(Request(url, headers=headers), timeout=30) as answer:
                return answer.status, ""
        except HTTPError as answer:
            with answer:
                return answer.code, answer.headers.get("Location", "")

    def to_callback(self, who: str) -> str:
        """The address to which the provider sends who signs in."""
        with Client(self.url) as page:
            page.press("Sign in")
        _, to_provider = self.get(
            f"{self.url}{urlsplit(page.redirect).path}?{urlsplit(page.redirect).query}"
        )
        return self.get(to_provider, Cookie=f"who={who}")[1]

    @property
    def is_signed_in(self) -> bool:
        """Whether the application knows an editor or reader by the cookies."""
        cookies = "; ".join(f"{one.name}={one.value}" for one in self.jar)
        with Client(self.url, {"Origin": self.url}, cookies=cookies) as page:
            assert {"Sign in", "Sign out"} & {*page.widgets}
            return "Use your own documents" in page.widgets


@pytest.fixture(scope="module")
def server(guarded: Server) -> Server:
    return guarded


@pytest.fixture
def lying(idp: Provider) -> Iterator[Provider]:
    yield idp
    idp.claims, idp.algorithm, idp.signing_key, idp.padding = {}, "RS256", None, 0


def signed_in(server: Server, who: str = ADA) -> bool:
    browser = Browser(server.url)
    browser.get(browser.to_callback(who))
    return browser.is_signed_in


def test_an_honest_provider_signs_in(server: Server, idp: Provider) -> None:
    assert signed_in(server)
    assert not signed_in(server, "eve@example.org")


@pytest.mark.parametrize(
    "claims",
    [
        {"iss": "http://127.0.0.1:1"},
        {"iss": None},
        {"aud": "another"},
        {"aud": ["another"]},
        {"nonce": "another"},
        {"nonce": None},
        {"exp": 1},
        {"iat": 4_102_444_800},  # in 2100
        {"sub": None},
        {"email": None},
        {"email": ""},
        {"email": [ADA]},
        {"email": {"ada": ADA}},
        {"email": f"{ADA}\n"},
        {"email": f"{ADA},eve@example.org"},
        {"email_verified": False},
        {"email_verified": "false"},
        {"email_verified": 0},
        {"email_verified": []},
    ],
    ids=str,
)
def test_a_claim_that_is_wrong_signs_nobody_in(
    server: Server, lying: Provider, claims: dict[str, Any]
) -> None:
    lying.claims = claims
    assert not signed_in(server)


@pytest.mark.parametrize("algorithm", ["none", "HS256", "RS256"])
def test_a_token_that_the_provider_did_not_sign_signs_nobody_in(
    server: Server, lying: Provider, algorithm: str
) -> None:
    lying.algorithm = algorithm
    lying.signing_key = RSAKey.generate_key(2048, parameters={"kid": lying.key.kid})
    assert not signed_in(server)


def test_claims_that_fill_the_cookie_sign_in_or_not_but_do_not_harm(
    server: Server, lying: Provider
) -> None:
    for lying.padding in (20_000, 2_000_000):
        browser = Browser(server.url)
        browser.get(browser.to_callback(ADA))
    lying.padding = 0
    assert signed_in(server)


def test_an_answer_of_the_provider_is_good_once_and_in_one_browser(
    server: Server, idp: Provider
) -> None:
    browser, other = Browser(server.url), Browser(server.url)
    address = browser.to_callback(ADA)
    other.get(address)
    assert not other.is_signed_in
    address = browser.to_callback(ADA)
    browser.get(address)
    assert browser.is_signed_in
    other.jar.clear()
    for cookie in browser.jar:
        if not cookie.name.startswith("_streamlit_user"):
            other.jar.set_cookie(cookie)
    other.get(address)
    assert not other.is_signed_in  # the state is spent, also for who has its cookie
    code, _, state = address.partition("&state=")
    third = Browser(server.url)
    third.get(f"{code}&state=x{state}")
    assert not third.is_signed_in


@pytest.mark.parametrize(
    "path",
    [
        "/auth/login?provider=x",
        "/auth/login?next=//evil.example&redirect_uri=http://evil.example",
        "/auth/logout?next=http://evil.example",
        "/oauth2callback?error=x&error_description=http://evil.example",
        "/oauth2callback?code=x&state=x&redirect_uri=http://evil.example",
        "//evil.example/auth/logout",
        "//evil.example/%2e%2e",
        "/\\evil.example",
    ],
)
def test_no_address_leads_elsewhere(server: Server, idp: Provider, path: str) -> None:
    _, to = Browser(server.url).get(f"{server.url}{path}")
    assert urlsplit(to).netloc in ("", urlsplit(server.url).netloc, urlsplit(idp.url).netloc)
    assert not to.startswith(("//", "/\\"))
