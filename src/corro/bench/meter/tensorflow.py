"""TensorFlow's own loops: a step is a call of a function whose graph applies gradients, or that without a graph.

In a graph for sessions there is no step until one is run, see ``sessions``.
"""

from __future__ import annotations

import functools
from importlib import import_module
from types import ModuleType
from typing import Any

from corro.bench.meter import sessions
from corro.bench.meter.clock import Meter
from corro.bench.meter.counter import length
from corro.bench.meter.sessions import Runs
from corro.verify.probe.imports import after_import

_FUNCTIONS = "tensorflow.python.eager.polymorphic_function.polymorphic_function"
_ITERATORS = "tensorflow.python.data.ops.iterator_ops"
_OPTIMIZERS = {
    "keras.src.optimizers.optimizer": "Optimizer",
    "keras.src.optimizers.legacy.optimizer_v2": "OptimizerV2",
    "keras.src.optimizers.base_optimizer": "BaseOptimizer",
    "tf_keras.src.optimizers.optimizer": "Optimizer",
    "tensorflow.python.training.optimizer": "Optimizer",
}


class _Calls:
    """The calls that are under way; where Keras trains, it counts by itself."""

    def __init__(self, meter: Meter, runs: Runs) -> None:
        self.meter = meter
        self._runs = runs
        self._training: set[int] = set()
        self._outermost: Any = None
        self._applying = False

    def call(self, plain: Any) -> Any:
        """A function's ``__call__``."""

        @functools.wraps(plain)
        def called(function: Any, *args: Any, **kwargs: Any) -> Any:
            if self._outermost is not None:
                return plain(function, *args, **kwargs)
            self._outermost = function
            try:
                given = plain(function, *args, **kwargs)
            finally:
                self._outermost = None
            if id(function) in self._training and not self.meter.inside:
                self.meter.stepped()
            return given

        return called

    def apply(self, plain: Any) -> Any:
        """An optimizer's ``apply_gradients``."""

        @functools.wraps(plain)
        def applied(optimizer: Any, *args: Any, **kwargs: Any) -> Any:
            if self._outermost is not None:
                self._training.add(id(self._outermost))
            if self._outermost is not None or self._applying or self.meter.inside:
                return plain(optimizer, *args, **kwargs)
            self._applying = True
            try:
                given = plain(optimizer, *args, **kwargs)
            finally:
                self._applying = False
            if import_module("tensorflow").executing_eagerly():
                self.meter.stepped()
            else:
                self._runs.applies(given)
            return given

        return applied


def install(meter: Meter) -> None:
    """Watch functions, optimizers and iterators once they are imported."""
    calls = _Calls(meter, sessions.install(meter))

    def watch(module: ModuleType, name: str) -> None:
        optimizer = getattr(module, name, None)
        if optimizer is not None:
            optimizer.apply_gradients = calls.apply(optimizer.apply_gradients)

    def watch_functions(module: ModuleType) -> None:
        module.Function.__call__ = calls.call(module.Function.__call__)

    after_import(_FUNCTIONS, watch_functions)
    after_import(_ITERATORS, lambda module: _watch_iterators(module.OwnedIterator, meter))
    for module, name in _OPTIMIZERS.items():
        after_import(module, lambda loaded, name=name: watch(loaded, name))  # type: ignore[misc]


def _watch_iterators(iterator: Any, meter: Meter) -> None:
    begun, plain = iterator.__init__, iterator.__next__

    @functools.wraps(begun)
    def begin(self: Any, *args: Any, **kwargs: Any) -> None:
        if not meter.inside:
            meter.began()
        begun(self, *args, **kwargs)

    @functools.wraps(plain)
    def give(self: Any) -> Any:
        batch = plain(self)
        if not meter.inside:
            meter.gave(length(batch))
        return batch

    iterator.__init__, iterator.__next__ = begin, give
