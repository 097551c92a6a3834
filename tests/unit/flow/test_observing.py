"""What a run has shown counts as if it were written, the program sees it for itself, and only what stays is asked."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest

from corro.anatomy.observations import BODY, DEFINITION, INSTANCE, ORELSE, UNTAKEN, Observation, path_of, where
from corro.compiler import Options, Output, compile_file, compile_source, questions_of
from corro.plan import Outcome
from corro.source import read_source

HEAD = """\
import importlib
import json
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
config = json.load(open("config.json"))
loader = DataLoader(TensorDataset(torch.randn(48, 6), torch.randn(48, 1)), batch_size=12, shuffle=True)
"""
LOOP = """\
for epoch in range(2):
    for a, b in loader:
        optimizer.zero_grad()
        loss = ((model(a) - b) ** 2).mean()
        loss.backward()
        optimizer.step()
"""
LINEAR = "model = nn.Linear(6, 1)\n"
SGD = "optimizer = torch.optim.SGD(model.parameters(), lr=0.1)\n"
CHOSEN = "getattr(importlib.import_module(config['module']), config['model'])"
MODELS = """\
from torch import nn
class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.body = nn.Linear(6, width)
        self.head = nn.Linear(width, 1)
    def forward(self, x):
        return self.head(self.body(x).relu())
"""
NET: dict[str, Any] = {"module": "models", "name": "Net", "bases": ("models.Net", "torch.nn.modules.module.Module")}
LOSS: dict[str, Any] = {
    "module": "torch.nn.modules.loss",
    "name": "MSELoss",
    "bases": ("torch.nn.modules.loss.MSELoss", "torch.nn.modules.module.Module"),
}


class Script:
    def __init__(self, folder: Path, *parts: str) -> None:
        self.path = folder / "train.py"
        self.path.write_text(HEAD + "".join(parts))
        (folder / "models.py").write_text(MODELS)
        self.own = path_of(folder / "models.py")

    def seen(self, text: str, form: str = DEFINITION, file: str = "train.py", **more: Any) -> Observation:
        """An observation of the first expression that is written so."""
        for node in ast.walk(ast.parse(self.path.with_name(file).read_text())):
            if isinstance(node, ast.expr) and ast.unparse(node) == ast.unparse(ast.parse(text, mode="eval").body):
                return Observation(path_of(self.path.with_name(file)), where(node), form, **more)
        raise AssertionError(text)

    def plain(self) -> Output:
        return compile_file(self.path, "ddp", assume=True, defaults=False)

    def compiled(self, *observed: Observation) -> Output:
        return compile_source(read_source(self.path), Options("ddp", assume=True, observed=observed, defaults=False))

    def asked(self) -> set[str]:
        """The expressions and the conditions that are asked for, as they are written."""
        lines = self.path.read_text().splitlines()
        asked = questions_of(read_source(self.path), self.plain().plan)
        return {lines[line - 1][start:end] for _, (line, start, _, end) in (*asked.values, *asked.tests)}


def test_a_class_that_was_called_is_followed_and_compared(tmp_path: Path) -> None:
    script = Script(tmp_path, f"model = {CHOSEN}(8)\n", SGD, LOOP)
    assert script.plain().plan.outcome is Outcome.REFUSED
    output = script.compiled(script.seen(CHOSEN, **NET, own=script.own))
    assert output.plan.outcome is Outcome.CONVERTED
    assert output.text is not None
    assert "model = getattr" in output.text
    assert "if str(type(model)) != \"<class 'models.Net'>\":\n    raise SystemExit(" in output.text


def test_a_class_that_is_not_called_at_once_is_compared_itself(tmp_path: Path) -> None:
    script = Script(tmp_path, f"made = {CHOSEN}\nmodel = made(8)\n", SGD, LOOP)
    output = script.compiled(script.seen(CHOSEN, **NET, own=script.own))
    assert output.text is not None
    assert "if str(made) != \"<class 'models.Net'>\":" in output.text


def test_a_project_module_compares_where_it_chooses(tmp_path: Path) -> None:
    build = f"import importlib\ndef build(config):\n    return {CHOSEN}(8)\n"
    (tmp_path / "build.py").write_text(build)
    script = Script(tmp_path, "from build import build\nmodel = build(config)\n", SGD, LOOP)
    output = script.compiled(script.seen(CHOSEN, file="build.py", **NET, own=script.own))
    assert output.plan.outcome is Outcome.CONVERTED
    (module,) = output.modules
    compared = f"    if str({CHOSEN}) != \"<class 'models.Net'>\":\n"
    assert f"def build(config):\n{compared}        raise SystemExit(" in module.text


def test_a_class_that_the_text_has_not_got_is_not_taken(tmp_path: Path) -> None:
    script = Script(tmp_path, f"model = {CHOSEN}(8)\n", SGD, LOOP)
    other = script.seen(CHOSEN, **NET | {"name": "Other"}, own=script.own)
    elsewhere = script.seen(CHOSEN, **NET, own=path_of(tmp_path / "elsewhere.py"))
    assert [script.compiled(each).plan.outcome for each in (other, elsewhere)] == [Outcome.REFUSED] * 2


def test_an_object_rests_on_how_its_class_is_written(tmp_path: Path) -> None:
    script = Script(tmp_path, "import joblib\nmodel = joblib.load('model.pkl')\n", SGD, LOOP)
    output = script.compiled(script.seen("joblib.load('model.pkl')", INSTANCE, **NET, own=script.own))
    assert output.plan.outcome is Outcome.TO_VERIFY
    assert [each.shown_by for each in output.plan.assumptions] == ["gradient"]
    assert output.text is not None
    assert "if str(type(model)) != \"<class 'models.Net'>\":" in output.text


@pytest.mark.parametrize("reduction", ["mean", "sum"])
def test_a_loss_is_compared_with_what_it_makes_of_a_batch(reduction: str, tmp_path: Path) -> None:
    chosen = "criterion = {'mean': nn.MSELoss(), 'sum': nn.MSELoss(reduction='sum')}[config['loss']]\n"
    loop = LOOP.replace("((model(a) - b) ** 2).mean()", "criterion(model(a), b)")
    script = Script(tmp_path, LINEAR, SGD, chosen, loop)
    assert script.plain().plan.outcome is Outcome.REFUSED
    told = (("training", True), ("reduction", reduction))
    value = "{'mean': nn.MSELoss(), 'sum': nn.MSELoss(reduction='sum')}[config['loss']]"
    output = script.compiled(script.seen(value, INSTANCE, **LOSS, attributes=told))
    assert output.plan.outcome is Outcome.CONVERTED
    assert output.text is not None
    assert f'<class \'torch.nn.modules.loss.MSELoss\'>" or criterion.reduction != "{reduction}":' in output.text
    assert ("loss * dist.get_world_size()" in output.text) == (reduction == "sum")


ARMS = """\
for epoch in range(2):
    for a, b in loader:
        optimizer.zero_grad()
        if config["pairs"]:
            loss = (model(a)[torch.randperm(len(a))] - b).pow(2).mean()
        else:
            loss = ((model(a) - b) ** 2).mean()
        loss.backward()
        optimizer.step()
