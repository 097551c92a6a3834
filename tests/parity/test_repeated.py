"""Runs of two processes must end by themselves, every time: the demo's, with one epoch."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from cases import CASES
from corro.verify.numbers import skeleton
from waiting import LIMIT_SECONDS


@pytest.mark.slow
@pytest.mark.parametrize("run", range(20))
def test_the_demo_ends_by_itself(run: int, tmp_path: Path) -> None:
    script = next(case for case in CASES if case.name == "digits_cnn").short(tmp_path)
    command = [sys.executable, "-m", "corro", "run", script.name, "-n", "2"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=LIMIT_SECONDS, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    lines = [skeleton(line) for line in done.stdout.splitlines()]
    assert lines == ["epoch # train loss # test accuracy #", "saved to digits_cnn.pt"]
    assert {path.name for path in tmp_path.iterdir()} == {"digits_cnn.py", "digits_cnn.pt"}
