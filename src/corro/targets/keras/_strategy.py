"""What the strategies of ``tf.distribute`` have in common."""

from __future__ import annotations

from typing import ClassVar

from corro.classes import dataclass
from corro.targets.base import Code
from corro.targets.keras._base import KerasTarget


@dataclass(frozen=True)
class StrategyTarget(KerasTarget):
    """A strategy under whose scope models are made; it shares each batch out itself."""

    module = "tensorflow"
    default_alias = "tf"
    constructor: ClassVar[str]
    """The class in ``tf.distribute``."""

    @property
    def strategy(self) -> str:
        """The name of the strategy in the program."""
        return self.library.names.fresh("strategy")

    @property
    def made_at_start(self) -> str:
        """The strategy."""
        return self.strategy

    @property
    def scope(self) -> str | None:
        """Variables are made under the strategy."""
        return f"with {self.strategy}.scope():"

    @property
    def replicas(self) -> str:
        """See ``KerasTarget``."""
        return f"{self.strategy}.num_replicas_in_sync"

    def start(self) -> Code:
        """The first thing TensorFlow is asked to do: it takes all devices it sees, or joins the other workers."""
        return Code(f"{self.strategy} = {self.tf}.distribute.{self.constructor}()", (self.tf_import,))
