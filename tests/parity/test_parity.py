"""Converted programs on real processes against the original script fed the same samples, by ``corro verify``."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest
from forked import Forked
from trial import Trial

from cases import (
    CASES,
    EXAMPLES,
    KERAS_CASES,
    KERAS_EXAMPLES,
    KERAS_SCRIPTS,
    PROJECT,
    PROJECT_CASES,
    REWRITTEN,
    SCRIPTS,
    SESSION_CASES,
    SESSIONS,
    TAPE_CASES,
    Case,
)
from corro.targets.base import Exchange
from corro.verify.numbers import skeleton
from corro.verify.processes import Run
from corro.verify.properties.metrics import NOTHING
from corro.verify.settings import Settings
from corro.verify.verdict import Result, Status, Verdict
from dependencies import text
from remembered import Known
from waiting import LIMIT_SECONDS

TARGETS = ["ddp", "horovod"]


def explained(verdict: Verdict, unknown: Mapping[str, str] = {}) -> str:
    return "\n".join(
        f"{each.name} {each.status.value}: {[str(fault) for fault in each.faults]} {each.unknown}"
        for each in verdict.results
        if each.status is not Status.PASS and each.unknown != (NOTHING,) and not _expected(each, unknown)
    )


def test_every_script_is_a_case() -> None:
    helpers = {"own_modules_data", "own_modules_net"}
    on_disk = {path.stem for folder in (EXAMPLES, SCRIPTS) for path in folder.glob("*.py")}
    assert on_disk - helpers == {case.name for case in CASES if case.script.parent in (EXAMPLES, SCRIPTS)}
    assert {PROJECT / "train.py", *EXAMPLES.glob("*/main.py")} <= {case.script for case in CASES}
    on_disk = {path for folder in (KERAS_EXAMPLES, KERAS_SCRIPTS) for path in folder.glob("*.py")}
    assert on_disk == {case.script for case in KERAS_CASES}
    assert set(SESSIONS.glob("*.py")) == {case.script for case in SESSION_CASES}


def _expected(result: Result, unknown: Mapping[str, str]) -> bool:
    reason = unknown.get(result.name)
    return reason is not None and not result.faults and all(reason in each for each in result.unknown)


def on_targets(cases: Iterable[Case]) -> pytest.MarkDecorator:
    """Each case with each of its targets."""
    pairs = [pytest.param(case, target, id=f"{case.name}-{target}") for case in cases for target in case.targets]
    return pytest.mark.parametrize(("case", "target"), pairs)


@on_targets([*KERAS_CASES, *TAPE_CASES, *SESSION_CASES, *PROJECT_CASES])
def test_tensorflow_under_each_engine(case: Case, target: str, trial: Trial) -> None:
    unknown = {**case.unknown, **({"agreement": "one process only"} if target == "mirrored" else {})}
    for verdict, evidence in trial.verdicts(case, target):
        assert not explained(verdict, unknown)
        assert evidence.ranks[0].steps
        assert any(each.training for each in evidence.ranks[0].passes)


@on_targets(CASES)
def test_strong_scaling_is_the_sequential_run(case: Case, target: str, trial: Trial) -> None:
    for verdict, evidence in trial.verdicts(case, target):
        assert not explained(verdict, case.unknown)
        assert evidence.ranks[0].steps
        assert any(each.training for each in evidence.ranks[0].passes)


@on_targets(case for case in CASES if case.weak)
def test_weak_scaling_is_a_run_with_a_larger_batch(case: Case, target: str, trial: Trial) -> None:
    for verdict, _ in trial.verdicts(case, target, scaling="weak"):
        assert not explained(verdict)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("size", [3, 4])
def test_more_processes(size: int, target: str, trial: Trial) -> None:
    case = next(each for each in CASES if each.name == "collate_fn_embedding")
    for verdict, evidence in trial.verdicts(case, target, size=size):
        assert not explained(verdict)
        assert len(evidence.ranks) == size


@pytest.mark.parametrize(("target", "size"), [("ddp", 3), ("horovod", 2)])
@pytest.mark.parametrize("name", ["sums_and_means", "batches_of_a_sampler", "steps_in_a_class"])
def test_shares_of_unequal_size(name: str, target: str, size: int, trial: Trial) -> None:
    case = Case(REWRITTEN / "pytorch" / "uneven" / name / "before.py")
    for verdict, evidence in trial.verdicts(case, target, size, uneven=True):
        assert not explained(verdict)
        assert {len(rank.steps) for rank in evidence.ranks} == {len(evidence.reference.steps)}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(("exchange", "spacing"), [(Exchange("fp16", 1), 2.0**-10), (Exchange("", 1), 2.0**-23)])
def test_how_gradients_are_exchanged(exchange: Exchange, spacing: float, target: str, trial: Trial) -> None:
    case = next(each for each in CASES if each.name == "adamw_param_groups")
    for verdict, evidence in trial.verdicts(case, target, exchange=exchange):
        assert not verdict.failed
        assert {rank.epsilon for rank in evidence.ranks} == {spacing}
        assert evidence.reference.epsilon == 2.0**-23


@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", ["weights_changed_by_hand", "weights_looked_up_by_hand"])
def test_weights_that_no_optimizer_changes(name: str, target: str, tmp_path: Path, known: Known) -> None:
    """They are printed: the probe looks at optimizers' steps, of which there are none."""
    script = REWRITTEN / "pytorch" / "optimizers" / name / "before.py"
    if known.whole(text(script)):
        return
    commands = (
        [sys.executable, str(script)],
        [sys.executable, "-m", "corro", "run", "-n", "2", "--to", target, str(script)],
    )
    alone, together = (
        subprocess.run(each, cwd=tmp_path, capture_output=True, text=True, timeout=LIMIT_SECONDS, check=True).stdout
        for each in commands
    )
    assert skeleton(together) == skeleton(alone)
    assert numbers_in(together) == pytest.approx(numbers_in(alone), rel=1e-5)


