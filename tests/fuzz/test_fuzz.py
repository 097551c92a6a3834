"""Composed scripts with fixed seeds: none may be converted and then do something else without a word."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from fuzz.compare import Tolerance, between_lines
from fuzz.recipe import draw
from fuzz.run import GRAMMARS
from fuzz.text import write

TESTS = Path(__file__).resolve().parents[1]
SCRIPTS = 300


def _fuzz(module: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join(map(str, (TESTS.parent / "src", TESTS, TESTS / "parity")))
    command = [sys.executable, "-m", f"fuzz.{module}", *arguments]
    return subprocess.run(command, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_composed_scripts_do_what_the_sequential_ones_do(tmp_path: Path) -> None:
    ended = _fuzz("run", "-n", str(SCRIPTS), "--seed", "1000", "--keep", str(tmp_path), "--shrink", "2")
    assert ended.returncode == 0, ended.stdout + ended.stderr[-2000:]


@pytest.mark.slow
def test_a_planted_mistake_is_found(tmp_path: Path) -> None:
    ended = _fuzz("planted", "-n", "60", "--only", "batch size is not divided")
    assert ended.returncode == 0, ended.stdout + ended.stderr[-2000:]


def test_a_seed_makes_one_script() -> None:
    assert write(draw(7)) == write(draw(7)) != write(draw(8))


@pytest.mark.parametrize("seed", range(200))
def test_composed_scripts_are_python(seed: int) -> None:
    compile(write(draw(seed)), "script.py", "exec")


@pytest.mark.parametrize("grammar", ["files", "keras files"])
def test_scripts_that_are_taken_apart_are_python(grammar: str) -> None:
    composed = [GRAMMARS[grammar](seed).files for seed in range(50)]
    for name, text in (file for files in composed for file in files.items()):
        compile(text, name, "exec")
    assert sum(len(files) > 1 for files in composed) > 25


@pytest.mark.parametrize(
    ("wanted", "got", "differs"),
    [
        ("loss 0.1234", "loss 0.1235", False),
        ("loss 0.1234", "loss 0.1334", True),
        ("loss 1.00e-03", "loss 1.01e-03", False),
        ("seen 48", "seen 47", True),
        ("seen 48", "seen 48.0", True),
        ("0.5", "tensor(0.5)", True),
        ("nan", "nan", False),
        ("accuracy 0.43", "accuracy 0.44", False),
    ],
)
def test_lines_are_compared_by_their_numbers(wanted: str, got: str, differs: bool) -> None:
    assert bool(list(between_lines("line", [wanted], [got], Tolerance()))) is differs
