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

pytestmark = pytest.mark.reads("tests/parity/server.py")
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


STREAM = """\
import os, random, secrets, time, uuid
import torch
from torch import nn
from torch.utils.data import DataLoader, IterableDataset
class Numbers(IterableDataset):
    def __iter__(self):
        for number in {order}:
            yield torch.tensor([number / 100, 1.0]), torch.tensor([1.0])
torch.manual_seed(0)
loader = DataLoader(Numbers(), batch_size=16)
model = nn.Linear(2, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for a, b in loader:
    optimizer.zero_grad()
    nn.functional.mse_loss(model(a), b).backward()
    optimizer.step()
"""
EQUAL = {"a seed": "random.Random(3).sample(range(64), 64)"}
UNEQUAL = {
    "what is secret": "sorted(range(64), key=lambda n: secrets.token_bytes(4))",
    "what is unique": "sorted(range(64), key=lambda n: uuid.uuid4().int)",
    "bytes of the system": "sorted(range(64), key=lambda n: os.urandom(4))",
}


@pytest.mark.parametrize("loss", [*TRUE, *FALSE])
@pytest.mark.parametrize("target", ["ddp", "horovod"])
def test_an_assumption_is_put_to_the_test(
    target: str, loss: str, runner: Forked, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    definition, expression = (TRUE | FALSE)[loss]
    text = SCRIPT.format(definition=definition, loss=expression)
    standing, broken = tried(text, target, runner, tmp_path, monkeypatch)
    assert standing is (Standing.HOLDS if loss in TRUE else Standing.FAILS)
    assert broken in (None, "gradient")


@pytest.mark.parametrize("order", [*EQUAL, *UNEQUAL])
def test_that_a_stream_is_equal_everywhere_is_put_to_the_test(
    order: str, runner: Forked, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = STREAM.format(order=(EQUAL | UNEQUAL)[order])
    standing, _ = tried(text, "ddp", runner, tmp_path, monkeypatch, steps=0)
    assert standing is (Standing.HOLDS if order in EQUAL else Standing.FAILS)


def tried(
    text: str, target: str, runner: Forked, folder: Path, monkeypatch: pytest.MonkeyPatch, *, steps: int = 3
) -> tuple[Standing, str | None]:
    """What came of the one assumption of a script, and the property that was broken first."""
    monkeypatch.setenv("CORRO_CACHE", str(folder / "cache"))
    script = folder / "home" / "train.py"
    script.parent.mkdir()
    script.write_text(text)
    monkeypatch.chdir(script.parent)  # runs find copies of what lies there
    output = compile_file(script, target, assume=True)
    found = judge(gather(subject_of(output, 2, steps=steps), runner, folder / "runs"))
    (tested,) = conclude(output, found, ())
    return tested.standing, found.first[0].name if found.first is not None else None
