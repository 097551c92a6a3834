"""Keras' own distribution: one process, several devices, on JAX.

Source: Keras documentation, ``keras.distribution.DataParallel``; Keras guide "Distributed training with Keras 3".
"""

from __future__ import annotations

from corro.classes import dataclass
from corro.targets.base import Calls, Code, Installation
from corro.targets.keras._base import KerasTarget

_PROBE = """
if int(version("keras").split(".")[0]) < 3:
    missing(f"Keras {version('keras')} is installed, and it takes Keras 3")
os.environ.update(KERAS_BACKEND="jax", XLA_PYTHON_CLIENT_PREALLOCATE="false")
import jax, keras
keras.distribution.DataParallel
gpus = jax.device_count() if jax.default_backend() == "gpu" else 0
print(json.dumps([keras.__version__, f"JAX {jax.__version__}", counted(gpus)]))
"""


@dataclass(frozen=True)
class KerasDistribution(KerasTarget):
    """Each device has a copy of the model and takes its share of every batch."""

    name = "keras-distribution"
    title = "keras.distribution.DataParallel"
    module = "keras"
    default_alias = "keras"
    launcher = "keras-distribution"
    calls = Calls(("keras.distribution",))
    installation = Installation(
        "Keras distribution",
        ("keras", "jax"),
        _PROBE,
        'pip install "keras>=3" jax (not where TensorFlow 2.15 is installed)',
    )
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
