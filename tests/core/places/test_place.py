from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

from core.errors import IndexMissing, StoreError
from core.places import Remote, place_of
from core.store.index import Index


def test_a_folder_stays_a_path(tmp_path: Path) -> None:
    assert place_of(str(tmp_path)) == tmp_path
    assert place_of(tmp_path) is not None


@pytest.mark.parametrize(
    "text",
    ["s3://bucket/a/b", "gs://bucket", "az://container/mit Umlaut ä/50% & more", "s3://a.b-c/x"],
)
def test_a_uri_is_what_it_was(text: str) -> None:
    assert str(place_of(text)) == text
    assert str(place_of(f"{text}/")) == text


def test_names_below_and_above() -> None:
    place = place_of("s3://bucket/a/b")
    assert (place.name, str(place.parent), str(place / "c")) == (
        "b",
        "s3://bucket/a",
        "s3://bucket/a/b/c",
    )


def test_what_lancedb_gets_is_percent_encoded() -> None:
    place = place_of("s3://bucket/50% #1 ä")
    assert isinstance(place, Remote)
    assert place.lance[0] == "s3://bucket/50%25%20%231%20%C3%A4"


@pytest.mark.parametrize(
    "text",
    [
        "http://host/x",
        "file:///etc",
        "s3://",
        "s3:///x",
        "s3://B/x",
        "s3://bucket//x",
        "s3://bucket/../x",
        "s3://bucket/a/./b",
        "s3://bucket/a\n/b",
        "s3://bucket/a\\b",
        "s3://bucket/" + "ä" * 600,
    ],
)
def test_what_cannot_be_a_place_is_refused(text: str) -> None:
    with pytest.raises(IndexMissing):
        place_of(text)


@pytest.mark.parametrize(
    "text",
    [
        "s3://AKIAKEY:sesame@bucket/x",
        "s3://sesame@bucket/x",
        "s3://bucket/x?aws_secret_access_key=sesame",
        "az://container/x?sig=sesame",
        "https://sesame:sesame@host/x?sesame",
    ],
)
def test_credentials_in_a_uri_are_refused_and_not_repeated(text: str) -> None:
    with pytest.raises(IndexMissing) as refused:
        place_of(text)
    assert "sesame" not in str(refused.value)


@pytest.mark.usefixtures("at_home")
@pytest.mark.parametrize(
    ("uri", "named"),
    [("s3://bucket/x", "AWS_ACCESS_KEY_ID"), ("az://bucket/x", "AZURE_STORAGE_ACCOUNT_KEY")],
)
def test_without_credentials_the_mend_is_named(uri: str, named: str) -> None:
    with pytest.raises(StoreError, match=named):
        Index.open(uri)


class Refusing(BaseHTTPRequestHandler):
    """A storage that takes no key."""

    def do_GET(self) -> None:
        self.send_response(403)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Nothing is said."""


def test_a_listing_that_is_refused_is_no_storage_that_is_away(
    remote: Remote, monkeypatch: pytest.MonkeyPatch
) -> None:
    with HTTPServer(("127.0.0.1", 0), Refusing) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{server.server_port}")
        with pytest.raises(PermissionError, match="The credentials do not allow this"):
            remote.is_dir()
        server.shutdown()


@pytest.mark.usefixtures("at_home")
def test_without_the_package_the_mend_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "obstore", None)
    with pytest.raises(StoreError, match=r"pip install -r requirements-storage\.txt"):
        Index.open("gs://bucket/x")


def test_a_wrong_bucket_is_said(remote: Remote) -> None:
    with pytest.raises(StoreError, match="The bucket does not exist"):
        Index.open("s3://another/x")


def test_a_storage_that_does_not_answer_is_said(
    remote: Remote, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    with pytest.raises(StoreError, match="does not answer"):
        Index.open(remote)
