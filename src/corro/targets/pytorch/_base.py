"""What a training loop in PyTorch needs of an engine."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, ClassVar

from corro.classes import dataclass
from corro.targets.base import Batches, Code, RankedTarget

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corro.source import Import


@dataclass(frozen=True)
class TorchTarget(RankedTarget):
    """One engine for PyTorch."""

    batches = Batches.SHARED_BY_PROGRAM
    shares_unevenly = True
    passes_ranks: ClassVar[bool]
    """Whether PyTorch's samplers must be told rank and size; else they ask the group themselves."""
    wraps_model: ClassVar[bool]
    """Whether the training forward pass must go through a wrapper of the model."""
    starts_torch_distributed: ClassVar[bool]
    """Whether libraries that gather by ``torch.distributed`` do so under it."""
    exchanges_any_layout: ClassVar[bool]
    """Whether parameters and gradients may be laid out otherwise than contiguous: ``channels_last``."""
    averages_in_backward: ClassVar[bool]
    """Whether each backward pass adds averaged gradients; else the optimizer's step averages what was added up.

    It decides which of the last methods below are asked for. Where steps make several backward passes or updates, what
    each update steps by is averaged in front of it with either.
    """

    @property
    def torch(self) -> str:
        """The name of the module ``torch``."""
        return self.library.name("torch")

    @property
    def torch_import(self) -> tuple[Import, ...]:
        """The import of ``torch`` under that name; the engine drops it when it is there already."""
        return (self.library.imports("torch"),)

    @abstractmethod
    def start(self, *, on_gpu: bool, program: str) -> Code:
        """Join the group of processes, and take this process's GPU where there are any.

        Args:
            on_gpu: whether the script uses GPUs.
            program: what a launcher is given to start, as the inside of an f-string; empty where that is not known.
        """

    @abstractmethod
    def finish(self) -> Code:
        """Leave the group of processes."""

    @abstractmethod
    def all_reduce(self, name: str, expression: str) -> Code:
        """Assign to ``name`` the sum over processes of a tensor."""

    @abstractmethod
    def gradient_sum(self, name: str) -> Code | None:
        """The definition, under a name, of a sum over processes that gradients go back through, if it needs one."""

    @abstractmethod
    def summed(self, name: str, expression: str) -> str:
        """Such a sum of an expression."""

    def gather(self, name: str, lines: Sequence[str], *, spread: bool) -> Code:
        """The definition of a function that gives a tensor's rows on all processes; gradients are added up over these.

        Args:
            name: of the function; the class that it calls is named after it.
            lines: what it does first.
            spread: whether each process has every N-th row; else it has rows that follow one another.
        """
        made = "".join(part.capitalize() for part in name.split("_"))
        rows = f"[{self.rank} :: {self.world_size}]" if spread else f".chunk({self.world_size})[{self.rank}]"
        forward, backward = (
            "\n".join(f"        {line}" for line in each)
            for each in (self._gathered(spread=spread), self._added_up(rows))
        )
        text = (
            f"class {made}({self.torch}.autograd.Function):\n"
            f"    @staticmethod\n    def forward(ctx, values):\n{forward}\n\n"
            f"    @staticmethod\n    @{self.torch}.autograd.function.once_differentiable\n"
            f"    def backward(ctx, gradient):\n{backward}\n\n\n"
        )
        text += "\n".join([f"def {name}(values):", *lines, f"    return {made}.apply(values)"])
        return Code(text, (self.engine, *self.torch_import))

    @abstractmethod
    def _gathered(self, *, spread: bool) -> Sequence[str]:
        """The statements that return the rows of ``values`` on all processes; ``spread`` as for ``gather``."""

    @abstractmethod
    def _added_up(self, rows: str) -> Sequence[str]:
        """The statements that return this process's rows, by an index or a method, of ``gradient`` of all processes."""

    @abstractmethod
    def broadcast_seed(self, name: str) -> Code:
        """Assign to ``name`` rank 0's initial seed, an integer, on all processes."""

    @abstractmethod
    def share(self, name: str, expression: str) -> tuple[Code, str]:
        """What gives all processes rank 0's value of an expression, in ``name`` if it needs one, and the value."""

    @abstractmethod
    def share_tensor(self, name: str, expression: str) -> tuple[Code, str]:
        """What gives all processes rank 0's value of an expression that makes a tensor, and the value; as ``share``."""

    @abstractmethod
    def telling(self, name: str) -> Code | None:
        """The definition, under a name, of a function that gives all processes rank 0's value, if it needs one."""

    @abstractmethod
    def told(self, name: str, expression: str) -> str:
        """Rank 0's value of an expression."""

    @abstractmethod
    def wrap_model(self, name: str, model: str, *, unused: bool, sync_batchnorm: bool) -> Code:
        """Make the model start equal on all processes; where ``wraps_model``, wrap it under ``name``."""

    def unwrapped(self, model: str) -> Code:
        """An expression: the bare model, of what may be one or a wrapper; asked for where ``wraps_model``."""
        raise NotImplementedError

    @abstractmethod
    def equal_buffers(self, model: str, loop_name: str) -> Code:
        """Give every process rank 0's buffers."""

    @abstractmethod
    def equal_parameters(self, parameters: str, loop_name: str) -> Code:
        """Give every process rank 0's values of single parameters, a list."""

    @abstractmethod
    def average_stepped(self, optimizer: str, group: str, parameter: str, loop_name: str) -> Code:
        """Average all gradients that an optimizer steps by, with three names to use; equal ones stay as they are."""

    def stepped(self, optimizer: str, group: str, parameter: str) -> str:
        """An expression: the list of all parameters that an optimizer steps, with two names to use."""
        return f'[{parameter} for {group} in {optimizer}.param_groups for {parameter} in {group}["params"]]'

    def average_gradients(self, parameters: str, loop_name: str) -> Code:
        """Average the gradients of some parameters, a list, that the backward pass has left as they are."""
        raise NotImplementedError

    @abstractmethod
    def summed_loss(self, expression: str) -> str:
        """The loss to start from when it is a sum over samples, and gradients are averaged."""

    def wrap_optimizer(self, expression: str, model: str | None, *, summed: bool) -> Code:
        """An expression: the optimizer whose step averages gradients, or sums them when the loss is a sum."""
        raise NotImplementedError

    def average_before_step(self, optimizer: str) -> tuple[str, str]:
        """A statement that averages gradients at once, and the head under which the step does not do it again."""
        raise NotImplementedError

    def broadcast_optimizer(self, optimizer: str) -> Code | None:
        """Give every process rank 0's optimizer state, after it was loaded; ``None`` when nothing is needed."""
        return None
