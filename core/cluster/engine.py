"""Ray Data, as the stages use it: a function over blocks, in order, watched while it runs."""

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
"""Is told how much more is done, and now and then 0; it may raise."""
_END = object()


class Engine:
    """The Ray that this process is connected to, once it has begun a process.

    `tell` is called while that is waited for, and may raise.
    """

    def __init__(self, tell: Callable[[], None]) -> None:
        wait_for_process(tell)
        self.processors = max(1, int(processors()))
        logging.getLogger("ray.data").setLevel(logging.ERROR)
        context = DataContext.get_current()
        context.enable_progress_bars = False
        context.raise_original_map_exception = True  # what it is wrapped in loses it on the way
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
        found: Blocks = []
        left = list(units)
        for some in self._bundles(blocks, function, tell, actor):
            found += some
            tell(left.pop(0) if left else 0)
        tell(sum(left))
        return found

    def each(
        self, blocks: Blocks, function: Callable[..., Any], tell: Tell
    ) -> Generator[pa.Table, None, None]:
        """As `map`, one after the other as they are made; none is kept."""
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
        how: dict[str, Any] = {"batch_size": None, "batch_format": "pyarrow"}
        if actor is None:
            how |= {"max_retries": LIVES}
        else:
            pool = ActorPoolStrategy(min_size=1, max_size=self.processors)
            how |= {"fn_constructor_args": actor, "compute": pool}
            how |= {"max_restarts": LIVES, "max_task_retries": LIVES}
        with warnings.catch_warnings():  # there is no other way yet to say how often
            warnings.simplefilter("ignore", RayDeprecationWarning)
            made = ray.data.from_arrow_refs(blocks).map_batches(function, **how)
        for bundle in _watched(made, tell):
            yield [each.ref for each in bundle.blocks if each.metadata.num_rows]


def tables(blocks: Blocks) -> Iterator[pa.Table]:
    """Each block, while it is looked at."""
    return map(ray.get, blocks)


def stream(blocks: Blocks) -> pa.RecordBatchReader:
    """All rows of `blocks`, a block at a time."""
    batches = (batch for rows in tables(blocks) for batch in rows.to_batches())
    return pa.RecordBatchReader.from_batches(next(tables(blocks)).schema, batches)


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
