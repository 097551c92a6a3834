"""Holds ``corro verify`` against the oracle: both must find the same scripts wrong."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from corro.compiler import compile_file
from corro.errors import ExecutionError
from corro.verify import subject_of
from corro.verify.properties import judge
from corro.verify.runs import gather
from fuzz.oracle import Outcome
from fuzz.trial import Result


def disagreements(sample: Iterable[tuple[int, Result]], folder: Path, target: str) -> Iterator[str]:
    """Says where ``corro verify`` comes to another result."""
    from forked import Forked

    runner = Forked()
    try:
        for seed, result in sample:
            faults = list(_faults(result, folder / str(seed), target, runner))
            if faults and not result.outcome.bad:
                yield f"{seed}: the oracle says {result.outcome.value}, verify: {faults[0]}"
            if result.outcome.bad and not faults:
                yield f"{seed}: the oracle says {result.outcome.value} ({result.reason}), verify says nothing"
    finally:
        runner.close()
        shutil.rmtree(folder, ignore_errors=True)


def _faults(result: Result, folder: Path, target: str, runner: object) -> Iterator[str]:
    folder.mkdir(parents=True)
    script = folder / "script.py"
    script.write_text(result.text)
    size = 3 if result.reason.startswith("3 ") else 2
    try:
        subject = replace(subject_of(compile_file(script, target=target), size), directory=folder)
        evidence = gather(subject, runner, folder / "runs")  # type: ignore[arg-type]
    except ExecutionError as error:
        yield f"fails: {error}"
        return
    for judged in judge(evidence).results:
        for fault in judged.faults[:1]:
            yield f"{judged.name}: {fault.message} {fault.line}"


def worth_verifying(result: Result) -> bool:
    """Whether both have something to say."""
    return result.outcome in (Outcome.EQUAL, Outcome.ANNOUNCED, Outcome.SILENT)
