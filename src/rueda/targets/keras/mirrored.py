"""TensorFlow's ``MirroredStrategy``: one process, several devices.

Source: Keras guide "Multi-GPU distributed training with TensorFlow"; TensorFlow guide "Distributed training".
"""

from __future__ import annotations

from dataclasses import dataclass

from rueda.targets.base import Code
from rueda.targets.keras._base import KerasTarget


@dataclass(frozen=True)
class Mirrored(KerasTarget):
    """Each device has a copy of the model and takes its share of every batch."""

    name = "mirrored"
    title = "tf.distribute.MirroredStrategy"
    module = "tensorflow"
    default_alias = "tf"
    launcher = "mirrored"

    @property
    def strategy(self) -> str:
        """The name of the strategy in the program."""
        return self.library.names.fresh("strategy")

    @property
    def scope(self) -> str | None:
        """Variables are made under the strategy."""
        return f"with {self.strategy}.scope():"

    def start(self) -> Code:
        """All devices that TensorFlow sees."""
        return Code(f"{self.strategy} = {self.tf}.distribute.MirroredStrategy()", (self.tf_import,))