def numbers_in(text: str) -> list[float]:
    return [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?(?:e-?\d+)?", text)]


ANNOUNCED = """\
import torch, torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(1)
loader = DataLoader(TensorDataset(torch.randn(64, 6), torch.randint(0, 2, (64,))), batch_size=32, shuffle=True)
net = nn.Linear(6, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
measure = nn.CrossEntropyLoss({weight})
for epoch in range(2):
    for x, y in loader:
        loss = {loss}
        opt.zero_grad()
        loss.backward()
        opt.step()
    print("largest", net(x).max().item() if {largest} else 0)
"""


@pytest.mark.parametrize(
    ("weight", "loss", "largest", "abstaining"),
    [
        ("", "measure(net(x), y)", True, {"metrics"}),
        ("weight=torch.tensor([0.1, 0.9])", "sum([measure(net(x), y) for _ in (1, 2)])", False, {"gradient"}),
    ],
    ids=["rank 0's part is reported", "class weights in a comprehension"],
)
def test_what_the_compiler_announced_is_no_fault(
    weight: str, loss: str, largest: bool, abstaining: set[str], trial: Trial, tmp_path: Path
) -> None:
    script = tmp_path / "written" / "announced.py"
    script.parent.mkdir()
    script.write_text(ANNOUNCED.format(weight=weight, loss=loss, largest=largest))
    for verdict, _ in trial.verdicts(Case(script, sgd=False), "ddp"):
        assert not verdict.failed
        found = {each.name: each.unknown for each in verdict.results if each.status is Status.ABSTAIN}
        assert set(found) == abstaining
        assert all("announced by the compiler" in each[0] for each in found.values())


LAUNCHED = [
    pytest.param(case, target, id=f"{case.name}-{target}")
    for case in CASES
    for target in TARGETS
    if EXAMPLES in case.script.parents and (case.name, target) != ("digits_cnn", "ddp")
]
"""The demo is started often enough elsewhere."""


@pytest.mark.parametrize(("case", "target"), LAUNCHED)
def test_the_engines_own_launchers(case: Case, target: str, runner: Forked, tmp_path: Path, known: Known) -> None:
    """Nothing of the probe in the processes: the program ends by itself and prints each line once."""
    if known.whole():
        return
    script = case.short(tmp_path)
    alone, together = tmp_path / "alone", tmp_path / "together"
    for folder in (alone, together):
        folder.mkdir()
        case.furnish(folder)
    settings = Settings(str(tmp_path / "run"), "pytorch", str(script), str(script))
    expected = runner.unobserved(Run(script, script, case.stages[0], alone, settings))
    command = [sys.executable, "-m", "corro", "run", "-n", "2", "--to", target, str(script), "--", *case.stages[0]]
    ended = subprocess.run(command, cwd=together, capture_output=True, text=True, timeout=LIMIT_SECONDS, check=False)
    assert ended.returncode == 0, ended.stderr[-3000:]
    assert [skeleton(line) for line in ended.stdout.splitlines()] == [skeleton(line) for line in expected]
