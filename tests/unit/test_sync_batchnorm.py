"""Batch normalisation over the global batch: it runs on GPUs only, so here it is checked as text."""

from __future__ import annotations

from corro.compiler import Options, compile_source
from corro.plan import Outcome
from corro.source import SourceFile

SCRIPT = """\
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(64, 4), torch.randint(0, 2, (64,))), batch_size=8, shuffle=True)
model = nn.Sequential(nn.Linear(4, 8), {layer}, nn.Linear(8, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
"""
CONVERTS = "model = torch.nn.SyncBatchNorm.convert_sync_batchnorm(model)\nddp_model = DistributedDataParallel(model)\n"


def source(layer: str) -> SourceFile:
    return SourceFile.from_text(SCRIPT.format(layer=layer))


def test_the_model_is_converted_just_before_it_is_wrapped() -> None:
    output = compile_source(source("nn.BatchNorm1d(8)"), Options("ddp", sync_batchnorm=True))
    assert CONVERTS in (output.text or "")
    assert not [f for f in output.plan.findings if "batch normalisation" in f.message]


def test_without_the_option_the_local_statistics_are_said() -> None:
    output = compile_source(source("nn.BatchNorm1d(8)"), Options("ddp"))
    assert "SyncBatchNorm" not in (output.text or "")
    assert [f.rule for f in output.plan.findings if "batch normalisation" in f.message] == ["replicas"]


def test_a_model_without_batch_normalisation_is_left_alone() -> None:
    output = compile_source(source("nn.ReLU()"), Options("ddp", sync_batchnorm=True))
    assert "SyncBatchNorm" not in (output.text or "")


def test_horovod_refuses() -> None:
    output = compile_source(source("nn.BatchNorm1d(8)"), Options("horovod", sync_batchnorm=True))
    assert output.plan.outcome is Outcome.REFUSED
