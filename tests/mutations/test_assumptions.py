"""Scripts of which something is assumed that is not so: the property that is named by the assumption shows it."""

from __future__ import annotations

from pathlib import Path

import pytest
from forked import Forked

from corro.compiler import compile_file
from corro.verify import subject_of
from corro.verify.assumptions import Standing, conclude
from corro.verify.properties import judge
from corro.verify.runs import gather

SCRIPT = """\
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0)
x, y = torch.randn(48, 6), torch.randn(48, 1)
loader = DataLoader(TensorDataset(x, y), batch_size=12, shuffle=True)
model = nn.Linear(6, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
{definition}
for epoch in range(2):
    for a, b in loader:
        optimizer.zero_grad()
        loss = {loss}
        loss.backward()
        optimizer.step()
"""
OWN = """\
class Own(torch.autograd.Function):
    @staticmethod
    def forward(ctx, error):
        ctx.save_for_backward(error)
        return error.pow(2).mean().sqrt()
    @staticmethod
    def backward(ctx, gradient):
        (error,) = ctx.saved_tensors
        return gradient * error / error.numel() / error.pow(2).mean().sqrt()
"""
TRUE = {
    "a mean of squares": ("", 'torch.einsum("bi,bi->", model(a) - b, model(a) - b) / len(a)'),
    "a mean over samples": ("", "torch.vmap(lambda p, t: (p - t).abs().sum())(model(a), b).mean()"),
}
FALSE = {
    "samples are compared": ("", "torch._euclidean_dist(model(a), b).mean()"),
    "a sum": ("", 'torch.einsum("bi,bi->", model(a) - b, model(a) - b)'),
    "pairs of samples": ("", 'torch.einsum("bi,ci->", model(a), b) / len(a)'),
    "a root of the mean": (OWN, "Own.apply(model(a) - b)"),
}


@pytest.mark.parametrize("loss", [*TRUE, *FALSE])
@pytest.mark.parametrize("target", ["ddp", "horovod"])
def test_an_assumption_is_put_to_the_test(
    target: str, loss: str, runner: Forked, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CORRO_CACHE", str(tmp_path / "cache"))
    script = tmp_path / "home" / "train.py"
    script.parent.mkdir()
    definition, expression = (TRUE | FALSE)[loss]
    script.write_text(SCRIPT.format(definition=definition, loss=expression))
    output = compile_file(script, target, assume=True)
    found = judge(gather(subject_of(output, 2, steps=3), runner, tmp_path / "runs"))
    (tested,) = conclude(output, found, ())
    assert tested.standing is (Standing.HOLDS if loss in TRUE else Standing.FAILS)
    assert found.first is None or found.first[0].name == tested.assumption.shown_by == "gradient"
