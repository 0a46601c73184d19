"""A digest of all that decides what a retriever finds: equal digests, equal rankings."""

import json
from collections.abc import Iterable, Iterator, Mapping
from hashlib import blake2b

from core.artefacts.base import in_order
from core.artefacts.workbench import Workbench
from core.retrievers import Spec

EMBEDDER = "version of the embedder"
"""Among the settings of a run; a retriever's key stands in the place of the embedder."""


def configuration(workbench: Workbench, spec: Spec) -> str:
    """Return a hash of a retriever's settings, the index content, the embedder, and the model.

    Ten hexadecimal digits. The model counts only where the retriever may ask one. A setting that is
    empty or off does not count, so that one which is added later changes no digest; nor does the
    version of what the retriever stands on, while it is the first. The code of a custom retriever
    counts, and what its server and that of the embedder are known by.
    """
    versions = [(each.name, each.version) for each in in_order(spec.needs) if each.version > 1]
    asked = [(one.key, sorted(_set(one))) for one in spec.all_of_it()]
    made_by = workbench.embedder.info
    oracle = workbench.oracle if spec.asks_model else None
    parts = (
        asked,
        workbench.content,
        made_by.fingerprint,
        made_by.precision,
        oracle.llm.model if oracle else "",
        *([sorted(versions)] if versions else []),
        *([" ".join(own)] if (own := spec.versions.values()) else []),
        *([made_by.version] if made_by.version else []),
    )
    return blake2b(json.dumps(parts).encode(), digest_size=5).hexdigest()


def versions(workbench: Workbench, specs: Iterable[Spec]) -> dict[str, str]:
    """Return the versions of what may change behind its name, as settings of a run."""
    by_part = {
        f"version of {key}": version for spec in specs for key, version in spec.versions.items()
    }
    if version := workbench.embedder.info.version:
        by_part[EMBEDDER] = version
    return by_part


def changed_versions(now: Mapping[str, object], before: Mapping[str, object]) -> list[str]:
    """Describe the versions that differ between two runs.

    Parameters
    ----------
    now, before : the settings of runs. What only one of them has does not count.
    """
    changed = [
        name
        for name in now
        if name.startswith("version of ") and name in before and now[name] != before[name]
    ]
    return [
        "the embedder server returns different vectors"
        if name == EMBEDDER
        else f"the code or replies of {name.removeprefix('version of ')} have changed"
        for name in changed
    ]


def _set(spec: Spec) -> Iterator[tuple[str, str]]:
    return ((name, str(value)) for name, value in spec.values.items() if value not in ("", False))
