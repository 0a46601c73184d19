"""Fixes for the lost gold of a run: searched for on request, stored in the index folder."""

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from core.artefacts.workbench import Workbench
from core.errors import InputError
from core.funnel.attempts import Look, search_fixes
from core.funnel.changes import TOP_K
from core.funnel.data import Fate
from core.funnel.reach import passages_of_gold_id
from core.funnel.replay import ReplayBudget
from core.funnel.rescue import Rescue
from core.funnel.trials import Trial
from core.marks.store import question_key
from core.models.remembered import Remembered
from core.places import Place
from core.playback.returned_texts import measured_steps
from core.retrievers import Spec, make
from core.runs.configuration import configuration
from core.runs.gold import passages_of_gold
from core.runs.run import Row, Run
from core.store.locking.sqlite_file import SmallFile
from core.text.display.plurals import number

FILE = "rescues.sqlite"
# `gold` are the passages that a gold id stood for, and all gold beside it: marks may change that.
_VERSION = 12
"""Of what is tried: what came of each setting is held, too, choices and values up to the limits of
a weight are tried, and values around a fix; a larger top k with as many seeds as before, too.
A fix that the walk cannot be made to take is none. A search has a number of replays,
and which values of a setting work is read from all that were tried."""
_TABLES = (
    "CREATE TABLE found (configuration TEXT NOT NULL, question TEXT NOT NULL, gold TEXT NOT NULL,"
    " rescue TEXT NOT NULL, PRIMARY KEY (configuration, question, gold)) WITHOUT ROWID",
)
Found = dict[str, Rescue | None]
"""The fix of each gold id; if no change retrieves it, the change that came nearest, if any."""
Looks = dict[str, Look]
"""By gold id, the fix that was found and the changes that were tried."""


@dataclass(frozen=True, slots=True)
class Losses:
    """The gold of a question that a retriever lost.

    Parameters
    ----------
    passages_by_gold : the passages of each gold id, as marks may have changed them.
    gold : all gold ids of the question.
    """

    spec: Spec
    question: str
    lost: Sequence[Fate]
    passages_by_gold: Mapping[str, Sequence[str]] = field(default_factory=dict)
    gold: Sequence[str] = ()


class Rescues:
    """The stored fixes of an index, for all its runs.

    The gold that a configuration loses, and its fix, do not depend on the run.

    Raises
    ------
    StoreError : by every method, if the file cannot be read or written.
    """

    def __init__(self, folder: Place) -> None:
        self._file = SmallFile(folder / FILE, _TABLES)

    def get(self, configuration: str, golds: Mapping[str, Mapping[str, str]]) -> dict[str, Looks]:
        """Return the earlier searches for a fix by question and gold id.

        `golds` holds the keys of each gold id.
        """
        words: dict[str, list[str]] = {}
        for question in golds:  # two questions of a run may differ only in white space
            words.setdefault(question_key(question), []).append(question)
        rows = self._file.read(
            "SELECT question, gold, rescue FROM found WHERE configuration = ?"
            " AND question IN (SELECT value FROM json_each(?))",
            *(configuration, json.dumps([*words])),
        )
        known: dict[str, Looks] = {question: {} for question in golds}
        for asked, key, raw in rows:
            with suppress(ValueError):  # an unreadable fix is searched for again
                look = _from_json(raw)
                for question in words[asked]:
                    names = (name for name, one in golds[question].items() if one == key)
                    known[question].update(dict.fromkeys(names, look))
        return known

    def put(self, configuration: str, question: str, gold: Mapping[str, str], found: Looks) -> None:
        """Store the fixes `found`; `gold` has the key of each gold id."""
        key = question_key(question)
        with self._file.transaction() as written:
            written.executemany(
                "INSERT OR REPLACE INTO found VALUES (?, ?, ?, ?)",
                [(configuration, key, gold[name], _to_json(one)) for name, one in found.items()],
            )


def lost_of(row: Row) -> tuple[Fate, ...]:
    """Return the fates of the gold that a row lost, as far as they are known."""
    return tuple(fate for fate in row.fates if fate.lost)


def known_rescues(run: Run, row: Row, workbench: Workbench) -> Found:
    """Return the fixes found earlier for one row (see `all_known`)."""
    (rescues,) = all_known(run, [row], workbench)
    return rescues


