"""Commands with a log."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from corro.engines.commands import TAIL_LINES, Log, run_logged
from corro.errors import ExecutionError


@pytest.fixture
def log(tmp_path: Path) -> Log:
    return Log(tmp_path / "logs" / "a.log")


def test_lines_go_to_the_log_and_to_the_caller(log: Log) -> None:
    seen: list[str] = []
    code = "import sys; print(1, flush=True); print(2, file=sys.stderr)"
    run_logged((sys.executable, "-c", code), log, on_line=seen.append)
    assert seen == ["1\n", "2\n"]
    assert log.path.read_text().endswith("\n1\n2\n")


def test_a_failure_shows_the_end_and_says_where_the_rest_is(log: Log) -> None:
    code = "print(*range(100), sep='\\n'); raise SystemExit(4)"
    with pytest.raises(ExecutionError, match="status 4") as caught:
        run_logged((sys.executable, "-c", code), log, advice="Try again.")
    assert caught.value.message.splitlines()[-TAIL_LINES:] == [str(number) for number in range(100 - TAIL_LINES, 100)]
    assert caught.value.advice == f"Try again. The whole output: {log.path}"


def test_an_interrupt_leaves_no_process(log: Log) -> None:
    numbers: list[int] = []

    def interrupt(line: str) -> None:
        numbers.append(int(line))
        raise KeyboardInterrupt

    code = "import os, time; print(os.getpid(), flush=True); time.sleep(300)"
    with pytest.raises(KeyboardInterrupt):
        run_logged((sys.executable, "-c", code), log, on_line=interrupt)
    assert not Path(f"/proc/{numbers[0]}").exists()
