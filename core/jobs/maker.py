"""Choose what makes a job's pseudo-queries and extracts its entities: rules, a file, or the model.

Also connect any job to its model, with calls metered and limited by the job's budget.
"""

from dataclasses import replace
from typing import TYPE_CHECKING

from core.artefacts.entity_graph.model_extraction import Extractor
from core.errors import InputError
from core.hop_graph.given_graph import GivenGraph
from core.hop_graph.model_questions import ByModel
from core.hop_graph.pseudo_queries import RULES, Maker, Rules
from core.jobs.job import Job
from core.jobs.journal import Journal
from core.jobs.made_elsewhere import read_made, stored_made
from core.models.kept.replies import Replies
from core.models.leave import Leave
from core.models.money.budget import NO_BUDGET, Budget
from core.models.money.metered import Meter
from core.models.money.personal import metered_client
from core.models.money.prices import price_of
from core.models.oracle import Oracle
from core.places import Place, place_of
from core.progress import Progress, Report
from core.settings import SERVER_EMBEDDER, Endpoint, settings
from core.store.metadata import Meta
from core.text.import_sources import is_made_elsewhere, path_in
from core.types import Passage

if TYPE_CHECKING:
    from core.models.embedder import Embedder


def maker_of(
    job: Job, name: str, rules: Rules, journal: Journal, report: Report
) -> tuple[Maker, Report]:
    """Return the generator called `name`, and a `report` that adds the cost of its model calls.

    `journal` records the same cost, and the passages whose questions were missing or dropped.

    Parameters
    ----------
    rules : generator by rules, also of questions that a model or file does not give. Its limits
        hold for a model too.

    Raises
    ------
    InputError : `name` is a model, and no model or a different one is configured.
    """
    if name in ("", RULES.name):
        return rules, report
    if is_made_elsewhere(name):
        return _made_elsewhere(job, name, rules, journal), report
    by_model, meter = model_maker(job.index, name, job.leave, job.budget, rules)
    journal.meter = meter

    def missed(passage: Passage, why: str) -> None:
        journal.missed[passage.id] = why

    def dropped(passage: Passage, count: int) -> None:
        journal.dropped[passage.id] = count

    by_model = replace(by_model, missed=missed, dropped=dropped)
    return by_model, _with_cost("questions", meter, report)


def extractor_of(
    job: Job, name: str, journal: Journal, report: Report
) -> tuple[Extractor | None, Report]:
    """Return what extracts entities and triples with a model, and a `report` as `maker_of`.

    It shares the budget of the job with the other models, and tells `journal` what it left out.

    Parameters
    ----------
    name : of the model; None is returned if it is empty.

    Raises
    ------
    InputError : `name` is a model, and no model or a different one is configured.
    """
    if not name:
        return None, report
    extractor, meter = model_extractor(job.index, name, job.leave, job.budget, journal.meter)
    journal.meter = meter
    extractor = replace(extractor, tell=journal.notes.extend)
    return extractor, _with_cost("extract", meter, report)


def _with_cost(stage: str, meter: Meter, report: Report) -> Report:
    """Return `report` with the cost of a model's calls in the progress of `stage`."""

    def paid(progress: Progress) -> None:
        is_paid = progress.stage == stage
        report(replace(progress, spending=meter.spending) if is_paid else progress)

    return paid


def embedder_of(job: Job, name: str, journal: Journal, report: Report) -> "tuple[Embedder, Report]":
    """Return the embedder called `name`, and a `report` that adds the cost of its server.

    An embedding server shares the budget of the job with the language model.

    Raises
    ------
    ModelError : the embedder cannot be loaded.
    InputError : the embedder runs on a server, and the budget is in money but the price is
        unknown, or the job is a distributed build.
    """
    from core.models.embedder import load_embedder  # takes seconds to import
    from core.models.server_embedder import ServerEmbedder

    embedder = load_embedder(name)
    if not isinstance(embedder, ServerEmbedder):
        return embedder, report
    if job.on:
        raise InputError(
            f"{name} runs on a server, and a distributed build cannot enforce a budget on "
            "it. Build without --on, or choose a local embedder."
        )
    price = price_of(embedder.endpoint, settings().prices)
    meter = journal.meter = journal.meter or Meter(price, job.budget)
    meter.check(price)
    llm = metered_client(embedder.endpoint, meter, price)
    return embedder.asking(llm, job.leave), _with_cost("embed", meter, report)


