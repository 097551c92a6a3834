"""A library that is not installed where a script is compiled: what it computes is used, what it does is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from corro.compiler import make_plan
from corro.plan import Outcome, Plan
from corro.source import SourceFile

SCRIPT = """
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
import nowhere
{0}
data = TensorDataset(torch.randn(64, 8), torch.randn(64, 1))
loader = DataLoader({1}, batch_size=8, shuffle=True)
model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
{2}
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
    {3}
"""


def plan(head: str = "", data: str = "data", before: str = "", after: str = "pass") -> Plan:
    return make_plan(SourceFile.from_text(SCRIPT.format(head, data, before, after), Path("train.py")))


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param({}, id="imported only"),
        pytest.param({"data": "nowhere.Data('x')"}, id="a data set"),
        pytest.param({"head": "rows = nowhere.rows(3)\nprint(len(rows))"}, id="a number of something"),
        pytest.param({"head": "options = nowhere.options()\nnames = [options.name]\nnames.append('x')"}, id="a list"),
    ],
)
def test_what_it_computes_is_used(parts: dict[str, str]) -> None:
    converted = plan(**parts)
    assert converted.outcome is Outcome.CONVERTED
    said = [each.message for each in converted.findings if each.rule == "own-modules"]
    assert said == [
        "the library 'nowhere' is not installed here: its calls are taken to compute, and to do nothing else."
    ]


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param({"head": "nowhere.set_up()"}, id="called for what it does"),
        pytest.param({"head": "from nowhere.tools import set_up as begin\nbegin()"}, id="under another name"),
        pytest.param({"before": "board = nowhere.Board()", "after": "board.show(epoch)"}, id="an object of it"),
        pytest.param({"before": "def show(it):\n    it.show()\nshow(nowhere.Board())"}, id="handed to a function"),
        pytest.param({"before": "def make():\n    return nowhere.Board()\nmake().show()"}, id="made by a function"),
        pytest.param({"before": "boards = [nowhere.Board()]\nfor each in boards:\n    each.show()"}, id="in a list"),
        pytest.param(
            {"before": "class Log:\n    def __init__(self):\n        self.board = nowhere.Board()\nlog = Log()",
             "after": "log.board.show()"}, id="in an object",
        ),
        pytest.param({"before": "size = nowhere.count(model)"}, id="given the model"),
        pytest.param({"before": "size = nowhere.count(model.parameters())"}, id="given parameters"),
        pytest.param({"before": "warm = nowhere.Warm(optimizer)"}, id="given the optimizer"),
        pytest.param({"before": "seen = nowhere.count(batches=loader)"}, id="given the loader"),
        pytest.param({"after": "if nowhere.is_over(epoch):\n        break"}, id="ends the training"),
        pytest.param({"after": "with nowhere.clock():\n        pass"}, id="a context manager"),
        pytest.param({"head": "class Rows(nowhere.Data):\n    pass"}, id="a base class"),
        pytest.param({"head": "@nowhere.kept\ndef rows():\n    return 3"}, id="a decorator"),
    ],
)  # fmt: skip
def test_what_it_does_is_refused(parts: dict[str, str]) -> None:
    assert [each.message for each in plan(**parts).refusals if each.rule == "own-modules"] == [
        "the library 'nowhere' is not installed here, and what this does is not known."
    ]


def test_what_its_star_gives_is_not_told_apart() -> None:
    assert [each.message for each in plan("from nowhere.tools import *").refusals] == [
        "the module 'nowhere' is neither beside the script nor installed."
    ]
