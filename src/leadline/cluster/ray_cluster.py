"""A cluster as Ray has it: items stream through Ray Data, which replaces workers that die and keeps the order.

items -> Feeder (an actor) -> read, one block an item -> Worker, an actor in each process -> answers
"""

# pyarrow ships no types
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# pyright: reportUnknownLambdaType=false, reportUnknownParameterType=false

import asyncio
import logging
import warnings
from collections.abc import AsyncGenerator, AsyncIterator, Generator, Iterator
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import ray
import ray._private.worker
from ray.data import ActorPoolStrategy, DataContext, Dataset, read_datasource
from ray.data.block import BlockMetadata
from ray.data.datasource import Datasource, ReadTask
from ray.exceptions import RayError

from leadline.cluster.base import TRIES, Answer, ClusterOptions, Work
from leadline.cluster.feeding import Feeder
from leadline.cluster.working import FAILED, LOST, OLD, Worker
from leadline.errors import LeadlineError, UsageError, WorkerFailed

STORE_BYTES = 512 << 20
"""Shared memory of a cluster on this machine, for what is under way."""
AUTO = "auto"
REACHED_SECONDS = 10
WAITING = 2
"""Items that wait for each one that is being worked on."""


@asynccontextmanager
async def open_cluster(options: ClusterOptions) -> AsyncGenerator["RayCluster"]:
    """A cluster: the one this process is in, else the one at the address, else one on this machine for as long as this lasts."""
    # That there are fewer items than workers is no reason to tell anybody.
    warnings.filterwarnings("ignore", "The minimum number of concurrent actors", UserWarning)
    own = not ray.is_initialized()
    if own:
        await _reach(options.address)
        await asyncio.to_thread(_connect, options)
    try:
        cores = int(ray.cluster_resources().get("CPU", 1))
        yield RayCluster(max(1, min(options.workers or cores, cores)))
    finally:
        if own:
            await asyncio.shield(asyncio.to_thread(ray.shutdown))


async def _reach(address: str) -> None:
    """Ray itself waits for minutes for a cluster that is not there."""
    if address in ("", AUTO):
        return
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal() or "/" in host:
        raise UsageError(f"`cluster.address` cannot be `{address}`. It is HOST:PORT, or `{AUTO}`.")
    try:
        async with asyncio.timeout(REACHED_SECONDS):
            _, writer = await asyncio.open_connection(host, int(port))
            writer.close()
    except (OSError, OverflowError, TimeoutError) as error:
        raise _absent(address, error) from None


def _absent(address: str, error: Exception) -> UsageError:
    where = f"at `{address}`" if address else "on this machine"
    return UsageError(
        f"no Ray cluster {where}: {str(error) or 'no answer'}. Check `cluster.address`, or try again."
    )


def _connect(options: ClusterOptions) -> None:
    # Its own lines tell of its innards; what goes wrong is raised, and a full log lies in its session folder.
    quiet: dict[str, Any] = {"logging_level": logging.FATAL, "log_to_driver": False}
    try:
        if options.address:
            ray.init(address=options.address, **quiet)
        else:
            # Only this machine can reach it: whoever reaches a cluster can run code on it.
            ray.init(
                address="local",
                num_cpus=options.workers or None,
                include_dashboard=False,
                object_store_memory=STORE_BYTES,
                _node_ip_address="127.0.0.1",
                **quiet,
            )
    except Exception as error:  # noqa: BLE001 - the rim of a library that raises what its innards raise
        raise _absent(options.address, error) from None
    # It would write to the standard output, among the results, that a worker died, which is what it is there to mend.
    ray._private.worker._worker_logs_enabled = False  # pyright: ignore[reportPrivateUsage]


