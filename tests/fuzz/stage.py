"""What a forked process becomes: a script with the noise off and the order of samples fixed, watched at its end."""

from __future__ import annotations

import atexit
import os
import pickle
import random
import sys
import threading
import traceback
import types
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.optim.optimizer import register_optimizer_step_pre_hook
from torch.utils.data import RandomSampler
from torch.utils.data.distributed import DistributedSampler

REPORT = "report.pickle"


@dataclass
class Report:
    """What a process leaves besides its output and its files."""

    weights: list[np.ndarray] = field(default_factory=list)
    origins: list[set[int]] = field(default_factory=list)
    error: str = ""


def play(script: Path, folder: Path, name: str, environment: dict[str, str], jitter: int) -> None:
    """Run a script as ``__main__`` in a folder of its own; never returns.

    ``jitter`` other than 0 moves gradients by a rounding error at each step: how much a number then moves is what
    rounding does to it.
    """
    os.environ.update(environment)
    room = folder / "room"
    room.mkdir(parents=True, exist_ok=True)
    os.chdir(room)
    for number, stream in enumerate(("in", "out", "err")):
        path = os.devnull if stream == "in" else str(folder / f"{name}.{stream}")
        opened = os.open(path, os.O_RDONLY if stream == "in" else os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        os.dup2(opened, number)
        os.close(opened)
    warnings.simplefilter("ignore")
    report = Report()
    status = 1
    try:
        torch.set_num_threads(1)
        _fix_order()
        _silence_noise()
        optimizers = _catch_optimizers(jitter)
        sys.stdout = Recorder(sys.stdout, str(script), report.origins)  # type: ignore[assignment]
        _execute(script)
        status = 0
    except SystemExit as ending:
        status = ending.code if isinstance(ending.code, int) else int(ending.code is not None)
        if isinstance(ending.code, str):
            print(ending.code, file=sys.stderr)
            report.error = f"SystemExit: {ending.code}"
    except BaseException as error:
        traceback.print_exc()
        report.error = f"{type(error).__name__}: {error}"
    try:
        report.weights = [p.detach().numpy().copy() for p in _parameters(optimizers)]
        (folder / f"{name}.{REPORT}").write_bytes(pickle.dumps(report))
        threading._shutdown()  # type: ignore[attr-defined]
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(status)


def _execute(script: Path) -> None:
    main = types.ModuleType("__main__")
    main.__file__ = str(script)
    sys.modules["__main__"] = main
    sys.argv = [script.name]
    sys.path[0] = str(script.parent)
    random.seed(0)
    np.random.seed(0)
    torch.manual_seed(0)
    exec(compile(script.read_bytes(), str(script), "exec", dont_inherit=True), vars(main))


class Recorder:
    """Standard output that knows which lines of the script each of its lines came from."""

    def __init__(self, stream: Any, script: str, origins: list[set[int]]) -> None:
        self.stream, self.script, self.origins = stream, script, origins
        self.begun: set[int] = set()

    def write(self, text: str) -> int:
        frame = sys._getframe(1)
        while frame is not None:
            if frame.f_code.co_filename == self.script:
                self.begun.add(frame.f_lineno)
            frame = frame.f_back  # type: ignore[assignment]
        for _ in range(text.count("\n")):
            self.origins.append(set(self.begun))
        if text.endswith("\n"):
            self.begun.clear()
        return int(self.stream.write(text))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


def _order(length: int, epoch: int) -> list[int]:
    """The order of an epoch, the same however many processes there are."""
    order = list(range(length))
    random.Random(epoch).shuffle(order)
    return order


def _fix_order() -> None:
    """Let shuffled loaders and shuffled ``DistributedSampler`` go through the same order in the same epoch.

    A loader's epochs are those that it was iterated, a sampler's those that it was told: a sampler that is not told
    has the wrong order.
    """

    def shuffled(sampler: Any) -> Iterator[int]:
        sampler.rounds = getattr(sampler, "rounds", -1) + 1
        yield from _order(len(sampler.data_source), sampler.rounds)

    def shared(sampler: Any) -> Iterator[int]:
        length = len(sampler.dataset)
        if not hasattr(sampler, "first"):
            sampler.first = sampler.epoch
        order = _order(length, sampler.epoch - sampler.first) if sampler.shuffle else list(range(length))
        if sampler.drop_last:
            order = order[: sampler.total_size]
        while len(order) < sampler.total_size:
            order += order[: sampler.total_size - len(order)]
        return iter(order[sampler.rank : sampler.total_size : sampler.num_replicas])

    plain = RandomSampler.__iter__

    def either(sampler: Any) -> Iterator[int]:
        return plain(sampler) if sampler.replacement or sampler._num_samples is not None else shuffled(sampler)

    RandomSampler.__iter__ = either  # type: ignore[method-assign]
    DistributedSampler.__iter__ = shared  # type: ignore[method-assign]


def _silence_noise() -> None:
    def same(x: torch.Tensor, *_: Any, **__: Any) -> torch.Tensor:
        return x

    torch.nn.functional.dropout = same
    torch.nn.functional.dropout1d = same
    torch.nn.functional.dropout2d = same


def _catch_optimizers(jitter: int) -> list[torch.optim.Optimizer]:
    made: list[torch.optim.Optimizer] = []
    plain: Callable[..., None] = torch.optim.Optimizer.__init__
    chance = np.random.default_rng(jitter)

    def caught(self: torch.optim.Optimizer, *args: Any, **kwargs: Any) -> None:
        plain(self, *args, **kwargs)
        made.append(self)

    def shake(self: torch.optim.Optimizer, *_: Any) -> None:
        for group in self.param_groups:
            for gradient in (p.grad for p in group["params"] if p.grad is not None):
                noise = torch.as_tensor(chance.standard_normal(tuple(gradient.shape)), dtype=gradient.dtype)
                gradient.add_(noise * gradient.abs().max() * 3e-7)

    torch.optim.Optimizer.__init__ = caught  # type: ignore[assignment]
    if jitter:
        register_optimizer_step_pre_hook(shake)
    return made


def _parameters(optimizers: list[torch.optim.Optimizer]) -> list[torch.Tensor]:
    """What was trained, in order and each once: an optimizer that wraps another has the same parameters."""
    every = (p for each in optimizers for group in each.param_groups for p in group["params"])
    return list({id(p): p for p in every}.values())
