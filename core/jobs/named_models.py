"""The models that a study names, on the servers that are configured."""

from collections.abc import Mapping
from dataclasses import replace

from core.settings import READER, Endpoint


def naming(endpoint: Endpoint | None, models: Mapping[str, str]) -> Endpoint | None:
    """Return `endpoint` with other models on the same servers; None if there is none.

    Parameters
    ----------
    models : names of models by `model` and `reader`; one that is not named stays.

    >>> found = naming(Endpoint("a"), {"model": "b", "reader": "c"})
    >>> found.model, found.reader.model, found.reader.url == found.url
    ('b', 'c', True)
    """
    if endpoint is None:
        return None
    named = replace(endpoint, model=models.get("model", endpoint.model))
    if "reader" not in models:
        return named
    reader = endpoint.reader or replace(endpoint, variable=READER)
    return replace(named, reader=replace(reader, model=models["reader"]))
