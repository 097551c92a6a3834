"""The weights of a program: all modules in the order they were made, what their tensors are called and contain."""

from __future__ import annotations

import functools
import weakref
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch

from corro.verify.probe.fitting.weights import keep_numbered
from corro.verify.probe.session import Session
from corro.verify.records import FINAL, START

_WRAPPERS = ("DistributedDataParallel", "DataParallel", "_FabricModule")


def checksum(tensor: torch.Tensor) -> int:
    """A checksum of a tensor's bits; never 0."""
    plain = _own_part(tensor).detach().cpu()
    plain = plain.to_dense() if plain.layout is not torch.strided else plain
    flat = plain.contiguous().reshape(-1)  # in a dimension of size 1 strides may be any
    return zlib.crc32(flat.view(torch.uint8).numpy().data) or 1


def norm(tensor: torch.Tensor) -> float:
    """The Euclidean norm, in double precision."""
    plain = _own_part(tensor).detach()
    plain = plain.to_dense() if plain.layout is not torch.strided else plain
    return float(torch.linalg.vector_norm(plain.to(torch.complex128 if plain.is_complex() else torch.float64)))


def _own_part(tensor: torch.Tensor) -> Any:
    """What this process has of a tensor that is shared out."""
    return tensor.to_local() if hasattr(tensor, "to_local") else tensor


class Weights:
    """The modules and optimizers of a program."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._modules: list[weakref.ref[torch.nn.Module]] = []
        self.optimizers: list[Any] = []
        self.held: dict[int, torch.Tensor] = {}
        self._imposed = False

    def made(self, module: torch.nn.Module) -> None:
        """A module was made."""
        self._modules.append(weakref.ref(module))

    def hold(self, given: Any) -> None:
        """An optimizer is given tensors, of which some may be no parameters of a module."""
        for each in [given] if isinstance(given, torch.Tensor) else given:
            if isinstance(each, torch.Tensor) and not isinstance(each, torch.nn.Parameter):
                self.held[id(each)] = each

    def optimizer(self, optimizer: Any) -> int:
        """The number of an optimizer, counted in the order they first step."""
        for number, known in enumerate(self.optimizers):
            if known is optimizer:
                return number
        self.optimizers.append(optimizer)
        names = {id(tensor): name for name, tensor in self.named()}
        tensors = [names.get(id(each), "") for each in parameters(optimizer)]
        labels = [name or f"parameter {number}" for number, name in enumerate(tensors)]
        self._session.record.tensors.append(labels)
        self._session.record.optimizer_start.append(dict(_state(optimizer, labels)))
        return len(self.optimizers) - 1

    def named(self) -> list[tuple[str, torch.Tensor]]:
        """All parameters and buffers by name, once each, modules in the order they were made."""
        alive = [each for each in (ref() for ref in self._modules) if each is not None]
        alive = [each for each in alive if type(each).__name__ not in _WRAPPERS]
        inner = {id(child) for each in alive for child in each.children()}
        roots = [each for each in alive if id(each) not in inner]
        roots = [each for each in roots if any(True for _ in each.parameters()) or any(True for _ in each.buffers())]
        seen: dict[int, tuple[str, torch.Tensor]] = {}
        for number, root in enumerate(roots):
            prefix = f"{type(root).__name__}{number or ''}." if len(roots) > 1 else ""
            for name, tensor in (*root.named_parameters(), *root.named_buffers()):
                seen.setdefault(id(tensor), (prefix + name, tensor))
        return list(seen.values())

    def before_first_step(self) -> None:
        """Note the weights, each time a loader is begun, until there was a step."""
        if self._session.record.steps:
            return
        named = self.named()
        self._session.record.start = {name: checksum(tensor) for name, tensor in named}
        if self._session.record.rank == 0 and self._session.replay is None:
            _keep(self._session.folder / START, [tensor for _, tensor in named])

    def take_over(self, folder: str) -> None:
        """Begin with the weights that another run began with, where these are as many and of the same shapes."""
        if self._imposed or not Path(folder, START).exists():
            return
        self._imposed = True
        tensors = [tensor for _, tensor in self.named()]
        with np.load(Path(folder, START)) as numbered:
            values = [torch.from_numpy(numbered[key]) for key in numbered.files]
        if [each.shape for each in tensors] == [each.shape for each in values]:
            with torch.no_grad():
                for tensor, value in zip(tensors, values, strict=True):
                    if not torch.equal(tensor, value.to(tensor)):  # a graph may have been made with it
                        tensor.copy_(value)

    def keep_final(self) -> None:
        """Write the weights at the end, for runs that are not forced."""
        if self._session.settings.final and self._session.record.rank == 0:
            _keep(self._session.folder / FINAL, [p for each in self.optimizers for p in parameters(each)])


def parameters(optimizer: Any) -> list[torch.Tensor]:
    """All parameters of an optimizer, in order."""
    return [parameter for group in optimizer.param_groups for parameter in group["params"]]


def install(session: Session) -> Weights:
    """See modules being made."""
    weights = Weights(session)
    made = torch.nn.Module.__init__

    def make(module: Any, *args: Any, **kwargs: Any) -> None:
        made(module, *args, **kwargs)
        weights.made(module)

    torch.nn.Module.__init__ = make
    add = torch.optim.Optimizer.add_param_group

    @functools.wraps(add)
    def add_group(optimizer: Any, group: Any) -> None:
        add(optimizer, group)
        for each in optimizer.param_groups[-1:]:
            weights.hold(each["params"])

    torch.optim.Optimizer.add_param_group = add_group
    session.at_end.append(weights.keep_final)
    return weights


def _state(optimizer: Any, labels: list[str]) -> Iterator[tuple[str, int]]:
    """What an optimizer remembers of earlier steps: nothing, unless it was loaded."""
    for label, parameter in zip(labels, parameters(optimizer), strict=True):
        for key, value in optimizer.state.get(parameter, {}).items():
            if isinstance(value, torch.Tensor):
                yield f"{label}.{key}", checksum(value)
            elif isinstance(value, (int, float)):
                yield f"{label}.{key}", zlib.crc32(repr(float(value)).encode())


def _keep(path: Path, tensors: Iterable[torch.Tensor]) -> None:
    keep_numbered(path, (_own_part(tensor).detach().cpu().numpy() for tensor in tensors))
