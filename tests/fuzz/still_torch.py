"""PyTorch with the noise off and the order of samples fixed."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import torch
from torch.optim.optimizer import register_optimizer_step_pre_hook
from torch.utils.data import RandomSampler
from torch.utils.data.distributed import DistributedSampler

from fuzz.stage import COARSE, Weights


def install(jitter: int) -> Weights:
    """Change what is imported; the answer reads what was trained."""
    torch.set_num_threads(1)
    torch.manual_seed(0)
    _fix_order()
    _silence_noise()
    optimizers = _catch_optimizers(jitter)
    if 0 < jitter < COARSE:
        _shake_numbers(np.random.default_rng(jitter))
    return lambda _: [p.detach().numpy().copy() for p in _parameters(optimizers)]


def _order(length: int, epoch: int) -> list[int]:
    """The order of an epoch, the same however many processes there are."""
    order = list(range(length))
    random.Random(epoch).shuffle(order)
    return order


def _fix_order() -> None:
    """Let shuffled loaders and shuffled ``DistributedSampler`` go through the same order in the same epoch.

    A loader's epochs are those that it was iterated with gradients, a sampler's those that it was told: a sampler that
    is not told has the wrong order.
    """

    def shuffled(sampler: Any) -> Iterator[int]:
        known = getattr(sampler, "rounds", -1)
        sampler.rounds = known + 1 if torch.is_grad_enabled() else max(known, 0)
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

    def shake(self: torch.optim.Optimizer, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if len(args) > 1 and callable(args[1]):  # the gradients are those that a closure computes

            def shaken() -> Any:
                loss = args[1]()
                shake(self, (), {})
                return loss

            return (args[0], shaken, *args[2:]), kwargs
        gradients = [p.grad for group in self.param_groups for p in group["params"] if p.grad is not None]
        largest = max((float(each.abs().max()) for each in gradients), default=0.0)
        for gradient in gradients:  # also one of nothing but rounding errors
            size = max(3e-7 * float(gradient.abs().max()), 5e-8 * largest) if jitter < COARSE else 0.2 * gradient.abs()
            gradient.add_(torch.as_tensor(chance.standard_normal(tuple(gradient.shape)), dtype=gradient.dtype) * size)
        return None

    torch.optim.Optimizer.__init__ = caught  # type: ignore[assignment]
    if jitter:
        register_optimizer_step_pre_hook(shake)
    return made


def _shake_numbers(chance: np.random.Generator) -> None:
    """Move single numbers by a rounding error, as adding up in another order does: it decides between equal ones."""
    plain = torch.Tensor.item

    def shaken(self: torch.Tensor) -> Any:
        number = plain(self)
        whole = not isinstance(number, float) or number.is_integer()
        return number if whole else number + 1e-6 * max(1.0, abs(number)) * chance.standard_normal()

    torch.Tensor.item = shaken  # type: ignore[method-assign]


def _parameters(optimizers: list[torch.optim.Optimizer]) -> list[torch.Tensor]:
    """What was trained, in order and each once: an optimizer that wraps another has the same parameters."""
    every = (p for each in optimizers for group in each.param_groups for p in group["params"])
    return list({id(p): p for p in every}.values())
