"""TensorFlow's ``MirroredStrategy``: one process, several devices.

Source: Keras guide "Multi-GPU distributed training with TensorFlow"; TensorFlow guide "Distributed training".
"""

from __future__ import annotations

from corro.classes import dataclass
from corro.targets.keras._strategy import StrategyTarget


@dataclass(frozen=True)
class Mirrored(StrategyTarget):
    """Each device has a copy of the model and takes its share of every batch."""

    name = "mirrored"
    title = "tf.distribute.MirroredStrategy"
    constructor = "MirroredStrategy"
    launcher = "mirrored"
