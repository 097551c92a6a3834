"""What Horovod is where a script computes gradients with TensorFlow itself: in loops and in sessions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.classes import dataclass
from corro.targets.keras import horovod

if TYPE_CHECKING:
    from corro.source import Import


_FOR_KERAS = "hvd_keras"


@dataclass(frozen=True)
class HorovodOfTensorFlow(horovod.Horovod):
    """``horovod.tensorflow``."""

    module = "horovod.tensorflow"
    needs = "Horovod needs TensorFlow up to 2.15."

    @property
    def engine(self) -> Import:
        """The import of the engine's module, whatever the script has its Keras from."""
        return self.library.imports(self.module, self.default_alias)

    @property
    def of_fit(self) -> Import:
        """The import of the module for Keras, which a script with ``fit`` beside its loops needs too."""
        return self.library.imports(self._of_keras, _FOR_KERAS)

    @property
    def _alias_of_fit(self) -> str:
        return self.library.name(self._of_keras, _FOR_KERAS)

    def all_reduce(self, tensor: str, *, summed: bool) -> str:
        """The mean, or the sum, over the processes."""
        return f"{self.alias}.allreduce({tensor}{self._op(summed=summed)})"

    def _op(self, *, summed: bool) -> str:
        """The argument that asks for a sum; empty for a mean."""
        return f", op={self.alias}.Sum" if summed else ""
