"""TensorFlow's ``MultiWorkerMirroredStrategy`` for training loops: processes that find each other by ``TF_CONFIG``.

Source: TensorFlow tutorials "Custom training with tf.distribute.Strategy" and "Custom training loop with Keras and
MultiWorkerMirroredStrategy".
"""

from __future__ import annotations

from corro.classes import dataclass
from corro.targets.keras import multiworker
from corro.targets.tensorflow._strategy import LoopStrategy


@dataclass(frozen=True)
class MultiWorker(multiworker.MultiWorker, LoopStrategy):
    """Every process runs the whole script, and makes each step with its shard of the batch."""

    name = "multiworker"
    needs = "This strategy needs Keras 2: TensorFlow up to 2.15, or tf_keras with TF_USE_LEGACY_KERAS=1."
