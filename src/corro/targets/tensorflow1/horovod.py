"""Horovod for sessions of TensorFlow 1, launched by horovodrun.

Source: Horovod documentation, "Horovod with TensorFlow", and ``examples/tensorflow/tensorflow_mnist.py``.
"""

from __future__ import annotations

from corro.classes import dataclass
from corro.targets._horovod_tensorflow import HorovodOfTensorFlow
from corro.targets.base import Code
from corro.targets.tensorflow1._base import SessionTarget


@dataclass(frozen=True)
class Horovod(HorovodOfTensorFlow, SessionTarget):
    """``horovod.tensorflow``."""

    name = "horovod"

    def start(self) -> Code:
        """Join; which device a process takes, its sessions are told."""
        return Code(f"{self.alias}.init()", (self.engine,))

    def options(self) -> str:
        """The device with this process's local rank; memory is taken as it is needed."""
        return (
            f"{self.config} = {self.tf}.ConfigProto()\n"
            f"{self.config}.gpu_options.allow_growth = True\n"
            f"{self.config}.gpu_options.visible_device_list = {self.device}"
        )

    @property
    def made_options(self) -> str:
        """The same, as one expression."""
        options = f"{self.tf}.GPUOptions(allow_growth=True, visible_device_list={self.device})"
        return f"{self.tf}.ConfigProto(gpu_options={options})"

    @property
    def device(self) -> str:
        """The local rank."""
        return f"str({self.alias}.local_rank())"

    def joined(self, lines: list[str]) -> Code:
        """In a graph of its own, so that the script's numbers of operations, and the seeds made of them, stay."""
        head = f"with {self.tf}.Graph().as_default(), {self.tf}.Session(config={self.config}):"
        return Code("\n".join([head, *(f"    {line}" for line in lines)]), (self.engine, *self.tf_imports))

    @property
    def barrier(self) -> str:
        """Wait for all processes."""
        return self.joined([f"{self.all_reduce(f'{self.tf}.constant(0.0)', summed=False)}.eval()"]).text

    @property
    def broadcast(self) -> str:
        """Rank 0's variables."""
        return f"{self.alias}.broadcast_global_variables(0)"

    @property
    def broadcast_hook(self) -> str:
        """Rank 0's variables, when a monitored session begins."""
        return f"{self.alias}.BroadcastGlobalVariablesHook(0)"

    def optimizer(self, expression: str, *, summed: bool) -> str:
        """The optimizer whose gradients are the mean, or the sum, over the processes."""
        return f"{self.alias}.DistributedOptimizer({expression}{self._op(summed=summed)})"

    def shared(self, expression: str) -> str:
        """An expression: rank 0's value of a number on all processes, where a session is the default."""
        return f"{self.alias}.broadcast_object({expression})"
