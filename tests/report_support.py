"""Files with results, as the commands leave them, made without a run."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from bench_support import factors, rows
from corro.bench.design import Design, designed
from corro.bench.store import opened
from corro.forecast.profile import Gradient, Profile, Share, text_of
from corro.trace.chrome import document
from corro.trace.spans import BACKWARD, EXCHANGE, FORWARD, LOADING, OPTIMIZER, Rank, Span
from corro.trace.summary import summarised

SCRIPT = "train.py"
MACHINE = "a processor, 2 cores, Linux, Python 3.11, torch 2.13.0"
TRAINING = """\
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
data = TensorDataset(torch.randn(64, 4), torch.randn(64, 1))
loader = DataLoader(data, batch_size=8, shuffle=True)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
"""


def bench(file: Path, *, script: str = SCRIPT, blocks: int = 3, seed: int = 0, **more: Any) -> Design:
    """A file of ``corro bench`` whose runs report an accuracy over time."""
    levels = {"target": ("ddp", "horovod"), "processes": ("1", "2"), "batch_size": ("32", "64")}
    asked = factors(**levels)
    made = designed(asked, "full", seed, 2)
    described = {
        "factors": {each.name: each.levels for each in asked},
        "design": "full",
        "seed": seed,
        "command": f"corro bench {script} -n 1,2 --factor batch-size=32,64",
        "limits": True,
        "steps": 0,
        "machine": MACHINE,
        "cores": 2,
        "arguments": [],
        "seeds": None,
        "equal": {"accuracy": 0.05},
        "reach": {},
        **more,
    }
    with opened(file, f"key{seed}") as store:
        store.begin(script, described, MACHINE)
        for row in rows(made, blocks, noise=0.02, seed=seed):
            last = 0.9 + 0.001 * row.block
            series = {"accuracy": [(1.0, 0.5), (2.0, 0.7), (3.0, last)]}
            store.add(replace(row, numbers={"accuracy": last}, series=series))
    return made


def about(kind: str, target: str = "ddp", script: str = SCRIPT, **more: Any) -> dict[str, Any]:
    told = {"corro": kind, "script": script, "target": target, "scaling": "strong", "processes": 2}
    command = f"corro {kind} {script} --to {target}"
    return {**told, "command": command, "machine": MACHINE, "made": "2026-01-02T03:04:05+00:00", **more}


def trace(file: Path, target: str = "ddp", script: str = SCRIPT) -> None:
    """A file of ``corro trace``: ten steps of two processes."""
    work = {LOADING: 0.01, FORWARD: 0.03, BACKWARD: 0.05, OPTIMIZER: 0.01}
    ranks = [_rank(number, work) for number in (0, 1)]
    told = {**about("trace", target, script), "summary": asdict(summarised(ranks, 2))}
    file.write_text(json.dumps(document(ranks, told)))


def _rank(number: int, work: Mapping[str, float]) -> Rank:
    spans, ends, now = [], [], 0.0
    for step in range(10):
        for kind, seconds in work.items():
            if kind == BACKWARD:
                spans.append(Span(EXCHANGE, now + 0.02, now + 0.04, "", step, 4000))
            spans.append(Span(kind, now, now + seconds, "train.py:12", step))
            now += seconds
        ends.append(now)
    return Rank(number, tuple(spans), tuple(ends), 0.001)


def verdict(file: Path, script: str = SCRIPT, status: str = "PASS") -> None:
    """A file of ``corro verify``."""
    fault = {"message": "the gradient is not the mean", "line": "train.py:14", "own": "2", "wanted": "1"}
    result = {
        "property": "gradient",
        "title": "the gradient is that of the global batch",
        "status": status,
        "faults": [fault] if status == "FAIL" else [],
        "unknown": [],
        "seen": ["16 steps"],
    }
    told = {"results": [result], "first": None, "comparable": [], "conclusion": f"Of one property: {status}."}
    file.write_text(json.dumps({**told, "about": about("verify", script=script)}))


def profile(file: Path, script: str = SCRIPT) -> None:
    """A file of ``corro forecast``: 10 MB of gradients, 80 ms a step."""
    gradients = tuple(Gradient(f"layer {number}", 2_500_000) for number in range(4))
    backward = (0.01, 0.01, 0.01, 0.01, 0.0)
    steps = tuple(0.08 + 0.001 * number for number in range(10))
    share = Share(batch=64, forward=0.03, backward=backward, optimizer=0.01, steps=steps)
    file.write_text(text_of(Profile(script, gradients, (share,), samples=6400, epochs=3, device="cpu")))
