"""One traced run: started in processes of its own, and read."""

from __future__ import annotations

import signal
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from corro.bench.design import Treatment
from corro.bench.runs import Subject, failure, launch, times_of
from corro.errors import ExecutionError
from corro.launch import run
from corro.trace.spans import Rank, read
from corro.verify.records import read_ranks


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
        status = run(
            replace(plan, environment={**plan.environment, "CORRO_TRACE": "1"}), output, lambda: False, to_the_last=True
        )
        if status - 128 in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            raise KeyboardInterrupt
        records = read_ranks(folder)
        if failed := failure([status], records, [output]):
            raise ExecutionError(f"the traced run failed: {failed}.")
        ends = [each["ends"] for each in times_of(records)]
        if not ends or not all(ends):
            raise ExecutionError("no step of an optimizer was seen: there is nothing to trace.")
        folders = (Path(each.folder) for each in records)
        return tuple(read(number, *each, lines) for number, each in enumerate(zip(folders, ends, strict=True)))
