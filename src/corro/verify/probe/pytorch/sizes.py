"""How large what a step works with is: parameters, gradients, states of optimizers, what the backward pass needs."""

from __future__ import annotations

import json
import resource
import sys
from collections.abc import Iterable
from typing import Any

import torch
from torch.optim.optimizer import register_optimizer_step_post_hook

from corro.verify.probe.pytorch.state import Weights, parameters
from corro.verify.probe.session import Session

SIZES = "sizes.json"
"""The file in the folder of the process."""


class _Sizes:
    """What was seen so far."""

    def __init__(self, session: Session, weights: Weights) -> None:
        self._session = session
        self._weights = weights
        self._stepped: dict[int, Any] = {}
        self._gradients: dict[int, int] = {}
        self._saved: dict[int, int] = {}
        self._most_saved = 0

    def save(self, tensor: torch.Tensor) -> torch.Tensor:
        """Note what the forward pass keeps for the backward pass."""
        storage = tensor.untyped_storage()
        self._saved[storage.data_ptr()] = storage.nbytes()
        return tensor

    def stepped(self, optimizer: Any, args: Any, kwargs: Any) -> None:
        """See ``register_optimizer_step_post_hook``."""
        self._stepped[id(optimizer)] = optimizer
        self._gradients |= {id(p): _bytes([p.grad]) for p in parameters(optimizer) if p.grad is not None}
        own = {tensor.untyped_storage().data_ptr() for _, tensor in self._weights.named()}
        self._most_saved = max(self._most_saved, sum(size for at, size in self._saved.items() if at not in own))
        self._saved.clear()

    def write(self) -> None:
        """Write the sizes as JSON, where there was a step."""
        if not self._stepped:
            return
        named = [tensor for _, tensor in self._weights.named()]
        held = [each for each in named if isinstance(each, torch.nn.Parameter)]
        trained = {id(each): each for optimizer in self._stepped.values() for each in parameters(optimizer)}
        states = [
            value
            for optimizer in self._stepped.values()
            for state in optimizer.state.values()
            for value in state.values()
            if isinstance(value, torch.Tensor)
        ]
        scale = 1 if sys.platform == "darwin" else 1024
        told = {
            "parameters": sum(each.numel() for each in held),
            "trained": sum(each.numel() for each in trained.values() if id(each) in self._gradients),
            "parameter_bytes": _bytes(held),
            "gradient_bytes": sum(self._gradients.values()),
            "buffer_bytes": _bytes(each for each in named if not isinstance(each, torch.nn.Parameter)),
            "optimizer_bytes": _bytes(states),
            "saved_bytes": self._most_saved,
            "resident_bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * scale,
        }
        (self._session.folder / SIZES).write_text(json.dumps(told))


def install(session: Session, weights: Weights) -> None:
    """Measure, where that is asked for."""
    if not session.settings.sizes:
        return
    sizes = _Sizes(session, weights)
    register_optimizer_step_post_hook(sizes.stepped)
    torch.autograd.graph.saved_tensors_hooks(sizes.save, lambda tensor: tensor).__enter__()
    session.at_end.append(sizes.write)


def _bytes(tensors: Iterable[torch.Tensor | None]) -> int:
    return sum(each.numel() * each.element_size() for each in tensors if each is not None)
