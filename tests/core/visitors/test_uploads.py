"""Which uploads are accepted, and how many bytes are held at once."""

import pytest

from core.visitors.uploads import UploadLimits, UploadRefused, Uploads

LIMITS = UploadLimits(file=100, session=250, person=400)


@pytest.fixture
def uploads() -> Uploads:
    """Ada has two sessions, Eve has one; all three are editors, and Rae is a reader."""
    made = Uploads(LIMITS)
    for session, person in (("ada", "ada"), ("ada2", "ada"), ("eve", "eve")):
        made.admit(session, person, may_upload=True, credential=person)
    made.admit("rae", "rae", may_upload=False, credential="rae")
    return made


def stored(uploads: Uploads, session: str, size: int, credential: str = "ada") -> str:
    """Upload a file of `size` bytes in pieces of 10; its id."""
    (file_id,) = uploads.issue(session, 1)
    upload = uploads.begin(session, file_id, credential)
    try:
        for _ in range(size // 10):
            upload.receive(10)
    except UploadRefused:
        upload.fail()
        raise
    assert uploads.keep(session, file_id, size)
    return file_id


def refused(status: int, *given: object) -> None:
    uploads, *rest = given
    with pytest.raises(UploadRefused) as found:
        uploads.begin(*rest)  # type: ignore[attr-defined]
    assert found.value.status == status


def test_only_an_id_that_was_issued_to_the_session_is_accepted_and_only_once(
    uploads: Uploads,
) -> None:
    refused(403, uploads, "ada", "invented", "ada")
    (file_id,) = uploads.issue("ada", 1)
    refused(403, uploads, "ada2", file_id, "ada")
    upload = uploads.begin("ada", file_id, "ada")
    refused(403, uploads, "ada", file_id, "ada")  # while it is received
    upload.fail()
    uploads.begin("ada", file_id, "ada")  # a failed upload may be repeated
    uploads.keep("ada", file_id, 5)
    refused(403, uploads, "ada", file_id, "ada")


def test_a_reader_is_issued_no_id_and_may_not_upload(uploads: Uploads) -> None:
    assert uploads.issue("rae", 3) == ()
    refused(403, uploads, "rae", "invented", "rae")
    uploads.admit("ada", "ada", may_upload=True, credential="ada")
    (file_id,) = uploads.issue("ada", 1)
    uploads.admit("ada", "ada", may_upload=False, credential="ada")  # taken off the list
    refused(403, uploads, "ada", file_id, "ada")


def test_the_session_of_another_visitor_is_refused(uploads: Uploads) -> None:
    (file_id,) = uploads.issue("ada", 1)
    refused(403, uploads, "ada", file_id, "eve")
    refused(403, uploads, "ada", file_id, "")
    refused(403, uploads, "unknown", file_id, "ada")
    with pytest.raises(UploadRefused):
        uploads.check_session("ada", "eve")
    assert uploads.belongs_to_another("ada", "eve")
    assert not uploads.belongs_to_another("ada", "ada")
    assert not uploads.belongs_to_another("unknown", "eve")


def test_ids_are_void_once_the_session_is_somebody_elses(uploads: Uploads) -> None:
    (file_id,) = uploads.issue("ada", 1)
    uploads.admit("ada", "eve", may_upload=True, credential="eve")
    refused(403, uploads, "ada", file_id, "eve")


def test_a_declared_length_is_refused_before_the_body(uploads: Uploads) -> None:
    (file_id,) = uploads.issue("ada", 1)
    refused(413, uploads, "ada", file_id, "ada", LIMITS.file + 1)
    uploads.begin("ada", file_id, "ada", LIMITS.file)


def test_a_length_that_lies_is_found_while_the_file_arrives(uploads: Uploads) -> None:
    (file_id,) = uploads.issue("ada", 1)
    upload = uploads.begin("ada", file_id, "ada", 1)
    upload.receive(LIMITS.file)
    with pytest.raises(UploadRefused, match="A file may be"):
        upload.receive(1)
    upload.fail()
    assert uploads.held("ada") == 0


@pytest.mark.parametrize(
    ("limit", "told"),
    [(1, "1 byte"), (2**10, "1 kB"), (300_000, "293 kB"), (200 * 2**20, "200 MB"), (2**31, "2 GB")],
)
def test_a_limit_is_given_in_a_unit_that_fits(limit: int, told: str) -> None:
    uploads = Uploads(UploadLimits.of_file(limit))
    uploads.admit("ada", "ada", may_upload=True)
    (file_id,) = uploads.issue("ada", 1)
    with pytest.raises(UploadRefused, match=rf"A file may be at most {told}\. Split it"):
        uploads.begin("ada", file_id, "", limit + 1)


def test_sessions_and_people_have_limits_of_their_own(uploads: Uploads) -> None:
    for _ in range(2):
        stored(uploads, "ada", 100)
    with pytest.raises(UploadRefused, match="A session may have at most 250 bytes of uploads"):
        stored(uploads, "ada", 100)  # 300 of 250
    first, _ = (stored(uploads, "ada2", 100) for _ in range(2))
    with pytest.raises(UploadRefused, match="A person may have at most 400 bytes of uploads"):
        stored(uploads, "ada2", 10)  # 410 of 400
    stored(uploads, "eve", 100, "eve")
    uploads.release("ada2", first)
    stored(uploads, "ada2", 40)


def test_uploads_under_way_count(uploads: Uploads) -> None:
    ids = uploads.issue("ada", 3)
    under_way = [uploads.begin("ada", one, "ada") for one in ids]
    for upload in under_way[:2]:
        upload.receive(100)
    with pytest.raises(UploadRefused, match="A session may have at most 250 bytes of uploads"):
        under_way[2].receive(60)


def test_the_end_of_a_session_frees_what_it_held(uploads: Uploads) -> None:
    for session in ("ada", "ada2"):
        for _ in range(2):
            stored(uploads, session, 100)
    (late,) = uploads.issue("ada", 1)
    upload = uploads.begin("ada", late, "ada")
    assert set(uploads.sessions_with_files()) == {"ada", "ada2"}
    uploads.forget("ada")
    assert uploads.held("ada") == 0
    with pytest.raises(UploadRefused, match="has expired"):
        upload.receive(1)
    assert not uploads.keep("ada", late, 1)
    uploads.admit("ada3", "ada", may_upload=True, credential="ada")
    for _ in range(2):
        stored(uploads, "ada3", 100)


def test_ids_asked_for_in_bulk_are_bounded(
    uploads: Uploads, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.visitors.uploads.MOST_FILES", 5)
    first = uploads.issue("ada", 4)
    assert len(uploads.issue("ada", 10**9)) == 5
    refused(403, uploads, "ada", first[0], "ada")


def test_sessions_are_forgotten_if_they_hold_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.visitors.uploads.MOST_SESSIONS", 2)
    uploads = Uploads(LIMITS)
    for session in ("first", "second", "third"):
        uploads.admit(session, may_upload=True)
        if session == "first":
            stored(uploads, session, 10, credential="")
    assert uploads.held("first") == 10
    assert uploads.issue("second", 1) == ()
    assert uploads.issue("third", 1)
