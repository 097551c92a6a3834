"""The experiment is carried out: run after run, each kept the moment it ends, within a budget of time."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from statistics import mean
from typing import Protocol

from corro.bench.design import UNCONNECTED, Design, Treatment
from corro.bench.store import Row, Store

PILOT = 0
"""The block of the first run: the script as it is. It shows that it runs, how long, and is not analysed."""
_ENGINE_SECONDS = 4.0
_LEAST_LIMIT_SECONDS = 600.0
_LIMIT = 20.0

Measure = Callable[[Treatment, int, float, Callable[[int], None], Callable[[], bool]], Row]
"""Makes a run: treatment, block, seconds after which it is ended, who is told of steps, whether it is cancelled."""


class End(str, Enum):
    """How an experiment ended."""

    DONE = "all runs were made"
    BUDGET = "the budget is used up"
    INTERRUPTED = "it was interrupted"


class Watcher(Protocol):
    """Whoever is shown how far an experiment is."""

    def started(self, treatment: Treatment, block: int) -> None:
        """A run begins."""

    def made(self, steps: int) -> None:
        """It has made so many steps."""

    def ended(self, row: Row, left_seconds: float) -> None:
        """It has ended; all others will take about so long."""


@dataclass(frozen=True)
class Times:
    """How long runs take, as far as it is known from those that were made."""

    design: Design
    rows: tuple[Row, ...]

    def seconds(self, treatment: Treatment) -> float:
        """About how many seconds a run will take: what it took, or else by the first run of all.

        More threads than cores take turns; that an engine makes it faster, or slower, is not known before.
        """
        own = [row.wall_seconds for row in self.rows if row.treatment == treatment and row.block != PILOT]
        if own:
            return mean(own)
        known = [row for row in self.rows if not row.failed] or list(self.rows)
        if not known:
            return 0.0
        busy = treatment.processes * treatment.threads / self.design.cores
        together = max(1.0, busy) if treatment.target == UNCONNECTED or treatment.distributed else 1.0
        return known[0].wall_seconds * together + (_ENGINE_SECONDS if treatment.distributed else 0.0)

    def block_seconds(self) -> float:
        """About how many seconds a block takes."""
        return sum(map(self.seconds, self.design.treatments))

    def limit_seconds(self) -> float:
        """After so many seconds a run is taken to hang."""
        return max(_LEAST_LIMIT_SECONDS, _LIMIT * max((row.wall_seconds for row in self.rows), default=0.0))


def missing(design: Design, rows: Sequence[Row], replications: int) -> tuple[tuple[int, Treatment], ...]:
    """The runs that are still to be made, in their order."""
    done = {(row.block, row.treatment) for row in rows}
    planned = ((number, each) for number in range(1, replications + 1) for each in design.block(number))
    return tuple(each for each in planned if each not in done)


def affordable(times: Times, replications: int, budget_seconds: float) -> int:
    """How many replications a budget is enough for, those that were made included; at most so many."""

    def needed(number: int) -> float:
        return sum(times.seconds(treatment) for _, treatment in missing(times.design, times.rows, number))

    return max((number for number in range(replications + 1) if needed(number) <= budget_seconds), default=0)


def conduct(
    design: Design,
    store: Store,
    measure: Measure,
    replications: int,
    watcher: Watcher,
    *,
    until: float = float("inf"),
) -> End:
    """Make the runs of all blocks that are not there yet.

    Args:
        design: of the experiment.
        store: has the runs that were made, and gets the others.
        measure: makes a run.
        replications: the number of blocks.
        watcher: shown how far it is.
        until: when no further run is begun, by the monotonic clock.
    """
    try:
        for block, treatment in missing(design, store.rows(), replications):
            times = Times(design, store.rows())
            if time.monotonic() + times.seconds(treatment) > until:
                return End.BUDGET
            one(treatment, block, store, measure, watcher, times, replications)
    except KeyboardInterrupt:
        return End.INTERRUPTED
    return End.DONE


def one(
    treatment: Treatment,
    block: int,
    store: Store,
    measure: Measure,
    watcher: Watcher,
    times: Times,
    replications: int,
    limit_seconds: float | None = None,
) -> Row:
    """Make one run and keep it.

    Raises:
        KeyboardInterrupt: Ctrl-C, or a signal that means the same, came; its processes have ended.
    """
    cancelled = threading.Event()
    watcher.started(treatment, block)
    limit = times.limit_seconds() if limit_seconds is None else limit_seconds
    with ThreadPoolExecutor(1) as pool:  # in this thread a signal means the end of the experiment
        try:
            row = pool.submit(measure, treatment, block, limit, watcher.made, cancelled.is_set).result()
        except KeyboardInterrupt:
            cancelled.set()
            with _deaf():
                pool.shutdown()
            raise
    store.add(row)
    rows = store.rows()
    left = Times(times.design, rows)
    watcher.ended(row, sum(left.seconds(each) for _, each in missing(times.design, rows, replications)))
    return row


@contextmanager
def _deaf() -> Iterator[None]:
    """A second Ctrl-C does not keep the processes from being ended."""
    import signal  # noqa: PLC0415

    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