def all_known(run: Run, rows: Sequence[Row], workbench: Workbench) -> list[Found]:
    """Return for each row the fixes of its lost gold that any page found earlier.

    Raises
    ------
    StoreError : the file cannot be read.
    """
    return [_decided_fixes(held) for held in _stored_searches(run, rows, workbench)]


def _stored_searches(run: Run, rows: Sequence[Row], workbench: Workbench) -> list[Looks]:
    """Return for each row the stored searches for a fix, by id of lost gold."""
    passages_by_gold = _passages_by_gold(run, rows, workbench)
    wanted: dict[str, dict[str, dict[str, str]]] = {}
    for row, passages in zip(rows, passages_by_gold, strict=True):
        keys = _storage_keys(lost_of(row), passages, _golds(row), workbench)
        wanted.setdefault(row.retriever, {}).setdefault(row.question.text, {}).update(keys)
    stored = Rescues(workbench.index.path)
    by_retriever = {
        retriever: stored.get(run.configuration(retriever), golds)
        for retriever, golds in wanted.items()
    }
    return [by_retriever[row.retriever][row.question.text] for row in rows]


def rescued(run: Run, row: Row, workbench: Workbench) -> Found:
    """Return the fix of each lost gold passage of a row; search for those not yet known.

    A search that was stopped is continued. No model is called: where the walk needs a reply that is
    not cached, there is no fix.

    Raises
    ------
    InputError : the ranking was imported, or the index or its model has changed.
    LeaveMissing : the search would have to call a model.
    StoreError : the fixes cannot be written.
    """
    spec = Spec.known(row.retriever)
    digest = run.configuration(row.retriever)
    if spec is None or configuration(workbench, spec) != digest:
        raise InputError(
            f"Could not search for fixes: {row.retriever} has changed since {run.name}. Start a "
            "new run."
        )
    return continued(losses_of(run, row, workbench, spec), workbench)


def losses_of(run: Run, row: Row, workbench: Workbench, spec: Spec) -> Losses:
    """Return the gold that a row of `spec` lost."""
    (passages_by_gold,) = _passages_by_gold(run, [row], workbench)
    return Losses(spec, row.question.text, lost_of(row), passages_by_gold, _golds(row))


@dataclass(frozen=True, slots=True)
class Known:
    """Recorded results of earlier searches: fixes of lost gold and the changes tried, by gold id,
    and the longest incomplete search, or None.
    """

    found: Found
    trials: Mapping[str, tuple[Trial, ...]]
    stopped: "Stopped | None"


def known(some: Losses, workbench: Workbench, digest: str = "") -> Known:
    """Return the recorded results of earlier searches for fixes of lost gold.

    Parameters
    ----------
    digest : configuration of the retriever in a run; by default the current one.

    Raises
    ------
    StoreError : the file cannot be read.
    """
    held = _earlier_looks(some, workbench, digest or configuration(workbench, some.spec))
    fixes = _decided_fixes(held)
    trials = {name: look.trials for name, look in held.items() if look.trials}
    return Known(fixes, trials, _stopped(held, fixes))


def _earlier_looks(some: Losses, workbench: Workbench, digest: str) -> Looks:
    keys = _storage_keys(some.lost, some.passages_by_gold, some.gold, workbench)
    held = Rescues(workbench.index.path)
    return held.get(digest, {some.question: keys})[some.question]


def _decided_fixes(held: Looks) -> Found:
    return {name: look.rescue for name, look in held.items() if not look.open}


def undecided(gold: str, found: Found) -> bool:
    """Return whether no search so far was long enough to decide if a change retrieves `gold`."""
    rescue = found.get(gold)
    return rescue.undecided or rescue.stopped if rescue else gold not in found


@dataclass(frozen=True, slots=True)
class Stopped:
    """A search that its budget ended; `late` if the time limit did."""

    budget: ReplayBudget
    late: bool

    def __str__(self) -> str:
        """Say what ended the search, in a sentence.

        >>> print(Stopped(ReplayBudget(100, 120), late=False))
        The search stopped after 100 replays, before trying everything.
        >>> print(Stopped(ReplayBudget(100, 120), late=True))
        The search reached its time limit of 120 seconds before its 100 replays.
        """
        most = number(self.budget.replays, "replay")
        if self.late:
            limit = number(int(self.budget.seconds), "second")
            return f"The search reached its time limit of {limit} before its {most}."
        return f"The search stopped after {most}, before trying everything."


