"""Converted loops around gradient tapes, and a session, on two real processes against one, by what they print."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from forked import Forked
from trial import running

from corro.compiler import compile_file
from corro.verify.processes import Run
from corro.verify.settings import Settings
from dependencies import text
from remembered import Known
from waiting import LIMIT_SECONDS

HERE = Path(__file__).resolve().parent
SCRIPTS = sorted((HERE / "tapes").glob("*.py"))
LAUNCHED = [
    ("fit_and_loops", "horovod"),
    ("monitored", "horovod"),
    ("trainer_with_metrics", "mirrored"),
    ("lines_of_files", "mirrored"),
    ("trainer_with_metrics", "multiworker"),
    ("lines_of_files", "multiworker"),
]
"""Those that ``corro run`` starts, by the engine's launcher; the others are forked, which takes a third of the time."""

WEAK = HERE / "weak_tapes" / "batch_and_rate.py"
NUMBER = re.compile(r"-?\d+\.\d+(?:e[-+]?\d+)?")
TOLERANCE = 2e-5
QUIET = {"TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": ""}


@dataclass(frozen=True)
class Runs:
    """Runs of a script in folders of their own."""

    runner: Forked
    folder: Path
    known: Known

    def remembered(self, script: Path, *scalings: str) -> bool:
        """Whether a test passed before with the same script, and the same programs of it for two processes."""
        made = [compile_file(script, "horovod", scaling) for scaling in scalings or ("strong",)]
        assert all(each.text is not None and not each.modules for each in made)
        texts = [each.text or "" for each in made]
        return self.known(text(script), *texts, using=running("tensorflow", self.known.module))

    def alone(self, script: Path, *arguments: str, name: str = "alone") -> list[str]:
        """The script as it is: what it prints."""
        return self._run(script, script, arguments, name)

    def shared(self, script: Path, *arguments: str, scaling: str = "strong") -> list[str]:
        """On two processes of Horovod."""
        text = compile_file(script, "horovod", scaling).text
        assert text is not None
        program = self.folder / "program.py"
        program.write_text(text)
        return self._run(script, program, arguments, "shared", 2, "horovodrun")

    def launched(self, script: Path, target: str) -> list[str]:
        """By ``corro run``."""
        (self.folder / "shared").mkdir()
        command = [sys.executable, "-m", "corro", "run", str(script), "-n", "2", "--to", target]
        ended = subprocess.run(
            command,
            cwd=self.folder / "shared",
            env={**os.environ, **QUIET},
            capture_output=True,
            text=True,
            timeout=LIMIT_SECONDS,
            check=False,
        )
        assert ended.returncode == 0, ended.stderr[-3000:]
        return ended.stdout.splitlines()

    def _run(
        self, script: Path, program: Path, arguments: tuple[str, ...], name: str, processes: int = 1, launcher: str = ""
    ) -> list[str]:
        (self.folder / name).mkdir()
        settings = Settings(str(self.folder / f"{name}.run"), "tensorflow", str(script), str(program))
        return self.runner.unobserved(
            Run(program, script, arguments, self.folder / name, settings, processes, launcher, beside="horovodrun")
        )

    def files(self, name: str) -> set[str]:
        """What a run wrote, without what differs from run to run in the names of summaries."""
        found = (path.relative_to(self.folder / name) for path in (self.folder / name).rglob("*") if path.is_file())
        return {re.sub(r"tfevents.*", "tfevents", path.as_posix()) for path in found}


@pytest.fixture
def runs(runner: Forked, tmp_path: Path, known: Known) -> Runs:
    """Runs in a folder of the test's own."""
    return Runs(runner, tmp_path, known)


def same_numbers(shared: list[str], alone: list[str]) -> None:
    def words(lines: list[str]) -> list[list[str]]:
        """What stands around the numbers; NumPy fills those of an array up with blanks, by their last digits."""
        return [NUMBER.sub("#", line).split() for line in lines]

    assert words(shared) == words(alone)
    for one, other in zip(alone, shared, strict=True):
        for a, b in zip(NUMBER.findall(one), NUMBER.findall(other), strict=True):
            assert float(b) == pytest.approx(float(a), rel=TOLERANCE, abs=TOLERANCE), f"{one}\n{other}"


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_two_processes_print_what_one_prints(script: Path, runs: Runs) -> None:
    if runs.remembered(script):
        return
    same_numbers(runs.shared(script), runs.alone(script))
    assert runs.files("shared") == runs.files("alone")


@pytest.mark.parametrize(("name", "target"), LAUNCHED, ids=str)
def test_the_engines_own_launchers_print_what_one_prints(name: str, target: str, runs: Runs) -> None:
    (script,) = HERE.glob(f"*/{name}.py")
    if runs.known.whole():
        return
    same_numbers(runs.launched(script, target), runs.alone(script))
    assert runs.files("shared") == runs.files("alone")


def test_weak_scaling_follows_a_run_with_twice_the_batch_and_the_rate(runs: Runs) -> None:
    if runs.remembered(WEAK, "weak"):
        return
    alone = runs.alone(WEAK, "64", "0.2")
    same_numbers(runs.shared(WEAK, "32", "0.1", scaling="weak"), alone)
    for batch, rate in (("32", "0.2"), ("64", "0.1")):
        other = runs.alone(WEAK, batch, rate, name=f"{batch}-{rate}")
        assert other != alone, "the script does not tell one batch or rate from another"
