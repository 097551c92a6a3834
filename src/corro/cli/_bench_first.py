"""The first run of an experiment: the script as it is, to its end, with which others are compared."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

from corro.cli._terminal import echo
from corro.errors import ExecutionError, UsageError

if TYPE_CHECKING:
    from corro.bench.design import Design
    from corro.bench.experiment import Measure, Watcher
    from corro.bench.store import Store
    from corro.cli._bench_asked import Asked


def run_first(asked: Asked, design: Design, store: Store, measure: Measure, watcher: Watcher, until: float) -> None:
    """Make it, where it was not made before.

    Raises:
        KeyboardInterrupt: it was ended.
    """
    from corro.bench.experiment import PILOT, Times, one

    if not store.rows():
        limit = until - time.monotonic() if asked.budget else None
        one(design.cells[0].sequential, PILOT, store, measure, watcher, Times(design, ()), 0, limit)


def must_have_run(asked: Asked, store: Store) -> None:
    """See that it was one to compare others with, and reports what is asked for.

    Raises:
        ExecutionError: it failed.
        UsageError: the budget was too small for it, or it does not report that.
    """
    from corro.bench.accuracy import must_be_reported

    first = store.rows()[0]
    if first.failed.startswith("it was ended after") and asked.budget:
        store.forget_failed()
        raise UsageError(
            f"--budget {asked.budget} is too small: not even one sequential run has ended within it.",
            advice="Give more, or end each run early: --steps 100.",
        )
    if first.failed:
        store.forget_failed()
        raise ExecutionError(
            f"the sequential script itself fails: {first.failed}.", advice="Fix it first. Nothing else was run."
        )
    if "steps" not in first.responses:
        echo("corro: no optimizer step was seen in the first run: only whole runs can be compared.", sys.stderr)
    must_be_reported(asked.goals, first)