def embedder_when_needed(
    job: Job, meta: Meta, journal: Journal, report: Report
) -> "tuple[Embedder, Report]":
    """Return the embedder of an index and a `report`, as `embedder_of`, without loading it.

    An embedder on this machine is loaded when it first gets a text whose vector is not stored.
    """
    from core.models.embedder import load_embedder
    from core.models.known_vectors import KnownVectors
    from core.store.tables import check_embedder

    if meta.embedder.name.startswith(SERVER_EMBEDDER):
        return embedder_of(job, meta.embedder.name, journal, report)

    def load() -> "Embedder":
        embedder = load_embedder(meta.embedder.name)
        check_embedder(meta, embedder.info, job.index.name)
        return embedder

    return KnownVectors(meta.embedder, {}, load), report


def _made_elsewhere(job: Job, name: str, rules: Rules, journal: Journal) -> Maker:
    """Return the maker for a file; it reports unmatched entries to `journal`."""
    path = path_in(name)
    if path:
        made = read_made(name, job.names.get(path, ""))
    else:
        made = stored_made(name, place_of(job.source) if job.kind == "edit" else job.index)
    if isinstance(made, GivenGraph):
        if str(rules.limits):
            raise InputError(
                "A graph from a file has its own questions and edges. Build it without limits of "
                "in-questions, out-questions and edges."
            )
        return replace(made, told=journal.notes.extend)

    def missed(passage: Passage, why: str) -> None:
        journal.missed[passage.id] = why

    return replace(made, rules=rules, missed=missed)


def model_maker(
    index: Place,
    name: str,
    leave: Leave,
    budget: Budget = NO_BUDGET,
    rules: Rules = RULES,
) -> tuple[ByModel, Meter]:
    """Return the generator that calls the model `name`, and the meter of its calls.

    Parameters
    ----------
    index : folder in which replies are cached.
    leave : permission to call the model, from whoever started the job or the pilot.
    rules : generator of questions that the model does not give, and the limits of both.

    Raises
    ------
    InputError : no model or a different one is configured, or the budget is in money and the price
        of the model is unknown.
    """
    oracle, meter = metered(index, _endpoint(index, name, "pseudo-queries"), leave, budget)
    return ByModel(oracle, rules), meter


def model_extractor(
    index: Place,
    name: str,
    leave: Leave,
    budget: Budget = NO_BUDGET,
    shared: Meter | None = None,
) -> tuple[Extractor, Meter]:
    """Return what extracts entities and triples with the model `name`, and the meter of its calls.

    Parameters
    ----------
    index, leave, budget : as for `model_maker`.
    shared : the meter of the job, if another model has one.

    Raises
    ------
    InputError : as by `model_maker`.
    """
    endpoint = _endpoint(index, name, "entities and triples")
    oracle, meter = metered(index, endpoint, leave, budget, shared)
    return Extractor(oracle), meter


def _endpoint(index: Place, name: str, what: str) -> Endpoint:
    """Return the endpoint of the configured model, which must be called `name`."""
    endpoint = settings().endpoint
    if endpoint is None or endpoint.model != name:
        now = f"HOPRAG_LLM is {endpoint.model}" if endpoint else "HOPRAG_LLM is not set"
        raise InputError(
            f"{index.name} needs the model {name} for its {what}, but {now}. Set "
            f"HOPRAG_LLM to {name}, or rebuild the index with a different generator."
        )
    return endpoint


def metered(
    index: Place, endpoint: Endpoint, leave: Leave, budget: Budget, shared: Meter | None = None
) -> tuple[Oracle, Meter]:
    """Return the model at `endpoint` with the cached replies of `index`, and its meter.

    The reader model of the endpoint, if any, shares the budget and has its own price.

    Parameters
    ----------
    shared : a meter that counts these calls too, instead of a new one with `budget`.

    Raises
    ------
    InputError : the budget is in money and a price is unknown.
    """
    meter = shared or Meter(price_of(endpoint, settings().prices), budget)
    oracle = Oracle(metered_client(endpoint, meter), Replies(index), leave)
    if endpoint.reader:
        price = price_of(endpoint.reader, settings().prices)
        meter.check(price)
        client = metered_client(endpoint.reader, meter, price)
        oracle.reader = Oracle(client, oracle.replies, leave)
    return oracle, meter