"""


def test_an_arm_that_was_not_taken_stops_the_program(tmp_path: Path) -> None:
    script = Script(tmp_path, LINEAR, SGD, ARMS)
    assert script.plain().plan.outcome is Outcome.REFUSED
    output = script.compiled(script.seen('config["pairs"]', UNTAKEN, name=BODY))
    assert output.plan.outcome is Outcome.CONVERTED
    assert output.text is not None
    arm = output.text[output.text.index('if config["pairs"]') :].splitlines()
    assert arm[1].strip().startswith("raise SystemExit(")
    assert script.compiled(script.seen('config["pairs"]', UNTAKEN, name=ORELSE)).plan.outcome is Outcome.REFUSED


@pytest.mark.parametrize("caught", ["except:", "except BaseException:", "except (OSError, SystemExit):"])
def test_what_may_be_caught_is_refused(caught: str, tmp_path: Path) -> None:
    made = f"try:\n    model = {CHOSEN}(8)\n{caught}\n    model = nn.Linear(6, 1)\n"
    script = Script(tmp_path, made, SGD, LOOP)
    output = script.compiled(script.seen(CHOSEN, **NET, own=script.own))
    assert "observed" in {each.rule for each in output.plan.refusals}


def test_what_cannot_be_read_twice_is_refused(tmp_path: Path) -> None:
    script = Script(tmp_path, "import joblib\nmodel = joblib.load('class.pkl')(8).to('cpu')\n", SGD, LOOP)
    output = script.compiled(script.seen("joblib.load('class.pkl')", **NET, own=script.own))
    assert {each.rule for each in output.plan.refusals} == {"observed"}


def test_what_is_chosen_once_is_asked_for(tmp_path: Path) -> None:
    assert CHOSEN in Script(tmp_path, f"model = {CHOSEN}(8)\n", SGD, LOOP).asked()
    assert 'config["pairs"]' in Script(tmp_path, LINEAR, SGD, ARMS).asked()


@pytest.mark.parametrize(
    "test",
    ["epoch > 1", "loss_so_far > 3", "flag", "config.pop('pairs')", "torch.rand(1).item() > 0.5"],
)
def test_what_may_turn_in_later_steps_is_not_asked_for(test: str, tmp_path: Path) -> None:
    arms = ARMS.replace('config["pairs"]', test).replace(
        "        loss.backward", "        flag = not flag\n        loss.backward"
    )
    arms = arms.replace("        optimizer.step()", "        optimizer.step()\n        loss_so_far = loss.item()")
    script = Script(tmp_path, LINEAR, SGD, "flag = loss_so_far = 0\n", arms)
    assert test not in script.asked()


@pytest.mark.parametrize(
    "said",
    [
        "gpu = torch.cuda.is_available()\nargs = parser.parse_args()\n",
        "args = parser.parse_args()\nargs.gpu = torch.cuda.is_available() and not args.off\ngpu = args.gpu\n",
        "args = parser.parse_args()\ngpu = torch.device('cuda' if torch.cuda.is_available() else 'cpu').index\n",
    ],
)
def test_what_depends_on_the_machine_is_not_asked_for(said: str, tmp_path: Path) -> None:
    parser = "import argparse\nparser = argparse.ArgumentParser()\nparser.add_argument('--off', action='store_true')\n"
    script = Script(tmp_path, parser, said, LINEAR, SGD, ARMS.replace('config["pairs"]', "gpu"))
    assert "gpu" not in script.asked()
    assert (
        "args.off" in Script(tmp_path, parser, said, LINEAR, SGD, ARMS.replace('config["pairs"]', "args.off")).asked()
    )


def test_a_model_chosen_anew_in_each_round_is_not_asked_for(tmp_path: Path) -> None:
    chosen = "getattr(importlib.import_module('models'), name)"
    rounds = f"for name in config['models']:\n    model = {chosen}(8)\n"
    inner = "".join(f"    {line}\n" for line in (SGD + LOOP).splitlines())
    assert chosen not in Script(tmp_path, rounds, inner).asked()
