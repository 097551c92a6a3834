"""What a script that trains with ``fit`` needs of an engine."""

from __future__ import annotations

import ast
from abc import abstractmethod
from typing import TYPE_CHECKING, ClassVar

from corro.classes import dataclass, replace
from corro.targets.base import USUAL, Batches, Code, Exchange, RankedTarget, Target

if TYPE_CHECKING:
    from collections.abc import Mapping

    from corro.source import Import
    from corro.targets.naming import Library

_FLAVOURS = ("tensorflow.keras", "keras", "tf_keras")


@dataclass(frozen=True)
class KerasTarget(Target):
    """One engine for Keras."""

    saves_together: ClassVar[bool] = False
    """Whether all processes must take part when a model is saved."""
    writing: ClassVar[frozenset[str]] = frozenset()
    """Keras' callbacks that must run on one process only."""
    needs_keras_2: ClassVar[str] = ""
    """Why it cannot do with Keras 3; empty when it can."""
    needs_keras_3: ClassVar[str] = ""
    """Why it cannot do with Keras 2; empty when it can."""

    sees_shards: ClassVar[bool] = True
    """Whether a model computes on the shard of its process or device; else on the global batch, which XLA divides."""
    backend: ClassVar[str] = "tensorflow"
    """The backend that Keras 3 must have."""
    caution: ClassVar[str] = ""
    """What changes with the engine, on purpose."""
    needs: ClassVar[str] = ""
    """What has to be there when the program runs."""

    @classmethod
    def spelt(cls, library: Library, exchange: Exchange = USUAL) -> KerasTarget:
        """The target with the names that are free in a script; the environment decides what Keras is."""
        library = replace(library, late=True)
        return cls(library.name(cls.module, cls.default_alias), library, exchange)

    @property
    def replicas(self) -> str:
        """An expression: how many replicas add up their gradients, over all processes; empty without them."""
        return ""

    @property
    def tf(self) -> str:
        """The name of the module ``tensorflow``."""
        return self.library.bound("tensorflow") or self.library.name("tensorflow", "tf")

    @property
    def tf_import(self) -> Import:
        """The import of ``tensorflow`` under that name."""
        return self.library.imports("tensorflow", self.tf)

    @property
    def flavour(self) -> str:
        """The package from which the file, or else another of the program, has Keras: one of ``_FLAVOURS``."""
        for file in (self.library.names.file, *self.library.others):
            found = {name for node in file.nodes.of(ast.Import, ast.ImportFrom) for name in _modules(node)}
            for flavour in _FLAVOURS:
                if any(name == flavour or name.startswith(f"{flavour}.") for name in found):
                    return flavour
        return _FLAVOURS[0]

    def of_keras(self, name: str) -> Code:
        """An expression for something in Keras, such as ``optimizers.Adam``, in the script's own spelling."""
        module = self.library.bound(self.flavour)
        if module is None and self.flavour == "tensorflow.keras":
            tensorflow = self.library.bound("tensorflow")
            module = f"{tensorflow}.keras" if tensorflow is not None else None
        if module is not None:
            return Code(f"{module}.{name}")
        package, _, last = name.rpartition(".")
        if last[:1].isupper():
            dotted = f"{self.flavour}.{name}"
            return Code(self.library.name(dotted), (self.library.imports(dotted),))
        dotted = f"{self.flavour}.{package}"
        return Code(f"{self.library.name(dotted)}.{last}", (self.library.imports(dotted),))

    @abstractmethod
    def start(self) -> Code:
        """What comes first in the program."""

    @property
    def scope(self) -> str | None:
        """The head of the block in which models are made; ``None`` when they are made as ever."""
        return None


@dataclass(frozen=True)
class SharingTarget(KerasTarget, RankedTarget):
    """An engine that shares no data out: every process runs the script and trains on its own part of each batch."""

    batches = Batches.SHARED_BY_PROGRAM

    @property
    def of_fit(self) -> Import:
        """The import of the module that has what ``fit`` needs: the optimizer and the callbacks."""
        return self.engine

    @abstractmethod
    def wrap_optimizer(self, expression: str) -> str:
        """An expression: the optimizer that averages gradients over the processes."""

    @abstractmethod
    def averaging_tape(self, tape: str) -> Code:
        """An expression: the tape of a model's own step, whose gradients are averaged over the processes."""

    @property
    @abstractmethod
    def callbacks(self) -> tuple[str, ...]:
        """Callbacks in front of all others: equal weights at the start, and metrics of the whole for what decides."""

    @abstractmethod
    def warm_up(self, rate: str, epochs: str) -> str:
        """An expression: the callback that goes from 1/N of a rate to all of it in so many epochs."""

    @abstractmethod
    def average(self, expression: str) -> str:
        """An expression: the average over processes of a number or a list of numbers, as Python's own."""

    @abstractmethod
    def shared(self, expression: str) -> str:
        """An expression: rank 0's value of an integer on all processes."""

    @abstractmethod
    def same_statistics(self, model: str, methods: Mapping[str, str]) -> Code:
        """A callback: in some methods, given with their parameters, all processes take rank 0's moving averages."""

    @property
    @abstractmethod
    def sharing_function(self) -> Code:
        """A function: rank 0's value of anything on all processes."""


def _modules(node: ast.Import | ast.ImportFrom) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if node.module and not node.level:
        return [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return []
