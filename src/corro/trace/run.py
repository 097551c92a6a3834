"""One traced run: started in processes of its own, and read."""

from __future__ import annotations

import signal
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from corro.bench.design import Treatment
from corro.bench.runs import Subject, failure, launch, times_of
from corro.errors import ExecutionError
from corro.launch import run
from corro.trace import inside_keras, profiler, timeline, xplane
from corro.trace.inside import WATCHED
from corro.trace.spans import STEP, Rank, notes, read
from corro.trace.summary import watched
from corro.verify.records import read_ranks

HOROVOD = "horovod"
_TIMELINE = "horovod.json"
_WORST_SECONDS = 0.005
"""A trace whose parts are further from each other than that would be read wrongly."""


def traced(subject: Subject, treatment: Treatment, lines: Mapping[str, str]) -> tuple[Rank, ...]:
    """Run a program, and give what each of its processes did.

    Args:
        subject: what is run; ``steps`` ends it early.
        treatment: the engine, and how many processes.
        lines: the script's own line for each of the program that is another, as ``FILE:LINE``.

    Raises:
        ExecutionError: it failed, or made no step.
        KeyboardInterrupt: the user has ended it.
    """
    with tempfile.TemporaryDirectory(prefix="corro-trace-", ignore_cleanup_errors=True) as scratch:
        folder = Path(scratch, "run")
        plan = launch(subject, treatment, folder)
        output = folder / "output.txt"
        own = {timeline.VARIABLE: str(folder / _TIMELINE), timeline.MARKS: "1"} if treatment.target == HOROVOD else {}
        added = {WATCHED: str(watched(subject.steps, subject.warm_up)), **own}
        status = run(replace(plan, environment={**plan.environment, **added}), output, lambda: False, to_the_last=True)
        if status - 128 in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            raise KeyboardInterrupt
        records = read_ranks(folder)
        if failed := failure([status], records, [output]):
            raise ExecutionError(f"the traced run failed: {failed}.")
        ends = [each["ends"] for each in times_of(records)]
        if not ends or not all(ends):
            raise ExecutionError("no step of an optimizer was seen: there is nothing to trace.")
        folders = (Path(each.folder) for each in records)
        ranks = [read(number, *each, lines) for number, each in enumerate(zip(folders, ends, strict=True))]
        return tuple(_merged(rank, Path(record.folder)) for rank, record in zip(ranks, records, strict=True))


def _merged(rank: Rank, folder: Path) -> Rank:
    """A process with what other tracers saw in it."""
    if noted := notes(folder, "profiler"):
        files = sorted((folder / inside_keras.FOLDER).rglob("*.xplane.pb"))
        profile = xplane.read(files[-1].read_bytes()) if files else xplane.Profile((), {})
        rank = profiler.merged(rank, profile, noted)
    if noted := notes(folder, HOROVOD):
        rank = with_timeline(rank, noted, folder.with_name(_TIMELINE))
    return rank


def with_timeline(rank: Rank, noted: Mapping[str, Any], file: Path) -> Rank:
    """Rank 0, with Horovod's timeline; where the clocks cannot be compared, that is said, and it is left out."""
    if not file.exists():
        return replace(rank, said=(*rank.said, "Horovod wrote no timeline."))
    found = timeline.read(file.read_text(errors="replace"))
    until = noted["steps"]
    steps = [each for each in rank.of(STEP) if not until or each.step < until]
    seen = (
        timeline.by_steps(found, steps, noted["midnight"])
        if steps
        else timeline.Noted(noted["given"], noted["done"], noted["midnight"])
    )
    clock = timeline.alignment(found, seen)
    if clock is None or (clock.error > _WORST_SECONDS and not clock.confirmed):
        why = "nothing in it could be compared" if clock is None else f"its clock is known to {clock.error:.3g} s only"
        return replace(rank, said=(*rank.said, f"Horovod's timeline is left out: {why}."))
    first = min((span.start for span in rank.spans), default=0.0)
    exchanged = timeline.buckets(found, seen, clock.offset, rank.ends)
    return replace(
        rank,
        spans=tuple(sorted((*rank.spans, *exchanged), key=lambda each: each.end)),
        foreign=(*rank.foreign, *timeline.events(found, clock.offset, first)),
        watched=until,
        beside=True,
        said=(*rank.said, timeline.said(found, clock, noted["writer_share"])),
    )
