"""A launch is a value."""

from __future__ import annotations

import importlib.util
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from rueda.errors import ExecutionError
from rueda.launch import LAUNCHERS, Job, LaunchPlan, launcher_named, launchers, run


def test_it_is_described_as_a_line_that_a_shell_takes(tmp_path: Path) -> None:
    plan = LaunchPlan((sys.executable, "-c", "import os; print(os.environ['A'], os.getcwd())"), {"A": "x  y"}, tmp_path)
    shown = subprocess.run(plan.describe(), shell=True, capture_output=True, text=True, check=True)
    assert shown.stdout == f"x  y {tmp_path}\n"


@pytest.mark.parametrize("launcher", LAUNCHERS, ids=lambda launcher: launcher.name)
def test_a_plan_names_program_script_and_arguments(launcher: launchers.Launcher) -> None:
    plan = launcher.plan(Job(Path("/cache/train.ddp.py"), "train.py", ("--lr", "1"), 3))
    assert plan.command[-4:] == ("/cache/train.ddp.py", "train.py", "--lr", "1")
    assert launcher.name in plan.command[1]
    assert "3" in plan.command
    assert shlex.split(plan.describe())[-4:] == list(plan.command[-4:])


@pytest.mark.parametrize(("cores", "processes", "threads"), [(8, 2, "4"), (8, 3, "2"), (2, 5, "1")])
def test_the_cores_are_shared_out(monkeypatch: pytest.MonkeyPatch, cores: int, processes: int, threads: str) -> None:
    monkeypatch.setattr(launchers, "usable_cores", lambda: cores)
    assert launchers.environment(processes, {})["OMP_NUM_THREADS"] == threads


def test_one_process_keeps_its_threads_and_the_user_has_the_last_word() -> None:
    assert "OMP_NUM_THREADS" not in launchers.environment(1, {})
    assert launchers.environment(2, {"OMP_NUM_THREADS": "3", "GLOO_SOCKET_IFNAME": "eth0"}) == {}


def test_without_the_engine_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "horovod" else name)
    with pytest.raises(ExecutionError, match="rueda setup horovod"):
        launcher_named("horovodrun").plan(Job(Path("x"), "x", (), 2))


def test_a_launcher_that_does_not_exist(tmp_path: Path) -> None:
    with pytest.raises(ExecutionError, match="cannot be started"):
        run(LaunchPlan((str(tmp_path / "nothing"),)))
