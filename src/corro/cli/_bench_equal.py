"""Whether the fastest way keeps the accuracy, where it sends rounded gradients: whole trainings are compared."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from corro.cli._bench import Lines
from corro.cli._bench_first import must_have_run, run_first
from corro.cli._terminal import echo

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corro.bench.accuracy import Equality
    from corro.bench.design import Design, Treatment
    from corro.bench.experiment import Measure
    from corro.bench.runs import Subject
    from corro.cli._bench_asked import Asked


@dataclass(frozen=True)
class Trainings:
    """Trainings to their end.

    Args:
        asked: by the command line.
        subject: what is trained.
        file: that keeps the runs.
        key: of these runs in it.
        until: when no further one is begun, by the monotonic clock.
    """

    asked: Asked
    subject: Subject
    file: Path
    key: str
    until: float

    def must_report(self, design: Design) -> None:
        """See that the script reports the numbers that are to stay equal; it is trained once.

        Raises:
            ExecutionError: it fails.
            KeyboardInterrupt: the run was ended.
            UsageError: it does not report them.
        """
        from corro.bench.store import opened

        with opened(self.file, self.key) as store:
            store.begin(self.asked.script, {"whole": True}, "")
            run_first(self.asked, design, store, self._measure(), self._lines, self.until)
            must_have_run(self.asked, store)

    def tested(self, treatment: Treatment, cores: int) -> Sequence[Equality]:
        """Whether the numbers stay those of the sequential run.

        Raises:
            KeyboardInterrupt: a run was ended.
        """
        from corro.bench.accuracy import equalities
        from corro.bench.design import Design
        from corro.bench.experiment import End, conduct
        from corro.bench.store import opened

        design = Design("full", (), (treatment.sequential, treatment), self.asked.seed, cores)
        with opened(self.file, self.key) as store:
            blocks = self.asked.replications or self.asked.fewest
            end = conduct(design, store, self._measure(), blocks, self._lines, until=self.until)
            if end is End.INTERRUPTED:
                raise KeyboardInterrupt
            if end is End.BUDGET:
                echo("corro: the budget is used up before all trainings were made.", sys.stderr)
            return equalities(design, store.rows(), self.asked.goals)

    @property
    def _lines(self) -> Lines:
        return Lines(quiet=self.asked.as_json)

    def _measure(self) -> Measure:
        from corro.bench.runs import attempted

        return partial(attempted, replace(self.subject, steps=0))
