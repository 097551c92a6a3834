"""What a run shows, in runs: the program trains as the script does, and stops where something else is chosen."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from forked import Forked

from corro.compiler import Options, Output, compile_file
from corro.plan import Outcome
from corro.verify import subject_of
from corro.verify.observed import completed
from corro.verify.properties import judge
from corro.verify.runs import gather
from corro.verify.verdict import Verdict

SCRIPT = """\
import importlib
import json
import pydoc
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
with open("config.json") as file:
    config = json.load(file)
torch.manual_seed(0)
x, y = torch.randn(48, 6), torch.randn(48, 1)
loader = DataLoader(TensorDataset(x, y), batch_size=12, shuffle=True)
{model}
optimizer = {optimizer}
criterion = {loss}
for epoch in range(2):
    total = 0.0
    for a, b in loader:
        optimizer.zero_grad()
        {step}
        loss.backward()
        optimizer.step()
        total += loss.item()
    print("epoch", epoch, total / len(loader))
"""
PLAIN = {
    "model": "model = nn.Linear(6, 1)",
    "optimizer": "torch.optim.SGD(model.parameters(), lr=0.05)",
    "loss": "nn.MSELoss()",
    "step": "loss = criterion(model(a), b)",
}
MODELS = """\
from torch import nn
class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.body = nn.Linear(6, width)
        self.head = nn.Linear(width, 1)
    def forward(self, x):
        return self.head(self.body(x).relu())
class Centred(Net):
    def forward(self, x):
        return super().forward(x - x.cumsum(0))
def deep(width):
    return nn.Sequential(Net(width), nn.Linear(1, 1))
"""
MADE = "model = getattr(importlib.import_module(config['module']), config['name'])(8)"
NAMED = "getattr(importlib.import_module(config['optimizers']), config['optimizer'])"
ARMS = """\
if config["centred"]:
            loss = criterion(model(a - a.cumsum(0)), b)
        elif config["name"] == "largest":
            loss = criterion(model(a.cummax(0)[0]), b)
        else:
            loss = criterion(model(a), b)"""
CONFIG = {
    "module": "models",
    "name": "Net",
    "dotted": "models.Net",
    "optimizers": "torch.optim",
    "optimizer": "SGD",
    "loss": "mse",
    "centred": False,
}
LOSSES = '{"mse": nn.MSELoss(), "sum": nn.MSELoss(reduction="sum"), "l1": nn.L1Loss()}[config["loss"]]'
SCRIPTS: dict[str, tuple[dict[str, str], dict[str, Any]]] = {
    "a class of a module by its name": ({"model": MADE}, {"name": "Centred"}),
    "a function of a module by its name": ({"model": MADE.replace("(8)", "\nmodel = model(8)")}, {"name": "deep"}),
    "a class by its dotted name": (
        {"model": "model = pydoc.locate(config['dotted'])(8)"},
        {"dotted": "models.Centred"},
    ),
    "an optimizer by its name": (
        {"optimizer": f"{NAMED}(model.parameters(), 0.05)"},
        {"optimizer": "Adam"},
    ),
    "a loss of a dict": ({"loss": LOSSES}, {"loss": "sum"}),
    "arms of a condition": ({"step": ARMS}, {"centred": True}),
    "the other arm of a condition": ({"step": ARMS}, {"name": "largest"}),
}


class Trial:
    """A script in a folder of its own, and what it is told."""

    def __init__(self, folder: Path, parts: dict[str, str], runner: Forked, monkeypatch: pytest.MonkeyPatch) -> None:
        self.home, self.runner, self.runs = folder / "home", runner, 0
        self.home.mkdir()
        monkeypatch.setenv("CORRO_CACHE", str(folder / "cache"))
        monkeypatch.chdir(self.home)
        (self.home / "train.py").write_text(SCRIPT.format(**PLAIN | parts))
        (self.home / "models.py").write_text(MODELS)

    def told(self, **config: Any) -> None:
        (self.home / "config.json").write_text(json.dumps(CONFIG | config))

    def observed(self, target: str) -> Output:
        plain = compile_file("train.py", target, assume=True)
        assert plain.plan.outcome is Outcome.REFUSED
        return completed(plain, Options(target, assume=True), runner=self.runner)

    def verified(self, output: Output) -> Verdict:
        self.runs += 1
        folder = self.home.parent / f"runs{self.runs}"
        return judge(gather(subject_of(output, 2, steps=2), self.runner, folder))


@pytest.mark.parametrize(
    ("name", "target"), [*((name, "ddp") for name in SCRIPTS), ("an optimizer by its name", "horovod")]
)
def test_a_program_is_for_what_was_seen(
    name: str, target: str, runner: Forked, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts, other = SCRIPTS[name]
    trial = Trial(tmp_path, parts, runner, monkeypatch)
    trial.told()
    output = trial.observed(target)
    assert output.plan.outcome is Outcome.CONVERTED
    assert not trial.verified(output).failed
    trial.told(**other)
    verdict = trial.verified(output)
    assert "end" in {each.name for each in verdict.failed}


def test_what_differs_from_place_to_place_tells_nothing(
    runner: Forked, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make = "def make(name):\n    return getattr(importlib.import_module('models'), name)(8)\n"
    trial = Trial(
        tmp_path, {"model": f"{make}other = make('Centred')\nmodel = make(config['name'])"}, runner, monkeypatch
    )
    trial.told()
    assert trial.observed("ddp").plan.outcome is Outcome.REFUSED


def test_a_changed_configuration_is_seen_anew(runner: Forked, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trial = Trial(tmp_path, {"model": MADE}, runner, monkeypatch)
    trial.told()
    first = trial.observed("ddp")
    assert trial.observed("ddp").plan.observed == first.plan.observed
    trial.told(name="Centred")
    assert trial.observed("ddp").plan.outcome is Outcome.REFUSED


def test_a_condition_without_another_arm_leaves_nothing_out(
    runner: Forked, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    step = 'if config["name"] == "Net":\n            b = b * 2\n        loss = criterion(model(a.cumsum(0)), b)'
    trial = Trial(tmp_path, {"model": MADE, "step": step}, runner, monkeypatch)
    trial.told()
    assert trial.observed("ddp").plan.outcome is Outcome.REFUSED
