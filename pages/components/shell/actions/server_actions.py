"""Set and forget model servers, as an editor."""

import os

from core.errors import InputError
from core.model_servers import EMBEDDER, fixed, names, read_saved, save, server_url, without
from core.settings import SERVER_EMBEDDER, Endpoint, settings
from pages.components.shell import model_servers
from pages.components.shell.actions.permissions import need_editor
from pages.components.shell.visitors import access

_LONGEST_MODEL = 200  # characters


def set_server(role: str, model: str, url: str, key: str, *, for_machine: bool) -> None:
    """Set the server of a model for this session, or for whoever uses this machine's home folder.

    Parameters
    ----------
    role : the variable that would name the model, `HOPRAG_LLM` or `HOPRAG_EMBEDDER`.
    url, key : empty for OpenAI's, and for none. Without a key, one that was given before for the
        same URL is kept.

    Raises
    ------
    NotAllowed : by anybody but an editor.
    InputError, LlmError : the server cannot be one, or may not be saved for the machine.
    """
    from core.models.server.wire import check_endpoint  # takes half a second to import

    need_editor("set a model server" + " for the machine" * for_machine)
    if for_machine and not may_save_keys():
        raise InputError(
            "This server does not save keys for the machine. Set the server for this session, or "
            "ask the administrator to set HOPRAG_SAVE_KEYS=1."
        )
    name, url_name, key_name, guarded = names(role)
    taken = fixed(os.environ, role)
    model = model.strip()
    if name in taken:
        model = os.environ[name]
    elif role == EMBEDDER and model:
        model = SERVER_EMBEDDER + model.removeprefix(SERVER_EMBEDDER)
    url = server_url(os.environ.get(url_name, "") if url_name in taken else url)
    key = key.strip()
    if not model or not model.isprintable() or len(model) > _LONGEST_MODEL:
        raise InputError("The model name is empty or contains invalid characters.")
    home, typed = settings().home, model_servers.typed()
    held = read_saved(home) if for_machine else typed
    if not key and server_url(held.get(url_name, "")) == url:
        key = held.get(key_name, "")
    check_endpoint(Endpoint(model, url, key, variable=role))
    reachable = "1" if access.is_reachable() else ""
    values = {name: model, url_name: url, key_name: key, guarded: reachable}
    found = {**without(held, role), **{each: value for each, value in values.items() if value}}
    if for_machine:
        save(home, found)
        settings.cache_clear()
        model_servers.type_for_session(without(typed, role))
    else:
        model_servers.type_for_session(found)


def forget_server(role: str) -> None:
    """Undo `set_server`: for this session if it has set one, or else for the machine."""
    need_editor("forget a model server")
    typed, home = model_servers.typed(), settings().home
    if without(typed, role) != typed:
        model_servers.type_for_session(without(typed, role))
        return
    if not may_save_keys():
        raise InputError("Only the administrator of this server may forget a server saved for it.")
    save(home, without(read_saved(home), role))
    settings.cache_clear()


def may_save_keys() -> bool:
    """Return whether an editor may save a model server for the machine: on their own, or if it is
    said.
    """
    return settings().saves_keys or not access.is_reachable()
