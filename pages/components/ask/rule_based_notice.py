"""Notices that rules replaced a language model in a result."""

from collections.abc import Sequence

from core.artefacts.stored_artefacts import made_without_model, partly_by_rules
from core.artefacts.workbench import Workbench
from core.playback.decided import decided
from core.retrievers import Spec
from core.steps import Step

SUBSTITUTE = "rule-based, without a language model"
"""What stands beside the name of a retriever whose model was stood in for."""
BY_RULES = "by rules"
"""The same where there is no room for it, and something says what it means."""


def beside_name(spec: Spec, steps: Sequence[Step], bench: Workbench) -> str:
    """Return the notice beside a retriever's name that rules replaced a model, or for which parts.

    Empty if the model wrote all of it.
    """
    if stands_in(spec, steps, bench):
        return SUBSTITUTE
    return "; ".join(partly_by_rules(spec.needs, bench))


def stands_in(spec: Spec, steps: Sequence[Step], bench: Workbench) -> str:
    """Describe the rules that replaced a model throughout, in `steps` or when `spec` was built.

    Empty if one spoke, or none was needed.
    """
    asked = spec.substitute if steps and not decided(steps).turned_to else ""
    built = (artefact.substitute for artefact in made_without_model(spec.needs, bench))
    return " ".join(filter(None, (asked, *built)))
