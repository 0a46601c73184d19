"""Which names the server answers to, and whose pages are its own."""

import pytest

from core.visitors.hosts import hostname, is_known, is_own_origin, listens_beyond_loopback


@pytest.mark.parametrize(
    ("host", "name"),
    [
        ("localhost:8501", "localhost"),
        ("LOCALHOST.", "localhost"),
        ("[::1]:8501", "::1"),
        ("127.0.0.1", "127.0.0.1"),
        ("", ""),
        ("localhost:99999", ""),
        ("localhost:x", ""),
        ("localhost/evil.example", ""),
        ("localhost@evil.example", ""),
        ("localhost?evil", ""),
        ("[::1", ""),
    ],
)
def test_the_name_of_a_host(host: str, name: str) -> None:
    assert hostname(host) == name


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:1", "127.8.9.1", "[::1]:8501"])
def test_loopback_is_known_by_itself(host: str) -> None:
    assert is_known(host, ())


@pytest.mark.parametrize(
    "host",
    ["evil.example", "localhost.evil.example", "127.0.0.1.nip.io", "0.0.0.0", "192.168.1.4", ""],
)
def test_no_other_host_is(host: str) -> None:
    assert not is_known(host, ())


def test_what_the_settings_name_is_known_at_every_port() -> None:
    named = ("hoprag.example.org", "box:8443")
    assert is_known("HopRAG.example.org:443", named)
    assert is_known("box", named)
    assert not is_known("x.hoprag.example.org", named)


def test_an_origin_is_the_servers_own_at_its_own_port_only() -> None:
    assert is_own_origin("http://localhost:8501", "localhost:8501", ())
    assert is_own_origin("https://box.example", "box.example", ())
    for origin in (
        "http://localhost:3000",
        "http://127.0.0.1:8501",
        "https://evil.example",
        "null",
        "file://",
        "http://[",
        "",
    ):
        assert not is_own_origin(origin, "localhost:8501", ())


def test_a_named_origin_is_the_servers_own_behind_a_proxy_that_changes_the_host() -> None:
    named = ("hoprag.example.org", "box.example:8443")
    assert is_own_origin("https://hoprag.example.org", "127.0.0.1:8501", named)
    assert is_own_origin("https://box.example:8443", "127.0.0.1:8501", named)
    assert not is_own_origin("https://hoprag.example.org:8443", "127.0.0.1:8501", named)


@pytest.mark.parametrize(
    ("address", "beyond"),
    [("127.0.0.1", False), ("::1", False), ("localhost", False), ("0.0.0.0", True), (None, True)],
)
def test_listening_beyond_loopback(address: str | None, beyond: bool) -> None:
    assert listens_beyond_loopback(address) is beyond
