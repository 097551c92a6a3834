"""Where samples are lost from sight on the way to a loss, as the refusal tells it."""

from __future__ import annotations

import textwrap

import pytest

from corro.compiler import compile_source
from corro.source import SourceFile

HEAD = """
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.randn(64, 8), torch.randn(64, 8)), batch_size=8, shuffle=True)
model = nn.Linear(8, 8)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

"""
LOOP = """
for epoch in range(2):
    for x, y in loader:
        out = model(x)
        {body}
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
"""


@pytest.mark.parametrize(
    ("functions", "body"),
    [
        ("", "x[0] = 0; loss = F.mse_loss(model(x), y)"),
        ("def without(z):\n    z[0] = 0\n    return z\n", "loss = F.mse_loss(without(out), y)"),
    ],
)
def test_a_refusal_says_where_samples_are_lost_from_sight(functions: str, body: str) -> None:
    text = HEAD + functions + textwrap.dedent(LOOP.format(body=body))
    findings = compile_source(SourceFile.from_text(text, "train.py")).plan.findings
    said = [each.advice for each in findings if each.rule == "loss"]
    line, place = next(
        (number, part.split(" = ")[0].strip()) for number, part in enumerate(text.splitlines(), 1) if "] = 0" in part
    )
    assert [f"Its samples are lost from sight in line {line}: {place}." in each for each in said] == [True], said
