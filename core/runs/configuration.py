"""A digest of all that decides what a retriever finds: equal digests, equal rankings."""

import json
from collections.abc import Iterator
from hashlib import blake2b

from core.artefacts.base import in_order
from core.artefacts.workbench import Workbench
from core.retrievers import Spec


def configuration(workbench: Workbench, spec: Spec) -> str:
    """Of the retriever with every setting, the index's content, the embedder, and the model.

    Ten hexadecimal digits. The model counts only where the retriever may ask one. A setting that is
    empty or off does not count, so that one which is added later changes no digest; nor does the
    version of what the retriever stands on, while it is the first. The code of a custom retriever
    counts.
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
        *([spec.version] if spec.version else []),
    )
    return blake2b(json.dumps(parts).encode(), digest_size=5).hexdigest()


def _set(spec: Spec) -> Iterator[tuple[str, str]]:
    return ((name, str(value)) for name, value in spec.values.items() if value not in ("", False))
