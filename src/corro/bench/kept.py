"""Experiments that were made before, from the file that has their runs."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corro.bench.accuracy import Goals
from corro.bench.design import UNCONNECTED, Design, Factor, designed
from corro.bench.store import Row, rows_of
from corro.errors import UsageError

if TYPE_CHECKING:
    from corro.bench.analysis import Analysis

HEAD = b"SQLite format 3\0"
"""What such a file begins with."""


@dataclass(frozen=True)
class Experiment:
    """One design with its runs.

    Args:
        script: as the command named it.
        described: what was asked for: factors, steps, seed, and the ``command`` itself.
        machine: the machine and the libraries.
        begun: when, in UTC.
        rows: the runs, in the order of blocks.
    """

    script: str
    described: Mapping[str, Any]
    machine: str
    begun: str
    rows: tuple[Row, ...]

    @cached_property
    def design(self) -> Design:
        """The design, made again from its description."""
        told = self.described
        factors = [Factor(name, tuple(levels)) for name, levels in told["factors"].items()]
        return designed(
            factors, told["design"], told["seed"], told["cores"], limits=told.get("limits", self._has_limits())
        )

    @cached_property
    def analysis(self) -> Analysis:
        """What the runs show."""
        from corro.bench.analysis import analysed  # noqa: PLC0415 - needs pandas

        goals = Goals(self.described.get("equal", {}), self.described.get("reach", {}))
        return analysed(self.design, self.rows, early=bool(self.described["steps"]), goals=goals)

    def _has_limits(self) -> bool:
        return any(row.treatment.target == UNCONNECTED for row in self.rows)


def read(path: Path) -> tuple[Experiment, ...]:
    """The experiments in a file that have runs, that with the newest run first.

    Raises:
        UsageError: it is no such file.
    """
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            return tuple(_experiments(connection))
    except sqlite3.Error as error:
        raise UsageError(f"{path} has no runs of corro bench: {error}.") from error


def _experiments(connection: sqlite3.Connection) -> Iterator[Experiment]:
    asked = (
        "SELECT key, script, described, machine, begun FROM designs JOIN runs ON design = key WHERE block > 0 "
        "GROUP BY key ORDER BY MAX(ended) DESC, MAX(runs.rowid) DESC"
    )
    for key, script, described, machine, begun in connection.execute(asked).fetchall():
        told = json.loads(described)
        if not told.get("search"):  # its rounds are no replications
            yield Experiment(script, told, machine, begun, rows_of(connection, key))
