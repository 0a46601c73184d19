"""Model servers that an editor sets on the screen, for a session or for the machine.

They are held as the environment would hold them, by names of variables, and the environment goes
before them, variable by variable. A key goes only to the URL that it was given for, whoever gave
the two.
"""

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from core.errors import InputError

FILE = "saved_servers.json"
OPENAI = "https://api.openai.com/v1"
EMBEDDER = "HOPRAG_EMBEDDER"
ROLES = ("HOPRAG_LLM", EMBEDDER)
"""The variables that name a model; with `_URL` its server, with `_KEY` that server's key."""
GUARDED = "_GUARDED"
"""Behind a role, set where its URL may lead to public addresses only."""

Typed = Mapping[str, str]
"""What was typed, by the name of the variable that it stands for."""


def names(role: str) -> tuple[str, str, str, str]:
    """Return the variables of a role: model, URL, key, and whether the URL is guarded."""
    return role, f"{role}_URL", f"{role}_KEY", role + GUARDED


def server_url(text: str) -> str:
    """Return the base URL in `text`, or OpenAI's if it is empty."""
    return text.strip().rstrip("/") or OPENAI


def overlaid(environ: Mapping[str, str], typed: Typed) -> dict[str, str]:
    """Fill in typed values for variables that `environ` does not set.

    A key from the environment also fixes the URL.
    """
    combined = dict(environ)
    for role in ROLES:
        model, url, key, guarded = names(role)
        taken = fixed(environ, role)
        if model not in taken and model in typed:
            combined[model] = typed[model]
        if url not in taken and url in typed:
            combined[url] = typed[url]
            combined[guarded] = typed.get(guarded, "")
        same = server_url(combined.get(url, "")) == server_url(typed.get(url, ""))
        if key not in taken and key in typed and same:
            combined[key] = typed[key]
    return combined


def fixed(environ: Mapping[str, str], role: str) -> set[str]:
    """Return the variables of a role whose values the environment decides."""
    model, url, key, _ = names(role)
    given = {name for name in (model, url, key) if environ.get(name, "").strip()}
    return given | {url} if key in given else given


def merged(saved: Typed, session: Typed) -> dict[str, str]:
    """Combine values typed in the session with saved ones, for roles not typed."""
    left = [role for role in ROLES if not set(names(role)) & session.keys()]
    return {**{name: saved[name] for name in _named(saved, left)}, **session}


def without(typed: Typed, role: str) -> dict[str, str]:
    """Return the values typed for the other role."""
    return {name: typed[name] for name in _named(typed, [each for each in ROLES if each != role])}


def _named(typed: Typed, roles: list[str]) -> Iterator[str]:
    return (name for role in roles for name in names(role) if name in typed)


def read_saved(home: Path) -> dict[str, str]:
    """Return the values saved for this machine; empty if none are.

    Raises
    ------
    InputError : the file cannot be read.
    """
    path = home / FILE
    try:
        saved = json.loads(path.read_text("utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, ValueError, RecursionError) as error:
        raise _damaged_file_error(path) from error
    known = {name for role in ROLES for name in names(role)}
    if not isinstance(saved, dict) or not all(
        name in known and isinstance(value, str) for name, value in saved.items()
    ):
        raise _damaged_file_error(path)
    return saved


def save(home: Path, typed: Typed) -> None:
    """Keep `typed` for every process of this machine's user, in a file that only they can read.

    Raises
    ------
    InputError : it cannot be written.
    """
    path = home / FILE
    new = path.with_suffix(f".{os.getpid()}")
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        with suppress(FileNotFoundError):
            new.unlink()
        # Made anew, so that nobody has it open and its mode is the one that it is made with.
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as stream:
            json.dump(dict(typed), stream)
        new.replace(path)
    except OSError as error:
        raise InputError(
            f"{path} cannot be written ({error.strerror}). Make the folder writable, or set the "
            "server for this session only."
        ) from error


def _damaged_file_error(path: Path) -> InputError:
    """Return the error for a damaged file of model servers."""
    return InputError(
        f"{path} cannot be read as the model servers saved for this machine. Delete it, and save "
        "them again on the Settings page."
    )
