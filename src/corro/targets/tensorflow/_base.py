"""What a training loop of TensorFlow needs of an engine."""

from __future__ import annotations

from abc import abstractmethod

from corro.classes import dataclass
from corro.targets.keras._base import SharingTarget


@dataclass(frozen=True)
class TapeTarget(SharingTarget):
    """One engine for gradient tapes: every process runs the script, and gradients become the whole."""

    @abstractmethod
    def wrap_tape(self, tape: str, *, summed: bool) -> str:
        """An expression: the tape whose gradients are averaged, or summed, over the processes."""

    @abstractmethod
    def all_reduce(self, tensor: str, *, summed: bool) -> str:
        """An expression: the mean, or the sum, over the processes of a tensor."""

    @abstractmethod
    def broadcast(self, variables: str) -> str:
        """A statement: give all processes rank 0's values of a list of variables."""
