"""Horovod for PyTorch, launched by horovodrun.

Source: Horovod's ``examples/pytorch/pytorch_mnist.py`` and ``pytorch_imagenet_resnet50.py``; its ``docs/pytorch.rst``
omits steps that these have.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.classes import dataclass
from corro.targets._horovod import PROBE, HorovodEngine
from corro.targets.base import Code, Installation
from corro.targets.pytorch._base import TorchTarget

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True)
class Horovod(HorovodEngine, TorchTarget):
    """``horovod.torch`` with any of its controllers."""

    name = "horovod"
    module = "horovod.torch"
    installation = Installation("Horovod for PyTorch", ("torch", "horovod"), PROBE, "corro setup horovod")
    passes_ranks = True
    wraps_model = False
    starts_torch_distributed = False
    exchanges_any_layout = False
    averages_in_backward = False
    compressions = ("fp16",)
    sizes_buckets = True

    @property
    def barrier(self) -> str:
        """Wait for all processes."""
        return f"{self.alias}.barrier()"

    def start(self, *, on_gpu: bool, program: str) -> Code:
        """Join, and take the GPU with this process's local rank. Started without a launcher, it is one process.

        Horovod reads from the environment how much it sends at a time, when it starts (its "tensor fusion").
        """
        lines, imports = [f"{self.alias}.init()"], [self.engine]
        if self.exchange.bucket_mb:
            size = self.exchange.bucket_mb * 2**20
            lines.insert(0, f'{self.library.name("os")}.environ["HOROVOD_FUSION_THRESHOLD"] = "{size}"')
            imports.append(self.library.imports("os"))
        if on_gpu:
            lines += [
                f"if {self.torch}.cuda.is_available():",
                f"    {self.torch}.cuda.set_device({self.alias}.local_rank())",
            ]
        return Code("\n".join(lines), tuple(imports))

    def finish(self) -> Code:
        """Leave the group of processes."""
        return Code(f"{self.alias}.shutdown()", (self.engine,))

    def all_reduce(self, name: str, expression: str) -> Code:
        """The sum over processes, as a new tensor."""
        return Code(f"{name} = {self.alias}.allreduce({expression}, op={self.alias}.Sum)", (self.engine,))

    def gradient_sum(self, name: str) -> Code | None:
        """Horovod's own has a backward pass."""
        return None

    def summed(self, name: str, expression: str) -> str:
        """Gradients are summed over processes in turn."""
        return f"{self.alias}.allreduce({expression}, op={self.alias}.Sum)"

    def _gathered(self, *, spread: bool) -> Sequence[str]:
        """Those of each process after those of the one before."""
        order = f".unflatten(0, ({self.world_size}, -1)).transpose(0, 1).flatten(0, 1)" if spread else ""
        return (f"return {self.alias}.allgather(values.contiguous()){order}",)

    def _added_up(self, rows: str) -> Sequence[str]:
        """Gradients of Horovod's own ``allgather`` are averaged."""
        return (f"return {self.alias}.allreduce(gradient.contiguous(), op={self.alias}.Sum){rows}",)

    def broadcast_seed(self, name: str) -> Code:
        """Broadcast as a Python integer."""
        return Code(f"{name} = {self.alias}.broadcast_object({self.torch}.initial_seed() % 2**63)", (self.engine,))

    def share(self, name: str, expression: str) -> tuple[Code, str]:
        """Where it stands."""
        return Code("", (self.engine,)), f"{self.alias}.broadcast_object({expression})"

    def share_tensor(self, name: str, expression: str) -> tuple[Code, str]:
        """Where it stands."""
        return Code("", (self.engine,)), f"{self.alias}.broadcast({expression}, root_rank=0)"

    def telling(self, name: str) -> Code | None:
        """Horovod's own takes any object."""
        return None

    def told(self, name: str, expression: str) -> str:
        """Where it stands."""
        return f"{self.alias}.broadcast_object({expression})"

    def wrap_model(self, name: str, model: str, *, unused: bool, sync_batchnorm: bool) -> Code:
        """Rank 0's weights and buffers go to all processes; the model itself stays bare."""
        return Code(f"{self.alias}.broadcast_parameters({model}.state_dict(), root_rank=0)", (self.engine,))

    def equal_buffers(self, model: str, loop_name: str) -> Code:
        """All buffers in one call."""
        text = f"{self.alias}.broadcast_parameters(dict({model}.named_buffers()), root_rank=0)"
        return Code(text, (self.engine,))

    def equal_parameters(self, parameters: str, loop_name: str) -> Code:
        """A broadcast for each."""
        text = f"for {loop_name} in {parameters}:\n    {self.alias}.broadcast_({loop_name}.data, root_rank=0)"
        return Code(text, (self.engine,))

    def average_gradients(self, parameters: str, loop_name: str) -> Code:
        """All at once, in place; unused ones have none."""
        gradients = f"[{loop_name}.grad for {loop_name} in {parameters} if {loop_name}.grad is not None]"
        return Code(f"{self.alias}.grouped_allreduce_({gradients})", (self.engine,))

    def average_stepped(self, optimizer: str, group: str, parameter: str, loop_name: str) -> Code:
        """All at once, in place."""
        held = f'for {group} in {optimizer}.param_groups for {parameter} in {group}["params"]'
        gradients = f"[{parameter}.grad {held} if {parameter}.grad is not None]"
        return Code(f"{self.alias}.grouped_allreduce_({gradients})", (self.engine,))

    def summed_loss(self, expression: str) -> str:
        """Where gradients are averaged by hand, a sum needs them times the number of processes."""
        return f"{expression} * {self.world_size}"

    def wrap_optimizer(self, expression: str, model: str | None, *, summed: bool) -> Code:
        """Gradients are averaged by the optimizer, or summed when the loss is a sum over samples."""
        named = f", named_parameters={model}.named_parameters()" if model else ""
        op = f", op={self.alias}.Sum" if summed else ""
        if self.exchange.compression:
            op += f", compression={self.alias}.Compression.{self.exchange.compression}"
        return Code(f"{self.alias}.DistributedOptimizer({expression}{named}{op})", (self.engine,))

    def average_before_step(self, optimizer: str) -> tuple[str, str]:
        """See Horovod's documentation of ``DistributedOptimizer``."""
        return f"{optimizer}.synchronize()", f"with {optimizer}.skip_synchronize():"

    def broadcast_optimizer(self, optimizer: str) -> Code | None:
        """Only where there is state: without any, Horovod's broadcast makes a step."""
        broadcast = f"{self.alias}.broadcast_optimizer_state({optimizer}, root_rank=0)"
        return Code(f'if {optimizer}.state_dict()["state"]:\n    {broadcast}', (self.engine,))
