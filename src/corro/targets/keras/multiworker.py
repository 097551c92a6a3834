"""TensorFlow's ``MultiWorkerMirroredStrategy``: several processes that find each other by ``TF_CONFIG``.

Source: TensorFlow tutorial "Multi-worker training with Keras".
"""

from __future__ import annotations

from corro.classes import dataclass
from corro.targets.base import Calls, Installation, RankedTarget
from corro.targets.keras._strategy import StrategyTarget

_PROBE = """
import tensorflow as tf
tf.distribute.MultiWorkerMirroredStrategy
if version("keras").startswith("2."):
    fit = "fit and own loops"
elif importlib.util.find_spec("tf_keras"):
    fit = "own loops, fit with TF_USE_LEGACY_KERAS=1"
else:
    fit = "own loops, fit only with tf_keras"
gpus = counted(len(tf.config.list_physical_devices("GPU")))
print(json.dumps([tf.__version__, "Keras " + version("keras"), fit, gpus]))
"""


@dataclass(frozen=True)
class MultiWorker(StrategyTarget, RankedTarget):
    """Every process runs the whole script; the strategy shares each batch out."""

    name = "multiworker"
    title = "tf.distribute.MultiWorkerMirroredStrategy"
    constructor = "MultiWorkerMirroredStrategy"
    launcher = "multiworker"
    calls = Calls(
        modules=("tensorflow.distribute.MultiWorkerMirroredStrategy",),
        collectives=frozenset({"gather", "reduce", "run"}),
        ranks=frozenset({"task_id", "task_type", "should_checkpoint"}),
    )
    installation = Installation("MultiWorkerMirroredStrategy", ("tensorflow",), _PROBE, "pip install tensorflow")
    saves_together = True
    needs = (
        "fit under this strategy needs Keras 2: TensorFlow up to 2.15, or tf_keras with TF_USE_LEGACY_KERAS=1 in the "
        "environment."
    )
    writing = frozenset({"CSVLogger", "RemoteMonitor"})
    needs_keras_2 = "fit under MultiWorkerMirroredStrategy fails in Keras 3"

    @property
    def rank(self) -> str:
        """This process's number among the tasks of its type: a chief and the first worker have the same."""
        return f"{self.strategy}.cluster_resolver.task_id"

    @property
    def is_first(self) -> str:
        """The chief, which is the first worker where there is no other, and a program that runs alone."""
        return f"{self.strategy}.extended.should_checkpoint"

    @property
    def is_other(self) -> str:
        """Not the chief."""
        return f"not {self.is_first}"

    @property
    def world_size(self) -> str:
        """The number of processes."""
        return self.replicas

    @property
    def barrier(self) -> str:
        """Wait for all processes."""
        context = f"{self.tf}.distribute.get_replica_context()"
        return f'{self.strategy}.run(lambda: {context}.all_reduce("sum", {self.tf}.constant(0.0)))'
