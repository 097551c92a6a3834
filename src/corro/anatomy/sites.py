"""The sites of a script with a training loop: what was recognised, and how it is tied together."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from corro.classes import dataclass

if TYPE_CHECKING:
    import ast

    from corro.anatomy.steps import Backward, OptimizerSite, PassLoop, Step, Update


class Role(Enum):
    """What a loader is for, told by what happens to its batches."""

    TRAINING = "training"
    EVALUATION = "evaluation"
    UNUSED = "unused"


class Sharding(Enum):
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
    sharding: Sharding
    reason: str = ""


@dataclass(frozen=True, eq=False)
class PassSite:
    """A loop that goes once over the batches of some loaders."""

    loop: PassLoop
    loaders: frozenset[int]
    trains: bool
    sharding: Sharding


@dataclass(frozen=True, eq=False)
class Evaluating:
    """A use of a model in a training step that evaluates it, too: by the same call, elsewhere."""

    use: ast.Name | ast.Attribute
    has_gradients: bool


@dataclass(frozen=True, eq=False)
class ModelSite:
    """A trained model: where it is used in the step, and where it can be wrapped.

    Args:
        numbers: numbers of the calls that made it.
        name: the name it has where it is wrapped, or the attribute of a name.
        anchor: the statement that leads to the training loop; the wrapped model is made just before it.
        uses: names, or attributes, to be replaced by the wrapped model.
        inner: attributes and arguments in functions that receive the wrapped model and need the bare one.
        mixed: those of the inner in functions that receive the bare model from other calls.
        evaluating: those of the uses that evaluate the model as well, in a pass that does not train.
        batchnorm: whether it has (or may have) batch normalisation.
        normalises: whether some batch normalisation is, or may be, in training mode where it is trained.
        unused: names of layers that are made, and that some steps do not use.
        beside: where the step uses layers that the forward pass leaves out.
        optimizers: the optimizers that may hold parameters of it; with none it is not trained.
        bypassed: whether gradients come to it past its forward pass, in a method or a part that is called by itself.
    """

    numbers: frozenset[int]
    name: str
    anchor: ast.stmt
    uses: tuple[ast.Name | ast.Attribute, ...]
    inner: tuple[ast.Name, ...]
    evaluating: tuple[Evaluating, ...]
    batchnorm: bool
    unused: tuple[str, ...] = ()
    beside: tuple[ast.AST, ...] = ()
    mixed: frozenset[ast.Name] = frozenset()
    optimizers: tuple[OptimizerSite, ...] = ()
    bypassed: bool = False
    normalises: bool = False


@dataclass(frozen=True, eq=False)
class Unreached:
    """A forward pass in a training step whose model could not be followed: why, and the place that shows it."""

    forward: ast.AST
    reason: str
    place: ast.AST


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

    steps: tuple[Step, ...]
    models: tuple[ModelSite, ...]
    unreached: tuple[Unreached, ...] = ()

    @property
    def updates(self) -> tuple[Update, ...]:
        """The updates of all steps."""
        return tuple(update for step in self.steps for update in step.updates)

    @property
    def backwards(self) -> tuple[Backward, ...]:
        """The backward passes of all steps."""
        return tuple(backward for step in self.steps for backward in step.backwards)

    @property
    def optimizers(self) -> tuple[OptimizerSite, ...]:
        """The optimizers of all steps, each once."""
        return tuple({each.number: each for update in self.updates for each in update.optimizers}.values())

    @property
    def is_plain(self) -> bool:
        """Whether each step makes one backward pass and one update: wrappers of models and optimizers expect that."""
        return self.is_single and not any(each.is_repeated for each in self.backwards)

    @property
    def is_single(self) -> bool:
        """Whether each step has one place that makes a backward pass, and one that makes an update."""
        return all(len(step.backwards) == len(step.updates) == 1 for step in self.steps)

    @property
    def trained_on(self) -> frozenset[int]:
        """The numbers of the places whose batches are trained on."""
        return frozenset().union(*(step.loaders for step in self.steps))

    @property
    def training_loops(self) -> frozenset[ast.AST]:
        """The passes that train, and the loops over epochs around them."""
        return frozenset().union(*(step.loops for step in self.steps))
