"""PyTorch DistributedDataParallel, launched by torchrun.

Source: PyTorch documentation, ``torch.nn.parallel.DistributedDataParallel`` and "Getting Started with Distributed
Data Parallel".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.classes import dataclass
from corro.source import Import
from corro.targets.base import COMPRESSIONS, Calls, Code, Installation
from corro.targets.pytorch._base import TorchTarget

if TYPE_CHECKING:
    from collections.abc import Sequence

_WRAPPER = "torch.nn.parallel.DistributedDataParallel"
_HOOKS = "torch.distributed.algorithms.ddp_comm_hooks.default_hooks"
_PROBE = """
import torch, torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
assert dist.is_available(), "this PyTorch was built without torch.distributed"
able = [name for name in ("gloo", "nccl", "mpi") if getattr(dist, f"is_{name}_available")()]
print(json.dumps([torch.__version__, *able, counted(torch.cuda.device_count() if torch.cuda.is_available() else 0)]))
"""


@dataclass(frozen=True)
class DDP(TorchTarget):
    """``torch.distributed`` with gloo on CPUs and NCCL on GPUs."""

    name = "ddp"
    title = "PyTorch DistributedDataParallel"
    module = "torch.distributed"
    default_alias = "dist"
    launcher = "torchrun"
    notebook_command = "torchrun --nproc-per-node=N --no-python ipython {}"
    calls = Calls(
        modules=("torch.distributed", "torch.nn.parallel.DistributedDataParallel"),
        collectives=frozenset(
            {"DistributedDataParallel", "all_gather", "all_gather_object", "all_reduce", "barrier", "broadcast",
             "broadcast_object_list", "gather", "gather_object", "reduce"}
        ),
        ranks=frozenset({"get_rank"}),
        start="init_process_group",
    )  # fmt: skip
    installation = Installation("PyTorch DDP", ("torch",), _PROBE, "pip install torch")
    passes_ranks = False
    syncs_batchnorm = True
    wraps_model = True
    starts_torch_distributed = True
    exchanges_any_layout = True
    averages_in_backward = True
    compressions = COMPRESSIONS
    sizes_buckets = True

    @property
    def rank(self) -> str:
        """This process's rank."""
        return f"{self.alias}.get_rank()"

    @property
    def world_size(self) -> str:
        """The number of processes."""
        return f"{self.alias}.get_world_size()"

    @property
    def barrier(self) -> str:
        """Wait for all processes."""
        return f"{self.alias}.barrier()"

    def start(self, *, on_gpu: bool, program: str) -> Code:
        """The backend follows the device of the tensors: gloo for CPUs, NCCL for GPUs.

        It is written down: without it PyTorch, since 2.6, makes the backend of the accelerator that it finds alone, and
        seeds, metrics and objects are exchanged on the CPU.

        The group finds its processes by variables that torchrun sets. Without them PyTorch names a variable that is
        missing, which does not tell a user how to start the program.
        """
        backend = f'"cpu:gloo,cuda:nccl" if {self.torch}.cuda.is_available() else "gloo"' if on_gpu else '"gloo"'
        lines = [f"{self.alias}.init_process_group({backend})"]
        imports = [self.engine, self._early]
        if program:
            lines[:0] = [
                f'if "RANK" not in {self.library.name("os")}.environ:',
                f'    raise SystemExit(f"start it with: torchrun --nproc-per-node=2 {program}")',
            ]
        if on_gpu:
            lines += [
                f"if {self.torch}.cuda.is_available():",
                f'    {self.torch}.cuda.set_device(int({self.library.name("os")}.environ["LOCAL_RANK"]))',
            ]
        if on_gpu or program:
            imports.append(self.library.imports("os"))
        return Code("\n".join(lines), tuple(imports))

    @property
    def _early(self) -> Import:
        """An early import: ``torch.distributed.nn`` keeps the group it finds at its import as a default argument.

        DDP imports it lazily. The group would then live to the interpreter's end, where gloo's threads are torn down
        while they wait for the interpreter's lock: some runs abort or hang (see docs/design.md, "The end of a run").
        """
        why = "# imported after the start, it would keep the group from ending"
        if self.torch == "torch":
            return Import(f"import torch.distributed.nn  {why}", order=1)
        return Import(
            f"import torch.distributed.nn as {self.library.name('torch.distributed.nn', 'dist_nn')}  {why}", order=1
        )

    def finish(self) -> Code:
        """Leave the group of processes."""
        return Code(f"{self.alias}.destroy_process_group()", (self.engine,))

    def all_reduce(self, name: str, expression: str) -> Code:
        """In place, so the tensor is made first."""
        return Code(f"{name} = {expression}\n{self.alias}.all_reduce({name})", (self.engine,))

    def gradient_sum(self, name: str) -> Code | None:
        """``all_reduce`` works in place, and has no backward pass."""
        reduced = f"        {self.alias}.all_reduce(total)\n        return total"
        text = (
            f"class {name}({self.torch}.autograd.Function):\n"
            f"    @staticmethod\n    def forward(ctx, value):\n"
            f"        total = value.contiguous().clone()\n{reduced}\n\n"
            f"    @staticmethod\n    @{self.torch}.autograd.function.once_differentiable\n"
            f"    def backward(ctx, gradient):\n        total = gradient.contiguous().clone()\n{reduced}"
        )
        return Code(text, (self.engine, *self.torch_import))

    def summed(self, name: str, expression: str) -> str:
        """By the class that is defined."""
        return f"{name}.apply({expression})"

    def _gathered(self, *, spread: bool) -> Sequence[str]:
        """By ``all_gather``, which has no backward pass; PyTorch's own that has one is deprecated since 2.13."""
        whole = f"{self.torch}.stack(shards, dim=1).flatten(0, 1)" if spread else f"{self.torch}.cat(shards)"
        return (
            "values = values.contiguous()",
            f"shards = [{self.torch}.empty_like(values) for _ in range({self.world_size})]",
            f"{self.alias}.all_gather(shards, values)",
            f"return {whole}",
        )

    def _added_up(self, rows: str) -> Sequence[str]:
        """In place, of a copy."""
        return (
            "total = gradient.contiguous().clone()",
            f"{self.alias}.all_reduce(total)",
            f"return total{rows}",
        )

    def broadcast_seed(self, name: str) -> Code:
        """Broadcast as a tensor of 64-bit integers."""
        text = (
            f"{name} = {self.torch}.tensor({self.torch}.initial_seed() % 2**63)\n"
            f"{self.alias}.broadcast({name}, src=0)\n"
            f"{name} = {name}.item()"
        )
        return Code(text, (self.engine,))

    def share(self, name: str, expression: str) -> tuple[Code, str]:
        """In a list, which is filled in place."""
        return Code(
            f"{name} = [{expression}]\n{self.alias}.broadcast_object_list({name})", (self.engine,)
        ), f"{name}[0]"

    def share_tensor(self, name: str, expression: str) -> tuple[Code, str]:
        """In place."""
        return Code(f"{name} = {expression}\n{self.alias}.broadcast({name}, src=0)", (self.engine,)), name

    def telling(self, name: str) -> Code | None:
        """``broadcast_object_list`` fills a list in place."""
        lines = [f"def {name}(value):", "    values = [value]", f"    {self.alias}.broadcast_object_list(values)",
                 "    return values[0]"]  # fmt: skip
        return Code("\n".join(lines), (self.engine,))

    def told(self, name: str, expression: str) -> str:
        """By the function that is defined."""
        return f"{name}({expression})"

    def unwrapped(self, model: str) -> Code:
        """The wrapped model is an attribute of the wrapper."""
        text = f"({model}.module if isinstance({model}, {self.library.name(_WRAPPER)}) else {model})"
        return Code(text, (self.library.imports(_WRAPPER),))

    def wrap_model(self, name: str, model: str, *, unused: bool, sync_batchnorm: bool) -> Code:
        """DDP sends rank 0's weights and buffers to all processes when it is made."""
        lines: list[str] = []
        if sync_batchnorm:
            lines.append(f"{model} = {self.torch}.nn.SyncBatchNorm.convert_sync_batchnorm({model})")
        options = ", find_unused_parameters=True" if unused else ""
        if self.exchange.bucket_mb:
            options += f", bucket_cap_mb={self.exchange.bucket_mb}"
        lines.append(f"{name} = {self.library.name(_WRAPPER)}({model}{options})")
        imports = [self.engine, self.library.imports(_WRAPPER)]
        if self.exchange.compression:
            hook = f"{self.library.name(_HOOKS)}.{self.exchange.compression}_compress_hook"
            lines.append(f"{name}.register_comm_hook(None, {hook})")
            imports.append(self.library.imports(_HOOKS))
        return Code("\n".join(lines), tuple(imports))

    def equal_buffers(self, model: str, loop_name: str) -> Code:
        """A broadcast for each buffer: running means, variances and counters."""
        text = f"for {loop_name} in {model}.buffers():\n    {self.alias}.broadcast({loop_name}, src=0)"
        return Code(text, (self.engine,))

    def equal_parameters(self, parameters: str, loop_name: str) -> Code:
        """A broadcast for each."""
        text = f"for {loop_name} in {parameters}:\n    {self.alias}.broadcast({loop_name}.data, src=0)"
        return Code(text, (self.engine,))

    def average_gradients(self, parameters: str, loop_name: str) -> Code:
        """What no wrapper of a model averages: a sum over processes, divided by their number; unused ones have none."""
        text = (
            f"for {loop_name} in {parameters}:\n"
            f"    if {loop_name}.grad is not None:\n"
            f"        {self.alias}.all_reduce({loop_name}.grad)\n"
            f"        {loop_name}.grad /= {self.world_size}"
        )
        return Code(text, (self.engine,))

    def average_stepped(self, optimizer: str, group: str, parameter: str, loop_name: str) -> Code:
        """One by one."""
        return self.average_gradients(self.stepped(optimizer, group, parameter), loop_name)

    def summed_loss(self, expression: str) -> str:
        """DDP averages gradients over processes; a sum needs them times the number of processes."""
        return f"{expression} * {self.world_size}"
