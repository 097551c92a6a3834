"""Right programs pass ``corro verify``; each of them broken in one known way fails, in the property that is broken."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
import record
import table
from forked import Forked
from trial import PROBE, RUNNING, VERIFY, running
from trials import BASES, HANGING_SECONDS, MUTANTS, PROGRAMS, Mutant, changed, subject, unexplained, verdict

import dependencies
from corro.verify.verdict import Status
from dependencies import CORRO
from remembered import Known
from waiting import LIMIT_SECONDS

pytestmark = pytest.mark.reads("docs/verify.md", "tests/parity/scripts")
TRAPS_OF_OTHERS = {
    16: "needs GPUs",
    25: "gradient scaling needs GPUs",
    27: "a step that evaluates the loss itself cannot be judged",
    35: "needs NCCL",
    36: "changes times only",
    45: "fails at the start",
    46: "fails at the start",
    48: "refused",
}
TRAPS = 48
COMMAND = "keras3_processes"
"""A program that is run by the command line only."""


def test_every_program_is_a_base_and_every_base_has_mutants() -> None:
    assert {path.name for path in PROGRAMS.iterdir()} - {COMMAND} <= {base.script for base in BASES.values()}
    assert not {mutant.base for mutant in MUTANTS} - BASES.keys()
    assert max(Counter((mutant.name, mutant.base) for mutant in MUTANTS).values()) == 1


def test_every_trap_that_can_be_expressed_has_a_mutant() -> None:
    assert {mutant.trap for mutant in MUTANTS} | TRAPS_OF_OTHERS.keys() == set(range(1, TRAPS + 1))


def marks(base: str) -> list[pytest.MarkDecorator]:
    """Where a base and its mutants run."""
    return [pytest.mark.keras3] if BASES[base].keras_3 else []


@pytest.mark.parametrize("name", [pytest.param(name, marks=marks(name)) for name in BASES])
def test_what_mutants_change_is_in_the_program(name: str, tmp_path: Path) -> None:
    text = subject(BASES[name], (), tmp_path).program.read_text(encoding="utf-8")
    for mutant in MUTANTS:
        if mutant.base == name:
            assert changed(text, mutant.edits) != text


OWN = [name for name, base in BASES.items() if base.sequential.is_relative_to(PROGRAMS)]
"""What the compiler makes of the scripts of the parity tests is judged there."""


@pytest.mark.parametrize("name", [pytest.param(name, marks=marks(name)) for name in OWN])
def test_nothing_is_held_against_a_right_program(name: str, runner: Forked, tmp_path: Path, known: Known) -> None:
    if known(record.key_of(name), repr(BASES[name]), using=[known.module]):
        return
    assert not unexplained(verdict(BASES[name], (), runner, tmp_path), BASES[name])


RECORDED = record.read()
MUTATED = [pytest.param(each, marks=marks(each.base), id=str(each)) for each in MUTANTS]


@pytest.mark.parametrize("mutant", MUTATED)
def test_a_broken_program_is_found_out(mutant: Mutant, runner: Forked, tmp_path: Path, known: Known) -> None:
    """What the record says, where nothing that it depends on is another since; else what comes of it now."""
    entry, key = RECORDED.get(str(mutant)), record.key(mutant)
    if entry is None or entry.key != key:
        if known(key, *mutant.caught, using=[known.module]):
            return
        runner = runner.waiting(HANGING_SECONDS) if mutant.hangs else runner
        alone = "alone" in mutant.caught  # the table in docs/verify.md shows what else one process tells
        found = verdict(BASES[mutant.base], mutant.edits, runner, tmp_path, alone=alone)
        failed = {result.name for result in found.results if result.status is Status.FAIL}
        assert failed >= set(mutant.caught), [str(fault) for result in found.failed for fault in result.faults]
    else:
        assert set(entry.failed) >= set(mutant.caught)


def test_the_table_in_the_documents_is_that_of_the_record() -> None:
    page = table.DOCS.read_text(encoding="utf-8")
    assert table.documented(page, RECORDED) == page
    assert RECORDED.keys() == {str(mutant) for mutant in MUTANTS}, "see: make mutations"


def test_the_key_of_a_trial_is_another_one_whenever_something_of_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    mutant = next(each for each in MUTANTS if each.base == "dense.ddp")
    of_pytorch = running("pytorch", record.TRIALS)
    files = [
        *RUNNING,
        record.TRIALS,
        CORRO / "errors.py",
        CORRO / "launch" / "launchers.py",
        CORRO / "launch" / "drivers" / "torchrun.py",
        VERIFY / "runs.py",
        VERIFY / "properties" / "coverage.py",
        PROBE / "session.py",
        PROBE / "pytorch" / "loaders.py",
    ]
    assert set(files) <= set(of_pytorch)
    assert not {PROBE / "keras" / "data.py", CORRO / "compiler.py", CORRO / "flow" / "interpreter.py"} & set(of_pytorch)
    digest, other = dependencies._digest, replace(mutant, edits=[*mutant.edits, ("import torch\n", "import  torch\n")])
    keys = [record.key(mutant), record.key(other)]
    for file in of_pytorch:
        monkeypatch.setattr(
            dependencies, "_digest", lambda path, *now, file=file: digest(path, *now) + "#" * (path == file)
        )
        keys.append(record.key(mutant))
        monkeypatch.undo()
    monkeypatch.setattr(record, "package_version", lambda package: "0")
    keys.append(record.key(mutant))
    assert len(set(keys)) == len(keys) == len(of_pytorch) + 3


@pytest.mark.slow
@pytest.mark.parametrize(
    ("target", "broken", "failing"),
    [("ddp", "", []), ("horovod", "    sampler.set_epoch(epoch)\n", ["coverage"])],
    ids=["ddp, right", "horovod, wrong"],
)
def test_the_command_line_with_the_engines_own_launchers(
    target: str, broken: str, failing: list[str], tmp_path: Path
) -> None:
    shutil.copy(PROGRAMS / "dense" / "before.py", tmp_path)
    program = tmp_path / "by_hand.py"
    program.write_text(changed((PROGRAMS / "dense" / f"{target}.py").read_text(), [(broken, "")] if broken else []))
    command = [sys.executable, "-m", "corro", "verify", "--reference", "before.py", program.name, "-n", "2", "--json"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=LIMIT_SECONDS, check=False)
    assert done.returncode == bool(failing), done.stderr
    results = json.loads(done.stdout)["results"]
    assert len(results) == 9
    assert [each["property"] for each in results if each["status"] != "PASS"] == failing


@pytest.mark.slow
@pytest.mark.keras3
def test_the_command_line_with_processes_of_keras_3(tmp_path: Path) -> None:
    """A program by hand that prints on all processes, and has no other fault."""
    shutil.copytree(PROGRAMS / COMMAND, tmp_path, dirs_exist_ok=True)
    program = tmp_path / "keras-processes.py"
    program.write_text(changed(program.read_text(), [("if rank == 0:", "if True:")]))
    command = [sys.executable, "-m", "corro", "verify", "--reference", "before.py", program.name, "-n", "2", "--json"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=LIMIT_SECONDS, check=False)
    assert done.returncode == 1, done.stderr
    results = json.loads(done.stdout)["results"]
    assert [each["property"] for each in results if each["status"] != "PASS"] == ["effects"]
    (fault,) = next(each for each in results if each["property"] == "effects")["faults"]
    assert fault["message"].startswith("rank 1 prints")
