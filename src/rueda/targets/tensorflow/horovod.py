"""Horovod for training loops of TensorFlow 2, launched by horovodrun.

Source: Horovod's ``examples/tensorflow2/tensorflow2_mnist.py``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rueda.targets.keras import horovod
from rueda.targets.tensorflow._base import TapeTarget

if TYPE_CHECKING:
    from rueda.source import Import


@dataclass(frozen=True)
class Horovod(horovod.Horovod, TapeTarget):
    """``horovod.tensorflow``."""

    name = "horovod"
    module = "horovod.tensorflow"
    needs = "Horovod needs TensorFlow up to 2.15."

    @property
    def engine(self) -> Import:
        """The import of the engine's module, whatever the script has its Keras from."""
        return self.library.imports(self.module, self.default_alias)

    @property
    def barrier(self) -> str:
        """Wait for all processes."""
        return f"{self.alias}.allreduce({self.tf}.constant(0.0))"

    def wrap_tape(self, tape: str, *, summed: bool) -> str:
        """The tape whose gradients are averaged, or summed, over the processes."""
        op = f", op={self.alias}.Sum" if summed else ""
        return f"{self.alias}.DistributedGradientTape({tape}{op})"

    def all_reduce(self, tensor: str, *, summed: bool) -> str:
        """The mean, or the sum, over the processes."""
        op = f", op={self.alias}.Sum" if summed else ""
        return f"{self.alias}.allreduce({tensor}{op})"

    def broadcast(self, variables: str) -> str:
        """Rank 0's values."""
        return f"{self.alias}.broadcast_variables({variables}, root_rank=0)"

    def shared(self, expression: str) -> str:
        """An expression: rank 0's value of a number on all processes."""
        return f"{self.alias}.broadcast_object({expression})"