class RayCluster:
    """So many processes for each piece of work that is spread."""

    def __init__(self, workers: int) -> None:
        self._workers = workers

    @property
    def workers(self) -> int:
        return self._workers

    async def spread(self, work: Work, items: AsyncIterator[bytes]) -> AsyncGenerator[Answer]:
        """As the contract says."""
        feeder: Any = await asyncio.to_thread(ray.remote(num_cpus=0)(Feeder).remote)
        room = asyncio.Semaphore(self._workers * work.at_once * WAITING)
        feeding = asyncio.create_task(_feed(feeder, items, room))
        left = _Left()
        try:
            while not left.ended:
                async with aclosing(self._answers(work, feeder, left)) as answers:
                    async for found in answers:
                        left.take(found.number)
                        room.release()
                        feeder.forget.remote(found.number)
                        yield found
            fed = await feeding
            if fed != left.first:
                raise WorkerFailed(
                    f"{fed - left.first} of {fed} items never came back from Ray. Do it again."
                )
        finally:
            feeding.cancel()
            ray.kill(feeder)
            await asyncio.gather(feeding, return_exceptions=True)

    async def _answers(self, work: Work, feeder: Any, left: "_Left") -> AsyncGenerator[Answer]:
        """The answers to what is left, until there is none or Ray itself fails, which then begins anew."""
        answers = _answered(self._dataset(work, feeder, left.first))
        asked: asyncio.Task[Answer | None] | None = None
        settled = False
        try:
            while True:
                asked = asyncio.create_task(asyncio.to_thread(next, answers, None))
                found = await asyncio.shield(asked)
                if found is None:
                    left.ended = settled = True
                    return
                yield found
        except LeadlineError:
            raise
        except Exception as error:  # noqa: BLE001 - as above
            settled = True
            left.failed(error)
        finally:
            if not settled:
                # Whoever waits for an item gets an error, so that the thread below ends.
                ray.kill(feeder)
            await asyncio.gather(*([asked] if asked else []), return_exceptions=True)
            await asyncio.to_thread(answers.close)

    def _dataset(self, work: Work, feeder: Any, first: int) -> Dataset:
        logging.getLogger("ray.data").setLevel(logging.FATAL)
        with warnings.catch_warnings(), DataContext.current(_context(work)):
            read = read_datasource(_Items(feeder, first), override_num_blocks=1, num_cpus=0)
            pool = ActorPoolStrategy(size=self._workers, max_tasks_in_flight_per_actor=work.at_once * WAITING)
            told: dict[str, Any] = {"batch_size": 1, "compute": pool, "num_cpus": work.cores}
            # It tells that there will be another way from 2.64 on, which this version does not have.
            warnings.simplefilter("ignore", DeprecationWarning)
            return read.map_batches(
                Worker, fn_constructor_args=(work, feeder, Path.cwd()), max_concurrency=work.at_once, **told
            )


@dataclass(slots=True)
class _Left:
    """What is still to be answered: from `first` on, without those in `beyond`."""

    first: int = 0
    ended: bool = False
    beyond: set[int] = field(default_factory=set[int])
    failures: int = 0

    def take(self, number: int) -> None:
        """It was answered."""
        self.failures = 0
        self.beyond.add(number)
        while self.first in self.beyond:
            self.beyond.remove(self.first)
            self.first += 1

    def failed(self, error: Exception) -> None:
        """Ray failed; raise where it has done nothing but fail."""
        self.failures += 1
        if self.failures == TRIES:
            raise WorkerFailed(f"Ray failed {TRIES} times: {' '.join(str(error).split())[:1000]}") from error


def _context(work: Work) -> DataContext:
    with warnings.catch_warnings():
        # A copy reads the settings that are deprecated too.
        warnings.simplefilter("ignore", DeprecationWarning)
        context = DataContext.get_current().copy()
    # Every item is passed on as it comes, and not when there are enough of them for a block.
    context.target_max_block_size = 1
    context.execution_options.preserve_order = work.ordered
    context.enable_progress_bars = False
    return context


async def _feed(feeder: Any, items: AsyncIterator[bytes], room: asyncio.Semaphore) -> int:
    """Give the items out as there is room; returns how many there were."""
    count = 0
    try:
        async for item in items:
            await feeder.put.remote(item)
            count += 1
            await room.acquire()
    finally:
        with suppress(RayError):
            await feeder.end.remote()
        if isinstance(items, AsyncGenerator):
            await items.aclose()
    return count


def _answered(dataset: Dataset) -> Generator[Answer]:
    """Blocking."""
    for batch in dataset.iter_batches(batch_size=None, batch_format="pyarrow", prefetch_batches=0):
        for row in batch.to_pylist():
            if row["kind"] == FAILED:
                raise WorkerFailed(row["data"].decode("utf-8"))
            if row["kind"] != OLD:
                yield Answer(row["number"], None if row["kind"] == LOST else row["data"])


class _Items(Datasource):
    """One task that asks for item after item, from `first` on. If it dies, the next asks for them all again, and gets nothing for what was answered."""

    def __init__(self, feeder: Any, first: int) -> None:
        self._feeder, self._first = feeder, first

    def estimate_inmemory_data_size(self) -> int | None:
        return None

    def get_read_tasks(
        self, parallelism: int, per_task_row_limit: int | None = None, data_context: DataContext | None = None
    ) -> list[ReadTask]:
        feeder, first = self._feeder, self._first
        unknown = BlockMetadata(num_rows=None, size_bytes=None, input_files=None, exec_stats=None)
        return [ReadTask(lambda: _blocks(feeder, first), unknown)]


def _blocks(feeder: Any, number: int) -> Iterator[pa.Table]:
    while (item := ray.get(feeder.item.remote(number))) is not None:
        yield pa.table({"number": pa.array([number]), "item": pa.array([item], pa.large_binary())})
        number += 1