def _stopped(held: Looks, found: Found) -> Stopped | None:
    """Return the longest search that was stopped before it decided about all gold, if any."""
    left = [look for name, look in held.items() if look.budget and undecided(name, found)]
    if not left:
        return None
    longest = max(left, key=lambda look: look.budget.replays if look.budget else 0)
    return Stopped(longest.budget or ReplayBudget(), longest.late)


def searched(some: Losses, workbench: Workbench, budget: ReplayBudget | None = None) -> Found:
    """Return the fix of each lost gold passage; search for the unknown and undecided ones.

    No model is called. When `budget` (by default a plain `ReplayBudget`) is used up, the fixes
    found so far are returned and the others left out.

    Raises
    ------
    LeaveMissing : a model would have to be asked.
    StoreError : what is found cannot be written.
    """
    fixes = known(some, workbench).found
    left = [fate for fate in some.lost if undecided(fate.gold, fixes)]
    if left:
        # Embed each text once, not again in each replay.
        free = workbench.embedding_by(Remembered(workbench.embedder)).with_leave(None)
        free = free.with_embedded([some.question])
        asked = make(some.spec, free).retrieve(some.question)
        steps = measured_steps(tuple(asked), workbench.index, some.question)
        about = (some.question, some.spec, free, steps, left, some.passages_by_gold, some.gold)
        new = search_fixes(*about, budget or ReplayBudget())
        keys = _storage_keys(some.lost, some.passages_by_gold, some.gold, workbench)
        digest = configuration(workbench, some.spec)
        Rescues(workbench.index.path).put(digest, some.question, keys, new)
        fixes = {**fixes, **_decided_fixes(new)}
    return {fate.gold: fixes[fate.gold] for fate in some.lost if fate.gold in fixes}


def continued(some: Losses, workbench: Workbench) -> Found:
    """Search like `searched`, with a larger budget if an earlier search was stopped."""
    before = known(some, workbench).stopped
    return searched(some, workbench, before.budget.longer() if before else None)


def _passages_by_gold(
    run: Run, rows: Sequence[Row], workbench: Workbench
) -> list[Mapping[str, Sequence[str]]]:
    """Return, for each row, the passages of each gold id."""
    return passages_of_gold([row.question for row in rows], run, workbench.index)


def _storage_keys(
    lost: Sequence[Fate],
    passages_by_gold: Mapping[str, Sequence[str]],
    gold: Sequence[str],
    workbench: Workbench,
) -> dict[str, str]:
    """Return the storage key of each lost gold id: JSON of its passages and of all `gold`.

    A search is valid only for the same question with the same gold.
    """

    def key(fate: Fate) -> str:
        """Return the JSON text of the passages of a lost gold id and of all gold."""
        return json.dumps(
            [
                sorted(passages_of_gold_id(fate.gold, workbench.index, passages_by_gold)),
                sorted(gold),
            ]
        )

    return {fate.gold: key(fate) for fate in lost}


def _golds(row: Row) -> list[str]:
    return [fate.gold for fate in row.fates]


def _to_json(look: Look) -> str:
    """Format a search for a fix as JSON text, with its budget and the version of the format."""
    rescue = look.rescue.to_json() if look.rescue else None
    tried = [trial.to_json() for trial in look.trials]
    budget = [look.budget.replays, look.budget.seconds] if look.budget else None
    record = {"rescue": rescue, "tried": tried, "open": look.open, "late": look.late}
    return json.dumps({"version": _VERSION, "budget": budget, **record})


def _from_json(raw: str) -> Look:
    """Read the output of `_to_json`.

    Raises
    ------
    ValueError : an earlier version, which tried fewer changes, found no fix.
    """
    record = json.loads(raw) if raw else {}
    if record.get("version") == _VERSION:
        rescue = Rescue.from_json(record["rescue"]) if record["rescue"] else None
        tried = tuple(Trial(**one) for one in record["tried"])
        budget = ReplayBudget(*record["budget"]) if record["budget"] else None
        return Look(rescue, tried, record["open"], budget, record["late"])
    rescue = Rescue.from_json(record)
    if not rescue.keeps or (rescue.seeds and TOP_K in rescue.change):
        raise ValueError("an earlier version tried fewer changes")
    return Look(rescue)
