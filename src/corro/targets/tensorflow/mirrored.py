"""TensorFlow's ``MirroredStrategy`` for training loops: one process, several devices.

Source: TensorFlow tutorial "Custom training with tf.distribute.Strategy".
"""

from __future__ import annotations

from corro.classes import dataclass
from corro.targets.keras import mirrored
from corro.targets.tensorflow._strategy import LoopStrategy


@dataclass(frozen=True)
class Mirrored(mirrored.Mirrored, LoopStrategy):
    """Each device has a copy of the variables and makes each step with its shard of the batch."""

    name = "mirrored"
    needs_keras_2 = "loops of one's own under a strategy were measured with Keras 2 only"
