"""The file that has all runs: SQLite, a row for each run, written when it ends.

``designs`` says what was asked for, ``runs`` what came of it. A row is there or not: whoever kills the process loses
the run that is under way and nothing else. Block 0 has the first run of a script, which is not analysed.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from corro.bench.design import Treatment
from corro.errors import UsageError

_SCHEMA = """
CREATE TABLE IF NOT EXISTS designs (key TEXT PRIMARY KEY, script TEXT, described TEXT, machine TEXT, begun TEXT);
CREATE TABLE IF NOT EXISTS runs (
    design TEXT, block INTEGER, treatment TEXT, target TEXT, processes INTEGER, threads INTEGER, scaling TEXT,
    options TEXT, failed TEXT, wall_seconds REAL, responses TEXT, numbers TEXT, series TEXT,
    ended TEXT DEFAULT CURRENT_TIMESTAMP, PRIMARY KEY (design, block, treatment)
);
"""


Series = Sequence[tuple[float, float]]
"""Numbers over time: seconds and value."""


@dataclass(frozen=True)
class Row:
    """A run that has ended.

    Args:
        block: which repetition, from 1; 0 for the first run of all.
        treatment: the configuration.
        failed: why it failed; empty where it did not.
        responses: what was measured, by name; see ``runs.RESPONSES``.
        numbers: what the script itself reported last, by the words before each number.
        series: all that it reported of these, with the seconds from launch.
    """

    block: int
    treatment: Treatment
    failed: str = ""
    responses: Mapping[str, float] = field(default_factory=dict)
    numbers: Mapping[str, float] = field(default_factory=dict)
    series: Mapping[str, Series] = field(default_factory=dict)

    @property
    def wall_seconds(self) -> float:
        """From launch to end."""
        return self.responses.get("wall_seconds", 0.0)


class Store:
    """The runs of one design in a file."""

    def __init__(self, connection: sqlite3.Connection, design: str) -> None:
        self._connection = connection
        self._design = design

    def begin(self, script: str, described: Mapping[str, object], machine: str) -> None:
        """Note what the runs are of; once."""
        told = (self._design, script, json.dumps(described), machine)
        statement = "INSERT OR IGNORE INTO designs VALUES (?, ?, ?, ?, CURRENT_TIMESTAMP)"
        with self._connection:
            self._connection.execute(statement, told)

    def add(self, row: Row) -> None:
        """Keep a run; it is on the disk when this returns."""
        own = row.treatment
        names = (
            "design, block, treatment, target, processes, threads, scaling, options, failed, wall_seconds, "
            "responses, numbers, series"
        )
        values = (
            self._design, row.block, own.key, own.target, own.processes, own.threads, own.scaling,
            json.dumps(dict(own.options)), row.failed, row.wall_seconds,
            json.dumps(dict(row.responses)), json.dumps(dict(row.numbers)), json.dumps(dict(row.series)),
        )  # fmt: skip
        with self._connection:
            self._connection.execute(
                f"INSERT OR REPLACE INTO runs ({names}) VALUES ({', '.join('?' * len(values))})", values
            )

    def rows(self) -> tuple[Row, ...]:
        """All runs so far, in the order of blocks."""
        return rows_of(self._connection, self._design)

    def forget_failed(self) -> None:
        """Take out what failed, to be run again."""
        with self._connection:
            self._connection.execute("DELETE FROM runs WHERE design = ? AND failed != ''", (self._design,))


def rows_of(connection: sqlite3.Connection, design: str) -> tuple[Row, ...]:
    """All runs of a design, in the order of blocks."""
    columns = "block, treatment, failed, responses, numbers, series"
    found = connection.execute(f"SELECT {columns} FROM runs WHERE design = ? ORDER BY block, rowid", (design,))
    return tuple(
        Row(block, Treatment.of_key(key), failed, *map(json.loads, told)) for block, key, failed, *told in found
    )


@contextmanager
def opened(path: Path, design: str) -> Iterator[Store]:
    """The runs of a design, in a file that may not exist yet.

    Raises:
        UsageError: the file is something else, or cannot be written.
    """
    connection = None
    try:
        connection = sqlite3.connect(path)
        connection.executescript(_SCHEMA)
        connection.execute("SELECT responses, numbers, series FROM runs LIMIT 1")
    except sqlite3.Error as error:
        if connection is not None:
            connection.close()
        raise UsageError(
            f"{path} cannot take the runs: {error}.", advice="Give another file: --store FILE.sqlite"
        ) from error
    try:
        yield Store(connection, design)
    finally:
        connection.close()
