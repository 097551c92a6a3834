"""An experiment goes on where it was ended, by whatever, and keeps to its budget."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from bench_support import design, responses, rows, speed
from corro.bench.design import Treatment
from corro.bench.experiment import End, Times, affordable, conduct, missing
from corro.bench.store import Row, Store, opened
from corro.errors import UsageError
from waiting import until

ROOT = Path(__file__).parents[3]
MADE = design(target=("ddp", "horovod"), processes=("1", "2"))


class Silent:
    def started(self, treatment: Treatment, block: int) -> None: ...

    def made(self, steps: int) -> None: ...

    def ended(self, row: Row, left_seconds: float) -> None: ...


def measure(
    treatment: Treatment, block: int, limit: float, watch: Callable[[int], None], cancelled: Callable[[], bool]
) -> Row:
    watch(1)
    return Row(block, treatment, "", responses(speed(treatment) + block), {"loss": 0.1 * block})


def table(store: Store) -> list[Row]:
    return sorted(store.rows(), key=lambda row: (row.block, row.treatment.key))


def test_all_runs_are_made_once(tmp_path: Path) -> None:
    with opened(tmp_path / "runs.sqlite", "a") as store:
        assert conduct(MADE, store, measure, 2, Silent()) is End.DONE
        assert missing(MADE, store.rows(), 2) == ()
        assert len(store.rows()) == 2 * len(MADE.treatments)
        assert [row.treatment for row in store.rows()][: len(MADE.treatments)] == list(MADE.block(1))
        assert len(missing(MADE, store.rows(), 3)) == len(MADE.treatments)


def test_what_failed_is_a_row_and_the_rest_goes_on(tmp_path: Path) -> None:
    def sometimes(treatment: Treatment, block: int, *others: object) -> Row:
        failed = "no memory" if treatment.target == "horovod" else ""
        return Row(block, treatment, failed, responses(100.0))

    with opened(tmp_path / "runs.sqlite", "a") as store:
        assert conduct(MADE, store, sometimes, 1, Silent()) is End.DONE
        assert sum(bool(row.failed) for row in store.rows()) == 2
        store.forget_failed()
        assert len(missing(MADE, store.rows(), 1)) == 2


def test_designs_are_kept_apart_in_one_file(tmp_path: Path) -> None:
    for name in ("a", "b"):
        with opened(tmp_path / "runs.sqlite", name) as store:
            assert store.rows() == ()
            conduct(MADE, store, measure, 1, Silent())


def test_a_file_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("x = 1\n" * 1000, encoding="utf-8")
    with pytest.raises(UsageError, match=r"train.py cannot take the runs.*--store"), opened(tmp_path / "train.py", "a"):
        pass


KILLED = """
import sys, time
from pathlib import Path
from bench_support import design, responses, speed
from corro.bench.experiment import conduct
from corro.bench.store import Row, opened
from unit_experiment import MADE, Silent, measure

def slowly(treatment, block, limit, watch, cancelled):
    deadline = time.monotonic() + 0.1
    while time.monotonic() < deadline and not cancelled():
        time.sleep(0.01)
    return measure(treatment, block, limit, watch, cancelled)

with opened(Path(sys.argv[1]), "a") as store:
    print(conduct(MADE, store, slowly, 4, Silent()).value)
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
@pytest.mark.parametrize("runs", [1, 9])
def test_killed_at_any_moment_it_goes_on_to_the_same_table(tmp_path: Path, number: signal.Signals, runs: int) -> None:
    (tmp_path / "killed.py").write_text(textwrap.dedent(KILLED), encoding="utf-8")
    (tmp_path / "unit_experiment.py").write_bytes(Path(__file__).read_bytes())
    path = os.pathsep.join([str(ROOT / "src"), str(ROOT / "tests"), os.environ.get("PYTHONPATH", "")])
    file = tmp_path / "runs.sqlite"
    process = subprocess.Popen(
        [sys.executable, tmp_path / "killed.py", file],
        env={**os.environ, "PYTHONPATH": path},
        stdout=subprocess.PIPE,
        text=True,
    )

    def made() -> int:
        with opened(file, "a") as store:
            return len(store.rows())

    assert until(lambda: file.exists() and made() >= runs)
    process.send_signal(number)
    said, _ = process.communicate()
    assert said.strip() == ("" if number is signal.SIGKILL else End.INTERRUPTED.value)
    with opened(file, "a") as store:
        before = len(store.rows())
        assert runs <= before < 4 * len(MADE.treatments)
        assert conduct(MADE, store, measure, 4, Silent()) is End.DONE
        resumed = table(store)
    with opened(tmp_path / "other.sqlite", "a") as store:
        conduct(MADE, store, measure, 4, Silent())
        assert table(store) == resumed


def test_no_run_is_begun_that_would_end_after_the_budget(tmp_path: Path) -> None:
    with opened(tmp_path / "runs.sqlite", "a") as store:
        store.add(Row(0, MADE.cells[0].sequential, "", {"wall_seconds": 60.0}))
        assert conduct(MADE, store, measure, 1, Silent(), until=time.monotonic() + 30) is End.BUDGET
        assert len(store.rows()) == 1


def test_a_budget_is_enough_for_so_many_replications() -> None:
    first = Row(0, MADE.cells[0].sequential, "", {"wall_seconds": 10.0})
    times = Times(MADE, (first,))
    one = times.block_seconds()
    assert one >= 10 * len(MADE.treatments)
    assert affordable(times, 10, one * 3.5) == 3
    assert affordable(times, 2, one * 3.5) == 2
    assert affordable(times, 10, one * 0.9) == 0


def test_times_are_those_that_runs_took() -> None:
    found = tuple(rows(MADE, 2))
    times = Times(MADE, found)
    assert times.seconds(found[0].treatment) == pytest.approx(found[0].wall_seconds)
    assert times.limit_seconds() == 600


def test_more_threads_than_cores_take_turns() -> None:
    times = Times(MADE, (Row(0, MADE.cells[0].sequential, "", {"wall_seconds": 10.0}),))
    assert times.seconds(Treatment("unconnected", 8, 1)) == 40
