"""Converted loops around gradient tapes, and a session, on two real processes against one, by what they print."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
SCRIPTS = [*sorted((HERE / "tapes").glob("*.py")), HERE / "sessions" / "monitored.py"]
STRATEGIES = ("mirrored", "multiworker")
LOOPS = sorted((HERE / "strategies").glob("*.py"))
WEAK = HERE / "weak_tapes" / "batch_and_rate.py"
NUMBER = re.compile(r"-?\d+\.\d+(?:e[-+]?\d+)?")
TOLERANCE = 2e-5
QUIET = {"TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": ""}


def run(command: list[str], directory: Path) -> list[str]:
    directory.mkdir()
    ended = subprocess.run(
        [sys.executable, *command],
        cwd=directory,
        env={**os.environ, **QUIET},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr[-3000:]
    return ended.stdout.splitlines()


def files(directory: Path) -> set[str]:
    """Without what differs from run to run in the names of summaries."""
    found = (path.relative_to(directory).as_posix() for path in directory.rglob("*") if path.is_file())
    return {re.sub(r"tfevents.*", "tfevents", name) for name in found}


def same_numbers(shared: list[str], alone: list[str]) -> None:
    assert [NUMBER.sub("#", line) for line in shared] == [NUMBER.sub("#", line) for line in alone]
    for one, other in zip(alone, shared, strict=True):
        for a, b in zip(NUMBER.findall(one), NUMBER.findall(other), strict=True):
            assert float(b) == pytest.approx(float(a), rel=TOLERANCE, abs=TOLERANCE), f"{one}\n{other}"


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_two_processes_print_what_one_prints(script: Path, tmp_path: Path) -> None:
    alone = run([str(script)], tmp_path / "alone")
    shared = run(["-m", "rueda", "run", str(script), "-n", "2", "--to", "horovod"], tmp_path / "shared")
    same_numbers(shared, alone)
    assert files(tmp_path / "shared") == files(tmp_path / "alone")


@pytest.mark.parametrize("script", LOOPS, ids=lambda script: script.stem)
def test_two_replicas_print_what_one_program_prints(script: Path, tmp_path: Path) -> None:
    alone = run([str(script)], tmp_path / "alone")
    for target in STRATEGIES:
        shared = run(["-m", "rueda", "run", str(script), "-n", "2", "--to", target], tmp_path / target)
        same_numbers(shared, alone)
        assert files(tmp_path / target) == files(tmp_path / "alone")


def test_weak_scaling_follows_a_run_with_twice_the_batch_and_the_rate(tmp_path: Path) -> None:
    alone = run([str(WEAK), "64", "0.2"], tmp_path / "alone")
    command = ["-m", "rueda", "run", str(WEAK), "-n", "2", "--to", "horovod", "--scaling", "weak", "--", "32", "0.1"]
    shared = run(command, tmp_path / "shared")
    same_numbers(shared, alone)
    for batch, rate in (("32", "0.2"), ("64", "0.1")):
        other = run([str(WEAK), batch, rate], tmp_path / f"{batch}-{rate}")
        assert other != alone, "the script does not tell one batch or rate from another"
