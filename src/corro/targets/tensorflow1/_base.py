"""What a script that runs graphs in sessions needs of an engine."""

from __future__ import annotations

import ast
from abc import abstractmethod
from functools import cached_property
from typing import TYPE_CHECKING

from corro.classes import dataclass
from corro.source import Nodes
from corro.targets.base import Code
from corro.targets.keras._base import SharingTarget

if TYPE_CHECKING:
    from corro.source import Import

_OLD = "tensorflow.compat.v1"
_FIRST = frozenset({"Session", "InteractiveSession", "MonitoredTrainingSession", "placeholder"})


@dataclass(frozen=True)
class SessionTarget(SharingTarget):
    """One engine for sessions: every process runs the script, and gradients become the whole in the graph."""

    @property
    def tf(self) -> str:
        """The module of TensorFlow 1, as the script spells it: ``tf``, ``tf.compat.v1``."""
        bound = self.library.bound(_OLD)
        if bound is not None:
            return bound
        if self._is_old_only:
            return self.library.name(_OLD, "tf")
        name = self.library.bound("tensorflow") or self.library.name("tensorflow", "tf")
        return f"{name}.compat.v1" if self._goes_by_version else name

    @property
    def tf_imports(self) -> tuple[Import, ...]:
        """The import of that module, where the script's own does not come first."""
        if self.library.bound(_OLD) is not None:
            return ()
        if self._is_old_only:
            return (self.library.imports(_OLD, "tf"),)
        return () if self.library.bound("tensorflow") is not None else (self.tf_import,)

    @cached_property
    def _is_old_only(self) -> bool:
        """Whether the script imports ``tensorflow.compat.v1`` under a name, where it is too late for the start."""
        nodes = self._importing
        named = [a for n in nodes.of(ast.Import) for a in n.names if a.name == _OLD and a.asname]
        parts = [n for n in nodes.of(ast.ImportFrom) if n.module == "tensorflow.compat"]
        return bool(named or parts)

    @cached_property
    def _importing(self) -> Nodes:
        """The nodes of the file; where it does not import TensorFlow, those of the whole program."""
        own = self.library.names.file.nodes
        imports = own.of(ast.Import, ast.ImportFrom)
        if any(ast.unparse(node).split()[1].startswith("tensorflow") for node in imports):
            return own
        return Nodes((*own, *(node for file in self.library.others for node in file.nodes)))

    @cached_property
    def _goes_by_version(self) -> bool:
        """Whether the script says ``tf.compat.v1.Session``."""
        for node in self._importing.of(ast.Attribute):
            owner = node.value if node.attr in _FIRST else None
            if isinstance(owner, ast.Attribute) and owner.attr == "v1":
                return True
        return False

    @cached_property
    def config(self) -> str:
        """The options that sessions are given: a name that the script makes, which its modules do not have."""
        return self.made_options if self.library.of_module else self.library.names.fresh("config")

    @property
    @abstractmethod
    def made_options(self) -> str:
        """An expression: the options of sessions, with the device of this process."""

    @abstractmethod
    def options(self) -> str:
        """Statements that make the options of sessions: the device of this process."""

    @property
    @abstractmethod
    def device(self) -> str:
        """An expression: the number of this process's device, as text."""

    @abstractmethod
    def all_reduce(self, tensor: str, *, summed: bool) -> str:
        """An expression: the mean, or the sum, over the processes of a part of the graph."""

    @property
    @abstractmethod
    def broadcast(self) -> str:
        """An expression: the part of the graph that gives all processes rank 0's variables."""

    @property
    @abstractmethod
    def broadcast_hook(self) -> str:
        """An expression: what lets a monitored session do so when it begins."""

    @abstractmethod
    def optimizer(self, expression: str, *, summed: bool) -> str:
        """An expression: the optimizer whose gradients are the mean, or the sum, over the processes."""

    @abstractmethod
    def joined(self, lines: list[str]) -> Code:
        """Statements that run in a session of their own, before or beside those of the script."""
