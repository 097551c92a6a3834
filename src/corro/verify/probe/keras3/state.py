"""The weights of a program of Keras 3: those of the models that are fitted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import jax

from corro.verify.probe.fitting import gradients, weights
from corro.verify.probe.fitting.arrays import Array
from corro.verify.probe.keras3.tensors import array
from corro.verify.probe.session import Session


class Weights(weights.Weights):
    """The models and optimizers of a program."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._current: Mapping[int, Any] = {}

    def array(self, variable: Any) -> Array:
        """See ``fitting``: ``fit`` takes values out of variables while an epoch lasts."""
        if getattr(variable, "_value", None) is None:
            return array(self._current[id(variable)])
        return array(variable)

    def called(self, variable: Any) -> str:
        """See ``fitting``."""
        return str(variable.path)

    def variables(self, optimizer: Any) -> list[Any]:
        """See ``fitting``."""
        return [each for each in optimizer.variables if each.name != "learning_rate"]

    def begin(self, model: Any) -> None:
        """An epoch of training begins."""
        if self.session.record.steps:
            return
        self.note([*model.trainable_variables, *model.non_trainable_variables])
        for layer in model._flatten_layers():
            gradients.note_precision(self.session.record, _spacing(layer.compute_dtype))

    def now(self, variables: Iterable[Any], values: Iterable[Any]) -> None:
        """What variables contain that have no values of their own now."""
        self._current = {**self._current, **{id(a): b for a, b in zip(variables, values, strict=True)}}


def _spacing(kind: Any) -> float:
    """The spacing near 1 of numbers of a type."""
    try:
        return float(jax.numpy.finfo(kind).eps)
    except (TypeError, ValueError):  # no type of floating numbers, or none at all
        return 0.0
