"""PyTorch: steps of optimizers, and batches of loaders.

Where a GPU works, a step has ended when it has: the clock waits for it.
"""

from __future__ import annotations

import functools
import sys
from types import ModuleType
from typing import Any

from corro.bench.meter.clock import Meter
from corro.verify.probe.imports import after_import


def install(meter: Meter) -> None:
    """Watch optimizers and loaders once PyTorch is imported."""
    after_import("torch.optim.optimizer", lambda module: _watch_steps(module, meter))
    after_import("torch.utils.data.dataloader", lambda module: _watch_loaders(module, meter))


def _watch_steps(module: ModuleType, meter: Meter) -> None:
    depth = 0  # Horovod's optimizer fires the hooks of a step twice, one pair inside the other

    def before(*_: Any) -> None:
        nonlocal depth
        depth += 1

    def after(*_: Any) -> None:
        nonlocal depth
        depth -= 1
        if depth == 0:
            _wait_for_device()
            meter.stepped()

    module.register_optimizer_step_pre_hook(before)
    module.register_optimizer_step_post_hook(after)


def _wait_for_device() -> None:
    cuda = sys.modules["torch"].cuda
    if cuda.is_initialized():
        cuda.synchronize()


def _watch_loaders(module: ModuleType, meter: Meter) -> None:
    iterator = module._BaseDataLoaderIter
    begun, reset, next_batch = iterator.__init__, iterator._reset, iterator.__next__

    @functools.wraps(begun)
    def begin(self: Any, *args: Any, **kwargs: Any) -> None:
        meter.began()
        begun(self, *args, **kwargs)

    @functools.wraps(reset)
    def begin_again(self: Any, *args: Any, **kwargs: Any) -> None:
        meter.began()
        reset(self, *args, **kwargs)

    @functools.wraps(next_batch)
    def give(self: Any) -> Any:
        batch = next_batch(self)
        meter.gave(samples_in(batch))
        return batch

    iterator.__init__, iterator._reset, iterator.__next__ = begin, begin_again, give


def samples_in(batch: Any) -> int | None:
    """How many samples a batch has, by its first tensor; ``None`` where that does not say it."""
    if isinstance(graphs := getattr(batch, "num_graphs", None), int):
        return graphs
    if isinstance(shape := getattr(batch, "shape", None), tuple):
        return int(shape[0]) if shape else 1
    if hasattr(batch, "values") and callable(batch.values):
        batch = list(batch.values())
    return samples_in(batch[0]) if isinstance(batch, (list, tuple)) and batch else None
