"""Horovod for Keras 2, launched by horovodrun.

Source: Horovod's ``examples/tensorflow2/tensorflow2_keras_mnist.py`` and ``examples/keras/keras_mnist_advanced.py``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.classes import dataclass
from corro.source import Import
from corro.targets._horovod import PROBE, HorovodEngine
from corro.targets.base import Code, Installation
from corro.targets.keras._base import SharingTarget

if TYPE_CHECKING:
    from collections.abc import Mapping

_TAPE = "horovod.tensorflow.DistributedGradientTape"


@dataclass(frozen=True)
class Horovod(HorovodEngine, SharingTarget):
    """``horovod.tensorflow.keras``, or ``horovod.keras`` where the script imports ``keras`` itself."""

    name = "horovod"
    module = "horovod.tensorflow.keras"
    installation = Installation(
        "Horovod for TensorFlow",
        ("tensorflow", "horovod"),
        PROBE,
        'pip install "tensorflow<2.16" (Python 3.11 or older), then corro setup horovod',
    )
    writing = frozenset({"ModelCheckpoint", "TensorBoard", "CSVLogger", "RemoteMonitor", "ProgbarLogger"})
    needs = "Horovod's module for Keras needs Keras 2: TensorFlow up to 2.15."
    needs_keras_2 = "Horovod has no optimizer for Keras 3"

    @property
    def engine(self) -> Import:
        """The import of the module that goes with the script's Keras."""
        return self.library.imports(self._of_keras, self.default_alias)

    @property
    def _of_keras(self) -> str:
        return "horovod.keras" if self.flavour == "keras" else "horovod.tensorflow.keras"

    @property
    def _alias_of_fit(self) -> str:
        return self.alias

    @property
    def barrier(self) -> str:
        """Wait for all processes: the module for Keras has no barrier of its own."""
        return f"{self.alias}.allreduce(0.0)"

    def start(self) -> Code:
        """Join, and take the GPU with this process's local rank; memory is taken as it is needed."""
        gpus, gpu = self.library.names.fresh("gpus"), self.library.names.fresh("gpu")
        text = (
            f"{self.alias}.init()\n"
            f'{gpus} = {self.tf}.config.list_physical_devices("GPU")\n'
            f"for {gpu} in {gpus}:\n"
            f"    {self.tf}.config.experimental.set_memory_growth({gpu}, True)\n"
            f"if {gpus}:\n"
            f'    {self.tf}.config.set_visible_devices({gpus}[{self.alias}.local_rank()], "GPU")'
        )
        return Code(text, (self.engine, self.tf_import))

    def wrap_optimizer(self, expression: str) -> str:
        """The optimizer that averages gradients over the processes."""
        return f"{self._alias_of_fit}.DistributedOptimizer({expression})"

    def averaging_tape(self, tape: str) -> Code:
        """The module for Keras has no tape."""
        return Code(f"{self.library.name(_TAPE)}({tape})", (self.engine, self.library.imports(_TAPE)))

    @property
    def callbacks(self) -> tuple[str, str]:
        """Callbacks in front of all others: equal weights at the start, and metrics of the whole for what decides."""
        module = f"{self._alias_of_fit}.callbacks"
        return f"{module}.BroadcastGlobalVariablesCallback(0)", f"{module}.MetricAverageCallback()"

    def warm_up(self, rate: str, epochs: str) -> str:
        """An expression: the callback that goes from 1/N of a rate to all of it in so many epochs."""
        callback = f"{self._alias_of_fit}.callbacks.LearningRateWarmupCallback"
        return f"{callback}(initial_lr={rate}, warmup_epochs={epochs}, momentum_correction=False)"

    def average(self, expression: str) -> str:
        """An expression: the average over processes of a number or a list of numbers, as Python's own."""
        return f"{self.alias}.allreduce({expression}).numpy().tolist()"

    def shared(self, expression: str) -> str:
        """An expression: rank 0's value of a number on all processes."""
        return f"int({self.alias}.broadcast({expression}, 0))"

    def same_statistics(self, model: str, methods: Mapping[str, str]) -> Code:
        """Keras' callback for a function, which takes any of a callback's methods by name."""
        function, callback = self._of_tensorflow("broadcast_variables"), self.of_keras("callbacks.LambdaCallback")
        call = f"{function.text}({model}.non_trainable_variables, root_rank=0)"
        given = ", ".join(f"{method}=lambda {parameters}: {call}" for method, parameters in methods.items())
        text = f"{callback.text}({given})"
        return Code(text, (*function.imports, *callback.imports))

    @property
    def sharing_function(self) -> Code:
        """A function: rank 0's value of anything on all processes."""
        return self._of_tensorflow("broadcast_object")

    def _of_tensorflow(self, function: str) -> Code:
        """A function of ``horovod.tensorflow`` that Horovod's modules for Keras have not."""
        name = self.library.name(f"horovod.tensorflow.{function}")
        renamed = "" if name == function else f" as {name}"
        text = f"from horovod.tensorflow import {function}{renamed}"
        return Code(name, (Import(text, late=self.library.late),))
