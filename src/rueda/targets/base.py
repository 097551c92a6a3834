"""The target interface: how each idea of data-parallel training is spelt by one engine.

A target is one file in this package that defines a subclass of ``Target``; it is found by itself.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from rueda.source import Import
    from rueda.targets.naming import Library


@dataclass(frozen=True)
class Code:
    r"""Statements (one a line, ``\\n`` between) and the imports they need."""

    text: str
    imports: tuple[Import, ...] = ()


@dataclass(frozen=True)
class Target(ABC):
    """One engine, spelt with the names that are free in one script.

    Args:
        alias: the name the engine's module has in the script (``dist``, ``hvd``).
        library: what modules are called in the script.
    """

    alias: str
    library: Library

    name: ClassVar[str]
    title: ClassVar[str]
    module: ClassVar[str]
    default_alias: ClassVar[str]
    launcher: ClassVar[str]
    syncs_batchnorm: ClassVar[bool]
    """Whether it has batch normalisation over the global batch."""
    wraps_model: ClassVar[bool]
    """Whether the training forward pass must go through a wrapper of the model."""

    @property
    def torch(self) -> str:
        """The name of the module ``torch``."""
        return self.library.name("torch")

    @property
    @abstractmethod
    def engine(self) -> Import:
        """The import of the engine's module."""

    @property
    @abstractmethod
    def rank(self) -> str:
        """An expression: this process's rank."""

    @property
    @abstractmethod
    def world_size(self) -> str:
        """An expression: the number of processes."""

    @property
    def is_first(self) -> str:
        """An expression: true on rank 0."""
        return f"{self.rank} == 0"

    @property
    @abstractmethod
    def barrier(self) -> str:
        """A statement: wait for all processes."""

    @abstractmethod
    def start(self, *, on_gpu: bool) -> Code:
        """Join the group of processes, and take this process's GPU where there are any."""

    @abstractmethod
    def finish(self) -> Code:
        """Leave the group of processes."""

    @abstractmethod
    def all_reduce(self, name: str, expression: str) -> Code:
        """Assign to ``name`` the sum over processes of a tensor."""

    @abstractmethod
    def broadcast_seed(self, name: str) -> Code:
        """Assign to ``name`` rank 0's initial seed, an integer, on all processes."""

    @abstractmethod
    def wrap_model(self, name: str, model: str, *, unused: bool, sync_batchnorm: bool) -> Code:
        """Make the model start equal on all processes; where ``wraps_model``, wrap it under ``name``."""

    @abstractmethod
    def equal_buffers(self, model: str, loop_name: str) -> Code:
        """Give every process rank 0's buffers."""

    @abstractmethod
    def wrap_optimizer(self, expression: str, model: str | None, *, summed: bool) -> Code | None:
        """An expression: the optimizer that averages (or sums) gradients; ``None`` when the model does it."""

    def broadcast_optimizer(self, optimizer: str) -> Code | None:
        """Give every process rank 0's optimizer state, after it was loaded; ``None`` when nothing is needed."""
        return None

    def summed_loss(self, expression: str) -> str | None:
        """The loss to start from when it is a sum over samples; ``None`` when the optimizer sums."""
        return None
