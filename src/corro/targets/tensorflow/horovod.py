"""Horovod for training loops of TensorFlow 2, launched by horovodrun.

Source: Horovod's ``examples/tensorflow2/tensorflow2_mnist.py``.
"""

from __future__ import annotations

from corro.classes import dataclass
from corro.targets._horovod_tensorflow import HorovodOfTensorFlow
from corro.targets.base import Code
from corro.targets.tensorflow._base import TapeTarget


@dataclass(frozen=True)
class Horovod(HorovodOfTensorFlow, TapeTarget):
    """``horovod.tensorflow``."""

    name = "horovod"

    @property
    def barrier(self) -> str:
        """Wait for all processes."""
        return f"{self.alias}.allreduce({self.tf}.constant(0.0))"

    def wrap_tape(self, tape: str, *, summed: bool) -> str:
        """The tape whose gradients are averaged, or summed, over the processes."""
        return f"{self.alias}.DistributedGradientTape({tape}{self._op(summed=summed)})"

    def averaging_tape(self, tape: str) -> Code:
        """As in the script's own loops."""
        return Code(self.wrap_tape(tape, summed=False), (self.engine,))

    def broadcast(self, variables: str) -> str:
        """Rank 0's values."""
        return f"{self.alias}.broadcast_variables({variables}, root_rank=0)"

    def shared(self, expression: str) -> str:
        """An expression: rank 0's value of a number on all processes."""
        return f"{self.alias}.broadcast_object({expression})"
