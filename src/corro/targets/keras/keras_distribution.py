"""Keras' own distribution: one process, several devices, on JAX.

Source: Keras documentation, ``keras.distribution.DataParallel``; Keras guide "Distributed training with Keras 3".
"""

from __future__ import annotations

from corro.classes import dataclass
from corro.targets.base import Code
from corro.targets.keras._base import KerasTarget


@dataclass(frozen=True)
class KerasDistribution(KerasTarget):
    """Each device has a copy of the model and takes its share of every batch."""

    name = "keras-distribution"
    title = "keras.distribution.DataParallel"
    module = "keras"
    default_alias = "keras"
    launcher = "keras-distribution"
    needs_keras_3 = "keras.distribution is not in it"
    needs = "keras.distribution needs Keras 3 on JAX: KERAS_BACKEND=jax in the environment."
    backend = "jax"
    sees_shards = False
    caution = (
        "every batch must be divisible by the number of devices, the last one of an epoch, of an evaluation and of a "
        "prediction too; JAX stops at one that is not."
    )

    def start(self) -> Code:
        """All devices that JAX sees."""
        module = self.of_keras("distribution.set_distribution")
        distribution = module.text.rpartition(".")[0]
        return Code(f"{module.text}({distribution}.DataParallel())", module.imports)
