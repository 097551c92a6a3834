"""A launch is a value."""

from __future__ import annotations

import importlib.util
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from corro.errors import ExecutionError
from corro.launch import LAUNCHERS, LaunchPlan, Task, launcher_named, launchers, run


def test_it_is_described_as_a_line_that_a_shell_takes(tmp_path: Path) -> None:
    plan = LaunchPlan((sys.executable, "-c", "import os; print(os.environ['A'], os.getcwd())"), {"A": "x  y"}, tmp_path)
    shown = subprocess.run(plan.describe(), shell=True, capture_output=True, text=True, check=True)
    assert shown.stdout == f"x  y {tmp_path}\n"


def test_what_another_launch_has_said_is_taken_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TF_CONFIG", "another")
    monkeypatch.setenv("RANK", "7")
    plan = launchers.alone(Task(Path("x"), "x", (), 1))
    assert plan.without == ("RANK", "TF_CONFIG")
    shown = LaunchPlan((sys.executable, "-c", "import os; print(sorted(os.environ))"), {"A": "x"}, without=plan.without)
    done = subprocess.run(shown.describe(), shell=True, capture_output=True, text=True, check=True)
    assert "'A'" in done.stdout
    assert "'RANK'" not in done.stdout


@pytest.fixture
def everything_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: name)


@pytest.mark.usefixtures("everything_installed")
@pytest.mark.parametrize("launcher", LAUNCHERS, ids=lambda launcher: launcher.name)
def test_a_plan_names_program_script_and_arguments(launcher: launchers.Launcher) -> None:
    plan = launcher.plan(Task(Path("/cache/train.ddp.py"), "train.py", ("--lr", "1"), 3))
    assert plan.command[-4:] == ("/cache/train.ddp.py", "train.py", "--lr", "1")
    assert shlex.split(plan.describe())[-4:] == list(plan.command[-4:])


@pytest.mark.usefixtures("everything_installed")
@pytest.mark.parametrize("name", ["torchrun", "horovodrun", "multiworker", "keras-processes"])
def test_several_processes_are_started_by_a_driver(name: str) -> None:
    plan = launcher_named(name).plan(Task(Path("x"), "x", (), 3))
    assert Path(plan.command[1]).is_file()
    assert Path(plan.command[1]).stem == name.replace("-", "_")
    assert "3" in plan.command
    assert "OMP_NUM_THREADS" in plan.environment | os.environ


@pytest.mark.usefixtures("everything_installed")
@pytest.mark.parametrize("name", ["mirrored", "keras-distribution"])
def test_one_process_is_given_devices_and_all_cores(name: str) -> None:
    plan = launcher_named(name).plan(Task(Path("x"), "x", (), 3))
    assert Path(plan.command[1]).name == "bootstrap.py"
    assert any("3" in value for value in plan.environment.values())
    assert "OMP_NUM_THREADS" not in plan.environment


@pytest.mark.parametrize(("cores", "processes", "threads"), [(8, 2, "4"), (8, 3, "2"), (2, 5, "1")])
def test_the_cores_are_shared_out(monkeypatch: pytest.MonkeyPatch, cores: int, processes: int, threads: str) -> None:
    monkeypatch.setattr(launchers, "usable_cores", lambda: cores)
    assert launchers.share_of_cores(processes, {}) == {
        "OMP_NUM_THREADS": threads,
        "TF_NUM_INTRAOP_THREADS": threads,
    }


def test_one_process_keeps_its_threads_and_the_user_has_the_last_word() -> None:
    assert launchers.share_of_cores(1, {}) == {}
    assert launchers.share_of_cores(2, {"OMP_NUM_THREADS": "3", "TF_NUM_INTRAOP_THREADS": "1"}) == {}


@pytest.mark.parametrize(
    ("cores", "user", "threads"),
    [
        (2, {}, "6"),
        (5, {"NPROC": "no number"}, "6"),
        (8, {"NPROC": "2"}, "6"),
        (6, {}, None),
        (2, {"NPROC": "6"}, None),
        (2, {"PJRT_NPROC": "1"}, None),
    ],
)
def test_xla_has_two_threads_for_each_device(
    monkeypatch: pytest.MonkeyPatch, cores: int, user: dict[str, str], threads: str | None
) -> None:
    monkeypatch.setattr(launchers, "usable_cores", lambda: cores)
    assert launchers._jax_variables(3, user).get("PJRT_NPROC") == threads
    assert "PJRT_NPROC" not in launchers._jax_variables(1, user)


def test_without_the_engine_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "horovod" else name)
    with pytest.raises(ExecutionError, match="corro setup horovod"):
        launcher_named("horovodrun").plan(Task(Path("x"), "x", (), 2))


def test_a_launcher_that_does_not_exist(tmp_path: Path) -> None:
    with pytest.raises(ExecutionError, match="cannot be started"):
        run(LaunchPlan((str(tmp_path / "nothing"),)))


def test_processes_of_torchrun_wait_until_all_have_their_group() -> None:
    assert launchers._torchrun_variables(2, {})["TORCH_DIST_INIT_BARRIER"] == "1"
    assert "TORCH_DIST_INIT_BARRIER" not in launchers._torchrun_variables(2, {"TORCH_DIST_INIT_BARRIER": "0"})
