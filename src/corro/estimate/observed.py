"""Sizes as one short run of the script shows them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corro.compiler import program_of
from corro.errors import CompilationError
from corro.estimate.sizes import Sizes
from corro.verify.observed import must_have_trained, observing
from corro.verify.processes import Launched
from corro.verify.runs import scratch

if TYPE_CHECKING:
    from corro.compiler import Output
    from corro.verify.processes import Runner
    from corro.verify.records import Record

_FILE = "sizes.json"
_MEASURED = "pytorch"


def observed(output: Output, arguments: tuple[str, ...], runner: Runner | None = None) -> Sizes:
    """The sizes of a few steps of a script, which is run as it is, on the CPU, in a folder of links.

    Args:
        output: of the compiler, for the script.
        arguments: of the script.
        runner: what carries out the run.

    Raises:
        ExecutionError: the script fails, or trains nothing before it ends.
        CompilationError: its framework, or a notebook, cannot be observed.
    """
    if output.plan.frontend != _MEASURED:
        raise CompilationError(f"{output.source.path.name} cannot be measured: only training with PyTorch is.")
    program = program_of(output.source)
    with scratch() as folder:
        job, _ = observing(output, program, program.files[1:], arguments, folder)
        job = replace(job, settings=replace(job.settings, sizes=True))
        record = must_have_trained(job, (runner or Launched())(job), output.source.path.name, "to measure a step")
        told: dict[str, Any] = json.loads(Path(job.settings.folder, "rank0", _FILE).read_text())
    return Sizes(**told, batch=_batch(record))


def _batch(record: Record) -> int | None:
    """How many samples the first step is made on."""
    trained = (each for each in record.passes if each.steps and each.batches)
    return next((len(each.batches[0]) for each in trained), None)
