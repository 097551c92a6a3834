"""The sites of a script with a training loop: what was recognised, and how it is tied together."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import ast


class Role(Enum):
    """What a loader is for, told by what happens to its batches."""

    TRAINING = "training"
    EVALUATION = "evaluation"
    UNUSED = "unused"


class Strategy(Enum):
    """How an evaluation is shared out so that its metrics stay exact.

    ``BY_SAMPLE``: sums over samples. ``BY_BATCH``: sums of batch averages. ``EVERYWHERE``: every process evaluates
    everything, which is exact for any metric.
    """

    BY_SAMPLE = "by sample"
    BY_BATCH = "by batch"
    EVERYWHERE = "everywhere"


@dataclass(frozen=True, eq=False)
class LoaderSite:
    """A call that makes a loader, or another expression that gives batches."""

    number: int
    node: ast.expr
    role: Role
    strategy: Strategy
    reason: str = ""


@dataclass(frozen=True, eq=False)
class PassSite:
    """A loop that goes once over the batches of some loaders."""

    loop: ast.For
    loaders: frozenset[int]
    trains: bool
    strategy: Strategy


@dataclass(frozen=True, eq=False)
class StepSite:
    """The training step: ``loss.backward()`` and ``optimizer.step()`` in a pass."""

    backward: ast.Call
    update: ast.Call
    loop: ast.For
    epoch_loop: ast.For | ast.While | None
    loaders: frozenset[int]


@dataclass(frozen=True, eq=False)
class ModelSite:
    """A trained model: where it is used in the step, and where it can be wrapped.

    Args:
        numbers: numbers of the calls that made it.
        name: the name it has where it is wrapped.
        anchor: the statement that leads to the training loop; the wrapped model is made just before it.
        uses: names to be replaced by the wrapped model.
        inner: attributes and arguments in functions that receive the wrapped model and need the bare one.
        batchnorm: whether it has (or may have) batch normalisation.
        unused: names of layers that are made, and that some steps do not use.
        beside: where the step uses layers that the forward pass leaves out.
    """

    numbers: frozenset[int]
    name: str
    anchor: ast.stmt
    uses: tuple[ast.Name, ...]
    inner: tuple[ast.Name, ...]
    batchnorm: bool
    unused: tuple[str, ...] = ()
    beside: tuple[ast.AST, ...] = ()


@dataclass(frozen=True, eq=False)
class Passes:
    """The loaders of a script, and the loops that pass over them."""

    loaders: tuple[LoaderSite, ...]
    passes: tuple[PassSite, ...]

    def loader(self, number: int) -> LoaderSite | None:
        """The loader with this number."""
        return next((site for site in self.loaders if site.number == number), None)

    def pass_of(self, loop: ast.AST) -> PassSite | None:
        """The pass that this loop statement makes."""
        return next((site for site in self.passes if site.loop is loop), None)


@dataclass(frozen=True, eq=False)
class Anatomy(Passes):
    """All sites of a training script."""

    steps: tuple[StepSite, ...]
    models: tuple[ModelSite, ...]
