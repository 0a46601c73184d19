from pathlib import Path

import pytest

from core.models.kept.replies import Replies, Spent
from core.models.kept.stored_replies import StoredReplies
from core.models.prompt import Prompt, Reply
from core.places import Remote

PROMPT = Prompt("asking", "You are brief.", "Who?", {})
REPLY = Reply('{"who": "Ilo"}', 10, 3, 0.5)
OTHER = Reply('{"who": "Mara"}', 10, 4, 0.5, billed=2)


@pytest.fixture
def replies(remote: Remote) -> Replies:
    return Replies(remote)


def elsewhere(remote: Remote, home: Path, monkeypatch: pytest.MonkeyPatch) -> Replies:
    """As another machine sees them."""
    monkeypatch.setattr("core.models.kept.replies.copy_folder", lambda place: home / "elsewhere")
    return Replies(remote)


def test_another_machine_finds_what_was_answered(
    remote: Remote, replies: Replies, at_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert replies.get("a") is None
    replies.put("a", PROMPT, "model", REPLY)
    there = elsewhere(remote, at_home, monkeypatch)
    assert there.get("a") == REPLY
    assert there.spent() == Spent(1, 10, 3)
    assert there.took("asking", "model")[0].letters == PROMPT.letters


def test_one_that_steps_aside_stays_paid_for(
    remote: Remote, replies: Replies, at_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replies.put("a", PROMPT, "model", REPLY)
    replies.put("a", PROMPT, "model", OTHER)
    there = elsewhere(remote, at_home, monkeypatch)
    assert there.spent() == replies.spent() == Spent(3, 30, 11)
    assert there.get("a") == OTHER


def test_who_waited_for_another_machine_finds_its_reply(
    remote: Remote, replies: Replies, at_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = elsewhere(remote, at_home, monkeypatch)
    assert there.get("a") is None  # and that is believed for a while
    with replies.turn("a", lambda: False):
        replies.put("a", PROMPT, "model", REPLY)
    with there.turn("a", lambda: there.get("a") is not None):
        assert there.get("a") == REPLY


def test_the_turn_is_had_by_one_machine(
    remote: Remote, replies: Replies, at_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = elsewhere(remote, at_home, monkeypatch)
    looks = []

    def done() -> bool:
        looks.append(True)
        return len(looks) > 1

    with replies.turn("a", lambda: False), there.turn("a", done):
        pass
    assert len(looks) > 1


def test_a_reply_that_cannot_be_read_is_asked_for_again(
    remote: Remote, replies: Replies, at_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replies.put("a", PROMPT, "model", REPLY)
    (remote / "replies" / "a.json").write_bytes(b'{"key": "a", "text": NaN}')
    assert elsewhere(remote, at_home, monkeypatch).get("a") is None


def test_where_nobody_may_write_it_is_said(
    replies: Replies, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuses(place: Remote, content: bytes) -> None:
        raise PermissionError(13, "The credentials do not allow this", str(place))

    monkeypatch.setattr(Remote, "write_bytes", refuses)
    replies.put("a", PROMPT, "model", REPLY)
    assert "cannot be written" in replies.unkept
    assert replies.get("a") == REPLY


def test_keys_are_told_from_locks(remote: Remote, replies: Replies) -> None:
    with replies.turn("a", lambda: False):
        replies.put("a", PROMPT, "model", REPLY)
    assert StoredReplies(remote).keys() == {"a"}
