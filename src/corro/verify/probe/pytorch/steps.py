"""Optimizer steps: reduced gradients, rates, weights; in a reference, what is taken over from the recorded run.

Horovod's optimizer fires the hooks of a step twice, one pair inside the other: the weights are final at the outermost
end, the gradients are reduced at the innermost beginning.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch.optim.optimizer import register_optimizer_step_post_hook, register_optimizer_step_pre_hook

from corro.verify.probe.fitting import gradients as scratch
from corro.verify.probe.fitting.arrays import Array
from corro.verify.probe.pytorch import precision
from corro.verify.probe.pytorch.loaders import Training
from corro.verify.probe.pytorch.state import Weights, checksum, norm, parameters
from corro.verify.probe.session import Session
from corro.verify.records import Difference, Step


class Gradients(scratch.Gradients):
    """A tensor without a gradient is like one whose gradient is zero: Horovod makes zeros."""

    def aligned(self, own: Sequence[Array], other: Sequence[Array]) -> tuple[Sequence[Array], Sequence[Array]]:
        """With zeros where only one side has a gradient."""
        if len(own) != len(other):
            return own, other
        mine = [np.zeros_like(b) if not len(a) else a for a, b in zip(own, other, strict=True)]
        return mine, [np.zeros_like(a) if not len(b) else b for a, b in zip(mine, other, strict=True)]

    def fit(self, own: Sequence[Array], other: Sequence[Array]) -> bool:
        """Some may have none on one side."""
        pairs = zip(own, other, strict=False)
        return len(own) == len(other) and all(not len(a) or not len(b) or len(a) == len(b) for a, b in pairs)


class Steps:
    """The steps of one process."""

    def __init__(self, session: Session, training: Training, weights: Weights) -> None:
        self._session = session
        self._training = training
        self._weights = weights
        self._scratch = Gradients(session)
        self._depth = 0
        self._number = 0
        self._tensors: list[torch.Tensor] = []
        self._reduced: list[torch.Tensor | None] = []
        self._own: list[Array] | None = None
        self._planned: list[float] = []
        self._difference: Difference | None = None
        self._noise = ""
        session.at_end.append(self._note_rates)

    def before(self, optimizer: Any, args: Any, kwargs: Any) -> None:
        """See ``register_optimizer_step_pre_hook``."""
        self._depth += 1
        if self._depth == 1:
            self._number = self._weights.optimizer(optimizer)
            self._tensors = parameters(optimizer)
            self._noise = self._training.drawn()
            for each in self._tensors:
                precision.note(self._session.record, each.dtype)
        self._reduced, self._own = [each.grad for each in self._tensors], None
        if self._session.replay is not None:
            self._impose(optimizer, len(self._session.record.steps))

    def after(self, optimizer: Any, args: Any, kwargs: Any) -> None:
        """See ``register_optimizer_step_post_hook``."""
        self._depth -= 1
        if self._depth:
            return
        rates = [float(group["lr"]) for group in optimizer.param_groups]
        step = Step(
            optimizer=self._number,
            line=self._session.line(),
            rates=rates,
            planned=self._planned or rates,
            gradients=[0 if each is None else checksum(each) for each in self._reduced],
            gradient_norms=[0.0 if each is None else norm(each) for each in self._reduced],
            weights=[checksum(each) for each in self._tensors],
            weight_norms=[norm(each) for each in self._tensors],
            difference=self._difference,
            noise=self._noise,
            closure=any(callable(each) for each in (*args, *kwargs.values())),
        )
        layout = [0 if each is None else each.numel() for each in self._reduced]
        self._scratch.keep(step, layout, map(_flat, self._reduced) if self._own is None else self._own)
        for group, rate in zip(optimizer.param_groups, self._planned, strict=False):
            group["lr"] = rate
        self._training.stepped(step)

    def _note_rates(self) -> None:
        groups = [group for optimizer in self._weights.optimizers for group in optimizer.param_groups]
        self._session.record.last_rates = [float(group["lr"]) for group in groups]

    def _impose(self, optimizer: Any, number: int) -> None:
        replay = self._session.replay
        assert replay is not None
        recorded = replay.step(number)
        self._planned, self._difference = [], None
        if recorded is None:
            return
        if replay.following.weak and len(recorded.rates) == len(optimizer.param_groups):
            self._planned = [float(group["lr"]) for group in optimizer.param_groups]
            for group, rate in zip(optimizer.param_groups, recorded.rates, strict=True):
                group["lr"] = rate
        if not replay.following.force:
            return
        own = [_flat(each) for each in self._reduced]
        wanted, self._difference = self._scratch.imposed(own, number)
        if self._scratch.has_room(each.size for each in own):
            self._own = [each.copy() for each in own]
        for tensor, other in zip(self._tensors, wanted or (), strict=False):
            self._take(tensor, other)

    def _take(self, tensor: torch.Tensor, other: Array) -> None:
        """Let a tensor have the recorded gradient; chance may have left it out of the step on one side alone."""
        if tensor.grad is not None and len(other):
            tensor.grad.copy_(torch.from_numpy(other).view_as(tensor))
        elif len(other) and other.any():
            tensor.grad = torch.from_numpy(other.copy()).view_as(tensor).to(tensor)
        elif not len(other) and self._noise:
            tensor.grad = None


def install(session: Session, training: Training, weights: Weights) -> None:
    """Watch all optimizers."""
    steps = Steps(session, training, weights)
    register_optimizer_step_pre_hook(steps.before)
    register_optimizer_step_post_hook(steps.after)


def _flat(gradient: torch.Tensor | None) -> Array:
    """Single-precision numbers in one row, which may be those of the gradient itself; none are empty."""
    if gradient is None:
        return np.zeros(0, np.float32)
    dense = gradient.detach() if gradient.layout is torch.strided else gradient.detach().to_dense()
    plain: Array = dense.cpu().float().contiguous().view(-1).numpy()
    return plain
