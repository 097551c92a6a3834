"""Optimizer steps: reduced gradients, rates, weights; in a reference, what is taken over from the recorded run.

Horovod's optimizer fires the hooks of a step twice, one pair inside the other: the weights are final at the outermost
end, the gradients are reduced at the innermost beginning.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.optim.optimizer import register_optimizer_step_post_hook, register_optimizer_step_pre_hook

from corro.verify.probe.pytorch import precision
from corro.verify.probe.pytorch.loaders import Training
from corro.verify.probe.pytorch.state import Weights, checksum, norm, parameters
from corro.verify.probe.session import Session, Stop
from corro.verify.records import GRADIENTS, Difference, Record, Step


class Steps:
    """The steps of one process."""

    def __init__(self, session: Session, training: Training, weights: Weights) -> None:
        self._session = session
        self._training = training
        self._weights = weights
        self._depth = 0
        self._number = 0
        self._tensors: list[torch.Tensor] = []
        self._reduced: list[torch.Tensor | None] = []
        self._own: list[torch.Tensor | None] = []
        self._planned: list[float] = []
        self._difference: Difference | None = None
        self._noise = ""
        self._kept = 0
        self._file = (session.folder / GRADIENTS).open("wb")
        session.at_end += [self._file.close, self._note_rates]

    def before(self, optimizer: Any, args: Any, kwargs: Any) -> None:
        """See ``register_optimizer_step_pre_hook``."""
        self._depth += 1
        if self._depth == 1:
            self._number = self._weights.optimizer(optimizer)
            self._tensors = parameters(optimizer)
            self._noise = self._training.drawn()
            for each in self._tensors:
                precision.note(self._session.record, each.dtype)
        self._reduced = self._own = [each.grad for each in self._tensors]
        if self._session.replay is not None:
            self._impose(optimizer, len(self._session.record.steps))

    def after(self, optimizer: Any, args: Any, kwargs: Any) -> None:
        """See ``register_optimizer_step_post_hook``."""
        self._depth -= 1
        if self._depth:
            return
        record, rates = self._session.record, [float(group["lr"]) for group in optimizer.param_groups]
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
        self._keep(step)
        record.steps.append(step)
        for group, rate in zip(optimizer.param_groups, self._planned, strict=False):
            group["lr"] = rate
        if self._training.current is not None:
            self._training.current.steps += 1
        self._session.beat()
        if self._session.settings.steps and len(record.steps) >= self._session.settings.steps:
            raise Stop

    def _note_rates(self) -> None:
        groups = [group for optimizer in self._weights.optimizers for group in optimizer.param_groups]
        self._session.record.last_rates = [float(group["lr"]) for group in groups]

    def _keep(self, step: Step) -> None:
        """Write the own gradients of rank 0, or of a reference that others are compared with, to the scratch file."""
        step.layout = [0 if each is None else each.numel() for each in self._own]
        if self._session.record.rank or not self._has_room(sum(step.layout)):
            return
        step.offset, self._kept = self._kept, self._kept + sum(step.layout)
        for each in self._own:
            if each is not None:
                self._file.write(_plain(each).numpy().tobytes())
        self._file.flush()

    def _has_room(self, elements: int) -> bool:
        return self._kept + elements <= self._session.settings.kept

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
        other = gradients(replay.ranks[0], recorded)
        self._difference = self._compared(other, number)
        if self._has_room(sum(each.numel() for each in self._reduced if each is not None)):
            self._own = [None if each is None else each.clone() for each in self._reduced]
        if other is not None and _fit(self._reduced, other):
            for own, wanted in zip(self._reduced, other, strict=True):
                if own is not None and len(wanted):
                    own.copy_(wanted.view_as(own))

    def _compared(self, other: list[torch.Tensor] | None, number: int) -> Difference | None:
        """The difference to rank 0's gradient, or to another record's where one is named."""
        replay = self._session.replay
        if replay is not None and replay.following.compare_with:
            record = self._comparison(replay.following.compare_with)
            other = gradients(record, record.steps[number]) if number < len(record.steps) else None
        if other is None:
            return None
        own = [torch.zeros(0) if each is None else _plain(each) for each in self._reduced]
        if len(own) == len(other):  # Horovod makes zeros where there is no gradient
            own, other = (
                [torch.zeros_like(b) if not len(a) else a for a, b in zip(one, two, strict=True)]
                for one, two in ((own, other), (other, own))
            )
        return Difference.between(own, other, norm)

    def _comparison(self, folder: str) -> Record:
        if not hasattr(self, "_other"):
            self._other = Record.read(Path(folder))
        return self._other


def install(session: Session, training: Training, weights: Weights) -> None:
    """Watch all optimizers."""
    steps = Steps(session, training, weights)
    register_optimizer_step_pre_hook(steps.before)
    register_optimizer_step_post_hook(steps.after)


def gradients(record: Record, step: Step) -> list[torch.Tensor] | None:
    """The reduced gradients of a recorded step, flat, empty where a tensor has none; None when they were not kept."""
    if step.offset < 0:
        return None
    path = Path(record.folder, GRADIENTS)
    total = sum(step.layout)
    numbers = np.fromfile(path, dtype=np.float32, count=total, offset=4 * step.offset)
    return list(torch.from_numpy(numbers).split(step.layout))


def _fit(own: list[torch.Tensor | None], other: list[torch.Tensor]) -> bool:
    """Whether gradients are those of the same tensors; some may have none on one side."""
    return len(own) == len(other) and all(
        a is None or not len(b) or a.numel() == b.numel() for a, b in zip(own, other, strict=True)
    )


def _plain(gradient: torch.Tensor) -> torch.Tensor:
    dense = gradient.detach() if gradient.layout is torch.strided else gradient.detach().to_dense()
    return dense.cpu().float().contiguous().view(-1)
