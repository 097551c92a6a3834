"""The profile of a script: some short runs of one process, which see all that several would do but wait."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from corro.bench.design import SEQUENTIAL, Treatment
from corro.bench.runs import Program, Subject, failure, launch, times_of
from corro.classes import dataclass
from corro.errors import ExecutionError
from corro.forecast import rows
from corro.forecast.profile import Gradient, Share
from corro.launch import LaunchPlan, run
from corro.verify.records import read_ranks

_TARGET = "ddp"


@dataclass(frozen=True)
class Way:
    """How a program is run to be profiled.

    Args:
        processes: as one of how many; 0 for the sequential script.
        copies: how many do so at the same time.
    """

    processes: int
    copies: int = 1

    def __str__(self) -> str:
        beside = f", {self.copies} at once" if self.copies > 1 else ""
        return f"one of {self.processes}{beside}" if self.processes else "the script as it is"


@dataclass(frozen=True)
class Measured:
    """What the runs showed.

    Args:
        gradients: in the order in which they are there.
        shares: one for each way.
        samples: in a pass over the data; 0 where that is not known.
        epochs: how many passes there are, where the script came to its end; else 0.
        buffer_bytes: of the model's buffers that are sent.
        startup: of the sequential script, in seconds.
        device: its name.
    """

    gradients: tuple[Gradient, ...]
    shares: tuple[Share, ...]
    samples: int
    epochs: int
    buffer_bytes: int
    startup: float
    device: str


def measured(
    subject: Subject,
    program: Path,
    chosen: Callable[[int], Sequence[Way]],
    threads: int,
    report: Callable[[str], None],
    device: str = "",
) -> Measured:
    """Run a script as it is, then as one of several processes in some ways.

    Args:
        subject: the script; ``steps`` ends each run, and ``warm_up`` are not counted.
        program: its program for DDP.
        chosen: the ways, by the batch of the script.
        threads: of each process.
        report: told what is run.
        device: ``cpu`` where accelerators are not to be seen.

    Raises:
        ExecutionError: a run failed, or made too few steps.
        KeyboardInterrupt: the user has ended it.
    """
    warm_up = subject.warm_up
    alone = Way(0)
    report(str(alone))
    (first,) = runs(subject, program, alone, threads, device)
    rows.gradients([first], warm_up)  # what cannot be forecast is said before anything else is run
    found = [(alone, [first])]
    for way in chosen(rows.batch_of(first, warm_up)):
        report(str(way))
        found.append((way, runs(subject, program, way, threads, device)))
    by_number = dict(rows.gradients(found[-1][1], warm_up))  # of the engine, which sends them in that order
    shares = tuple(
        rows.share_of(own, tuple(by_number), max(1, way.processes), engine=way.processes > 0, warm_up=warm_up)
        for way, own in found
    )
    return Measured(
        gradients=tuple(by_number.values()),
        shares=shares,
        samples=first.told["passes"] * shares[0].batch,
        epochs=first.times["whole"].count(False) if first.whole else 0,
        buffer_bytes=max(each.told["buffer_bytes"] for _, own in found for each in own),
        startup=first.startup,
        device=first.told["device"],
    )


def runs(subject: Subject, program: Path, way: Way, threads: int, device: str) -> list[rows.Run]:
    """What each copy of a process did.

    Raises:
        ExecutionError: one failed, or made no step.
        KeyboardInterrupt: the user has ended it.
    """
    with tempfile.TemporaryDirectory(prefix="corro-forecast-", ignore_cleanup_errors=True) as scratch:
        folders = [Path(scratch, str(number)) for number in range(way.copies)]
        began = time.monotonic()
        plans = [_plan(subject, program, way, threads, folder, device) for folder in folders]
        outputs = [folder / "output.txt" for folder in folders]
        given_up = False
        with ThreadPoolExecutor(way.copies) as pool:  # a signal ends all of them, and not one launch
            started = [
                pool.submit(run, plan, output, lambda: given_up, to_the_last=True)
                for plan, output in zip(plans, outputs, strict=True)
            ]
            try:
                statuses = [each.result() for each in started]
            finally:
                given_up = True
        records = [record for folder in folders for record in read_ranks(folder)]
        if failed := failure(statuses, records, outputs):
            raise ExecutionError(f"the run to be profiled failed ({way}): {failed}.")
        times = times_of(records)
        if not times or not all(each["ends"] for each in times):
            raise ExecutionError("no step of an optimizer was seen: there is nothing to forecast.")
        return [
            rows.read(Path(record.folder), each, each["ends"][0] - began, whole=not record.stopped)
            for record, each in zip(records, times, strict=True)
        ]


def _plan(subject: Subject, program: Path, way: Way, threads: int, folder: Path, device: str) -> LaunchPlan:
    """The launch of one process, without a launcher."""
    named = SEQUENTIAL if not way.processes else _TARGET
    programs = {Treatment(_TARGET, 1, threads).program: Program(program)}
    plan = launch(replace(subject, programs=programs), Treatment(named, 1, threads), folder)
    place = {"RANK": "0", "LOCAL_RANK": "0", "WORLD_SIZE": str(way.processes), "LOCAL_WORLD_SIZE": "1"}
    hidden = {"CUDA_VISIBLE_DEVICES": ""} if device == "cpu" else {}
    added = {"CORRO_FORECAST": str(way.processes), **(place if way.processes else {}), **hidden}
    return replace(plan, environment={**plan.environment, **added})
