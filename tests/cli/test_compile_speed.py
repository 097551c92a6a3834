"""Compiling is as fast as it was, as a multiple of LibCST's time: see ``benchmarks/compile_speed.json``."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "compile_speed.py"


@pytest.mark.slow
@pytest.mark.anew
def test_compiling_has_not_become_slower() -> None:
    done = subprocess.run([sys.executable, str(BENCHMARK), "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
