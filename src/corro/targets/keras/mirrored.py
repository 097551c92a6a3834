"""TensorFlow's ``MirroredStrategy``: one process, several devices.

Source: Keras guide "Multi-GPU distributed training with TensorFlow"; TensorFlow guide "Distributed training".
"""

from __future__ import annotations

from corro.classes import dataclass
from corro.targets.base import Calls, Installation
from corro.targets.keras._strategy import StrategyTarget

_PROBE = """
import tensorflow as tf
tf.distribute.MirroredStrategy
print(json.dumps([tf.__version__, "Keras " + version("keras"), counted(len(tf.config.list_physical_devices("GPU")))]))
"""


@dataclass(frozen=True)
class Mirrored(StrategyTarget):
    """Each device has a copy of the model and takes its share of every batch."""

    name = "mirrored"
    title = "tf.distribute.MirroredStrategy"
    constructor = "MirroredStrategy"
    launcher = "mirrored"
    calls = Calls(("tensorflow.distribute.MirroredStrategy",))
    installation = Installation("MirroredStrategy", ("tensorflow",), _PROBE, "pip install tensorflow")
