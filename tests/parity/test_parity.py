"""Converted programs on two real processes, and on one, against the original script fed the same sample order."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from paritykit.compare import Expectation, skeleton
from paritykit.launch import Server, launch
from paritykit.trial import Trial

from cases import CASES, EXAMPLES, SCRIPTS, Case
from rueda.compiler import compile_file

TARGETS = ["ddp", "horovod"]

Servers = Callable[[str], Server]


def converted(case: Case, target: str, scaling: str, folder: Path) -> tuple[Path, Path]:
    """The script, copied with its own modules, and beside it the converted program."""
    home = folder / "scripts"
    shutil.copytree(case.script.parent, home, ignore=shutil.ignore_patterns("__pycache__"))
    output = compile_file(case.script, target=target, scaling=scaling)
    assert output.text is not None, "\n".join(f"{each.rule}: {each.message}" for each in output.plan.findings)
    program = home / f"{case.name}_{target}.py"
    program.write_bytes(output.text.encode())
    return home / case.script.name, program


def trial(case: Case, target: str, scaling: str, folder: Path) -> Trial:
    original, program = converted(case, target, scaling, folder)
    weak = scaling == "weak"
    expected = Expectation(
        weak=weak,
        rates_grow=case.rates_grow,
        compare_numbers=not (weak and case.prints_rate),
        compare_names=True,
    )
    return Trial(original, program, target, case.stages, case.seeded, case.sgd, case.calibrate, expected)


def test_every_script_is_a_case() -> None:
    helpers = {"own_modules_data", "own_modules_net"}
    on_disk = {path.stem for folder in (EXAMPLES, SCRIPTS) for path in folder.glob("*.py")}
    assert on_disk - helpers == {case.name for case in CASES}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_strong_scaling_is_the_sequential_run(case: Case, target: str, server: Servers, tmp_path: Path) -> None:
    faults = trial(case, target, "strong", tmp_path).distributed(server, tmp_path)
    assert not faults, "\n".join(map(str, faults))


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_one_process_is_bit_identical(case: Case, target: str, server: Servers, tmp_path: Path) -> None:
    faults = trial(case, target, "strong", tmp_path).alone(server, tmp_path)
    assert not faults, "\n".join(map(str, faults))


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("case", [case for case in CASES if case.weak], ids=lambda case: case.name)
def test_weak_scaling_is_a_run_with_a_larger_batch(case: Case, target: str, server: Servers, tmp_path: Path) -> None:
    faults = trial(case, target, "weak", tmp_path).distributed(server, tmp_path)
    assert not faults, "\n".join(map(str, faults))


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("case", [case for case in CASES if case.script.parent == EXAMPLES], ids=lambda case: case.name)
def test_the_engines_own_launcher(case: Case, target: str, server: Servers, tmp_path: Path) -> None:
    """Nothing of the kit in the processes: the program ends by itself and prints each line once."""
    original, program = converted(case, target, "strong", tmp_path)
    cwd = tmp_path / "run"
    cwd.mkdir()
    ended = launch(target, 2, [str(program), *case.stages[0]], cwd)
    assert ended.returncode == 0, ended.stderr[-3000:]

    sequential = trial_output(original, case, server, tmp_path)
    assert [skeleton(line) for line in ended.stdout.splitlines()] == [skeleton(line) for line in sequential]


def trial_output(original: Path, case: Case, server: Servers, tmp_path: Path) -> list[str]:
    """The lines that the sequential script prints."""
    from paritykit.launch import Job
    from paritykit.records import Record

    cwd, folder = tmp_path / "sequential", tmp_path / "sequential_record"
    cwd.mkdir()
    server("sequential").run([Job(str(original), list(case.stages[0]), str(cwd), str(folder))])
    return Record.read(folder / "rank0").stdout.splitlines()
