"""Ray Data, as the stages use it: a function over blocks, in order, watched while it runs."""

import logging
import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pyarrow as pa
import ray
import ray.data
from ray.data import ActorPoolStrategy, DataContext, Dataset

from core.cluster.waiting import LIVES, TICK, processors

Blocks = list[Any]
"""References to tables in Ray's object store, none of them empty."""
Tell = Callable[[int], None]
"""Is told how much more is done, and now and then 0; it may raise."""
_END = object()


class Engine:
    """The Ray that this process is connected to."""

    def __init__(self) -> None:
        self.processors = max(1, int(processors()))
        logging.getLogger("ray.data").setLevel(logging.ERROR)
        context = DataContext.get_current()
        context.enable_progress_bars = False
        context.execution_options.preserve_order = True
        context.target_max_block_size = None  # what a function returns stays one block

    def map(
        self,
        blocks: Blocks,
        function: Callable[..., Any],
        units: Sequence[int],
        tell: Tell,
        actor: tuple[Any, ...] | None = None,
    ) -> Blocks:
        """What `function` makes of each block, in their order; without what is empty.

        A process that is lost is replaced, and what it was at is done again; `LIVES` times.

        Parameters
        ----------
        units : what each block counts as.
        actor : given to the constructor where `function` is a class; else it is a function.
        """
        how: dict[str, Any] = {"batch_size": None, "batch_format": "pyarrow"}
        if actor is None:
            how |= {"max_retries": LIVES}
        else:
            pool = ActorPoolStrategy(min_size=1, max_size=self.processors)
            how |= {"fn_constructor_args": actor, "compute": pool}
            how |= {"max_restarts": LIVES, "max_task_retries": LIVES}
        made = ray.data.from_arrow_refs(blocks).map_batches(function, **how)
        return _gathered(made, units, tell)


def tables(blocks: Blocks) -> Iterator[pa.Table]:
    """Each block, while it is looked at."""
    return map(ray.get, blocks)


def stream(blocks: Blocks) -> pa.RecordBatchReader:
    """All rows of `blocks`, a block at a time."""
    batches = (batch for rows in tables(blocks) for batch in rows.to_batches())
    return pa.RecordBatchReader.from_batches(next(tables(blocks)).schema, batches)


def _gathered(made: Dataset, units: Sequence[int], tell: Tell) -> Blocks:
    """The blocks of `made`, which is computed by this."""
    found: Blocks = []
    left = list(units)
    for bundle in _watched(made, tell):
        found += [each.ref for each in bundle.blocks if each.metadata.num_rows]
        tell(left.pop(0) if left else 0)
    tell(sum(left))
    return found


def _watched(made: Dataset, tell: Tell) -> Iterator[Any]:
    """Its bundles as they come. `tell` is called in between, so that it can end the waiting."""
    come: queue.Queue[Any] = queue.Queue()
    stop = threading.Event()

    def take() -> None:
        try:
            for bundle in made.iter_internal_ref_bundles():
                come.put(bundle)
                if stop.is_set():
                    return
        except BaseException as error:  # raised where it is waited for
            come.put(error)
        come.put(_END)

    threading.Thread(target=take, daemon=True).start()
    try:
        yield from _taken(come, tell)
    finally:
        stop.set()


def _taken(come: "queue.Queue[Any]", tell: Tell) -> Iterator[Any]:
    while True:
        try:
            bundle = come.get(timeout=TICK)
        except queue.Empty:
            tell(0)
            continue
        if bundle is _END:
            return
        if isinstance(bundle, BaseException):
            raise bundle
        yield bundle
