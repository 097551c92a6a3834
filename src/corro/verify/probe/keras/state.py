"""The weights of a program of Keras 2: those of the models that are fitted, or that were made."""

from __future__ import annotations

import contextlib
import functools
import weakref
from collections.abc import Sequence
from typing import Any

from corro.verify.probe.fitting import weights
from corro.verify.probe.fitting.arrays import Array
from corro.verify.probe.keras.engine import engine
from corro.verify.probe.keras.tensors import array
from corro.verify.probe.session import Session


class Weights(weights.Weights):
    """The models and optimizers of a program."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._models: list[weakref.ref[Any]] = []

    def array(self, variable: Any) -> Array:
        """See ``fitting``."""
        return array(variable)

    def called(self, variable: Any) -> str:
        """See ``fitting``."""
        return str(variable.name)

    def variables(self, optimizer: Any) -> list[Any]:
        """See ``fitting``: a list in new optimizers, a function in old ones."""
        if not getattr(optimizer, "built", getattr(optimizer, "_built", False)):
            return []
        found = optimizer.variables
        found = found() if callable(found) and not isinstance(found, list) else found
        return [each for each in found if "learning_rate" not in each.name]

    @property
    def models(self) -> list[Any]:
        """All models there are, in the order they were made."""
        return [each for each in (ref() for ref in self._models) if each is not None]

    def begin(self, model: Any) -> None:
        """An epoch begins that may be one of training: of a model, or, in a loop of the script's own, of any."""
        for each in [model] if model is not None else self.models:
            if each.built:
                self.note(each.weights)

    def made(self, model: Any) -> None:
        """A model was made."""
        if not any(ref() is model for ref in self._models):
            self._models.append(weakref.ref(model))

    def before_step(self, variables: Sequence[Any]) -> None:
        """Variables that a first step made, or that belong to no model."""
        self.note(variables)

    def build(self, model: Any, batch: Any) -> None:
        """See ``fitting``."""
        if model is not None and not model.built:
            unpack = engine("engine.data_adapter").unpack_x_y_sample_weight
            with contextlib.suppress(Exception):  # a model that is only there to be trained
                model(unpack(batch)[0], training=False)
                self.note(model.trainable_variables)


def install(session: Session) -> Weights:
    """Make what the other hooks tell of weights."""
    made = Weights(session)
    kind = engine("engine.training").Model
    plain = kind.__init__

    @functools.wraps(plain)
    def make(model: Any, *args: Any, **kwargs: Any) -> None:
        plain(model, *args, **kwargs)
        made.made(model)

    kind.__init__ = make
    return made
