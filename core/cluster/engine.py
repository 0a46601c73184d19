"""Apply functions to blocks of tables with Ray Data, in order, with progress and cancellation."""

import logging
import queue
import threading
import warnings
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from typing import Any

import pyarrow as pa
import ray
import ray.data
from ray.data import ActorPoolStrategy, DataContext, Dataset
from ray.util.annotations import RayDeprecationWarning

from core.cluster.session import LIVES, TICK
from core.cluster.waiting import processors, wait_for_process

Blocks = list[Any]
"""References to tables in Ray's object store, none of them empty."""
Tell = Callable[[int], None]
"""Called with the amount of newly finished work, or 0 as a heartbeat; may raise."""
_END = object()


class Engine:
    """The connection to Ray, ready when Ray has started a first process.

    Parameters
    ----------
    tell : called repeatedly while waiting; may raise.
    """

    def __init__(self, tell: Callable[[], None]) -> None:
        wait_for_process(tell)
        self.processors = max(1, int(processors()))
        logging.getLogger("ray.data").setLevel(logging.ERROR)
        context = DataContext.get_current()
        context.enable_progress_bars = False
        context.raise_original_map_exception = True  # Ray's wrapper loses the original error
        context.execution_options.preserve_order = True
        context.target_max_block_size = None  # keep the result of a function in one block

    def map(
        self,
        blocks: Blocks,
        function: Callable[..., Any],
        units: Sequence[int],
        tell: Tell,
        actor: tuple[Any, ...] | None = None,
    ) -> Blocks:
        """Apply `function` to each block and return the results in order, without empty ones.

        Work of a lost process is repeated in another one, up to `LIVES` times.

        Parameters
        ----------
        units : the amount of work in each block, for progress.
        actor : constructor arguments, if `function` is a class.
        """
        results: Blocks = []
        left = list(units)
        for some in self._bundles(blocks, function, tell, actor):
            results += some
            tell(left.pop(0) if left else 0)
        tell(sum(left))
        return results

    def each(
        self, blocks: Blocks, function: Callable[..., Any], tell: Tell
    ) -> Generator[pa.Table, None, None]:
        """Yield the results of `map` one at a time, without keeping them."""
        with closing(self._bundles(blocks, function, tell)) as bundles:
            for some in bundles:
                yield from tables(some)

    def _bundles(
        self,
        blocks: Blocks,
        function: Callable[..., Any],
        tell: Tell,
        actor: tuple[Any, ...] | None = None,
    ) -> Generator[Blocks, None, None]:
        """Yield the non-empty blocks of each finished bundle, in order."""
        options: dict[str, Any] = {"batch_size": None, "batch_format": "pyarrow"}
        if actor is None:
            options |= {"max_retries": LIVES}
        else:
            pool = ActorPoolStrategy(min_size=1, max_size=self.processors)
            options |= {"fn_constructor_args": actor, "compute": pool}
            options |= {"max_restarts": LIVES, "max_task_retries": LIVES}
        with warnings.catch_warnings():  # Ray has no other way yet to set the number of retries
            warnings.simplefilter("ignore", RayDeprecationWarning)
            made = ray.data.from_arrow_refs(blocks).map_batches(function, **options)
        for bundle in _watched(made, tell):
            yield [each.ref for each in bundle.blocks if each.metadata.num_rows]


def tables(blocks: Blocks) -> Iterator[pa.Table]:
    """Yield each block as a table, fetched when it is needed."""
    return map(ray.get, blocks)


def stream(blocks: Blocks) -> pa.RecordBatchReader:
    """Return a reader over all rows of `blocks`, one block at a time."""
    batches = (batch for rows in tables(blocks) for batch in rows.to_batches())
    return pa.RecordBatchReader.from_batches(next(tables(blocks)).schema, batches)


def _watched(made: Dataset, tell: Tell) -> Iterator[Any]:
    """Yield the bundles of a dataset, calling `tell` in between so that it can cancel."""
    incoming: queue.Queue[Any] = queue.Queue()
    stop = threading.Event()

    def produce() -> None:
        """Put results on the queue until they end or `stop` is set, then an end mark."""
        try:
            for bundle in made.iter_internal_ref_bundles():
                incoming.put(bundle)
                if stop.is_set():
                    return
        except BaseException as error:  # raised again by `_drain`
            incoming.put(error)
        incoming.put(_END)

    threading.Thread(target=produce, daemon=True).start()
    try:
        yield from _drain(incoming, tell)
    finally:
        stop.set()


def _drain(incoming: "queue.Queue[Any]", tell: Tell) -> Iterator[Any]:
    """Yield items until `_END`, calling `tell(0)` while waiting; raise an item that is an error."""
    while True:
        try:
            bundle = incoming.get(timeout=TICK)
        except queue.Empty:
            tell(0)
            continue
        if bundle is _END:
            return
        if isinstance(bundle, BaseException):
            raise bundle
        yield bundle
