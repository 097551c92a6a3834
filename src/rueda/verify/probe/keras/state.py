"""The weights of a program: those of the models that are fitted, what they are called and contain."""

from __future__ import annotations

import contextlib
import functools
import weakref
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from rueda.verify.probe.keras.engine import engine
from rueda.verify.probe.keras.tensors import array, checksum
from rueda.verify.probe.session import Session
from rueda.verify.records import FINAL, START


class Weights:
    """The models and optimizers of a program."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._named: dict[str, Any] = {}
        self._models: list[weakref.ref[Any]] = []
        self._stepped: list[tuple[Any, tuple[int, ...]]] = []
        self._start: dict[str, Any] = {}
        self._imposed = False

    @property
    def models(self) -> list[Any]:
        """All models there are, in the order they were made."""
        return [each for each in (ref() for ref in self._models) if each is not None]

    @property
    def optimizers(self) -> list[Any]:
        """All optimizers that stepped."""
        return [each for each, _ in self._stepped]

    def begin(self, model: Any) -> None:
        """An epoch begins that may be one of training: of a model, or, in a loop of the script's own, of any."""
        if self._session.record.steps:
            return
        for each in [model] if model is not None else self.models:
            if each.built:
                self._note(each.weights)

    def made(self, model: Any) -> None:
        """A model was made."""
        if not any(ref() is model for ref in self._models):
            self._models.append(weakref.ref(model))

    def before_step(self, variables: Sequence[Any]) -> None:
        """Variables that the first step made, or that belong to no model."""
        if not self._session.record.steps:
            self._note(variables)

    def _note(self, variables: Iterable[Any]) -> None:
        """Note what the program begins with, once for each variable."""
        known = {id(each) for each in self._named.values()}
        for each in variables:
            if id(each) not in known:
                name = each.name
                while name in self._named:
                    name += "'"
                self._named[name] = each
                self._session.record.start[name] = checksum(each)
                self._start[name] = array(each).copy()  # the first step changes running statistics before it ends
        if self._session.replay is None:
            _keep(self._session.folder / START, self._start)

    def checksums(self) -> dict[str, int]:
        """What all known weights contain."""
        return {name: checksum(each) for name, each in self._named.items()}

    def name(self, variable: Any) -> str:
        """What a variable is called in the record."""
        return next((name for name, each in self._named.items() if each is variable), variable.name)

    def optimizer(self, optimizer: Any, variables: Sequence[Any]) -> int:
        """The number of an optimizer with the variables it steps, counted in the order they first step."""
        key = tuple(id(each) for each in variables)
        for number, known in enumerate(self._stepped):
            if known[0] is optimizer and known[1] == key:
                return number
        self._stepped.append((optimizer, key))
        self._session.record.tensors.append([self.name(each) for each in variables])
        self._session.record.optimizer_start.append(_state(optimizer))
        return len(self._stepped) - 1

    def take_over(self, model: Any, batch: Any) -> None:
        """Begin with the weights that another run began with, where these have the same names and shapes."""
        replay = self._session.replay
        if self._imposed or replay is None or self._session.record.steps:
            return
        self._imposed = True
        if not Path(replay.ranks[0].folder, START).exists():
            return
        if model is not None and not model.built:
            unpack = engine("engine.data_adapter").unpack_x_y_sample_weight
            with contextlib.suppress(Exception):  # a model that is only there to be trained
                model(unpack(batch)[0], training=False)
                self._note(model.trainable_variables)
        self.become(replay.ranks[0].folder)

    def become(self, folder: str) -> None:
        """Have the weights that a process began with."""
        with np.load(Path(folder, START)) as arrays:
            values = {name: arrays[name] for name in arrays.files}
        for name, variable in self._named.items():
            if name in values and values[name].shape == tuple(variable.shape):
                variable.assign(values[name])

    def keep_final(self) -> None:
        """Write the weights at the end, for runs that are not forced."""
        if self._session.settings.final and self._session.record.rank == 0:
            numbered = {f"{number:05d}": each for number, each in enumerate(self._named.values())}
            _keep(self._session.folder / FINAL, numbered)


def install(session: Session) -> Weights:
    """Make what the other hooks tell of weights."""
    weights = Weights(session)
    kind = engine("engine.training").Model
    plain = kind.__init__

    @functools.wraps(plain)
    def make(model: Any, *args: Any, **kwargs: Any) -> None:
        plain(model, *args, **kwargs)
        weights.made(model)

    kind.__init__ = make
    session.at_end.append(weights.keep_final)
    return weights


def variables(optimizer: Any) -> list[Any]:
    """All variables of an optimizer: a list in new ones, a function in old ones."""
    found = optimizer.variables
    return list(found() if callable(found) and not isinstance(found, list) else found)


def _state(optimizer: Any) -> dict[str, int]:
    """What an optimizer remembers of earlier steps: nothing, unless it was loaded."""
    if not getattr(optimizer, "built", getattr(optimizer, "_built", False)):
        return {}
    state = [each for each in variables(optimizer) if "learning_rate" not in each.name]
    return {f"state {number}": checksum(each) for number, each in enumerate(state)}


def _keep(path: Path, named: Mapping[str, Any]) -> None:
    arrays: dict[str, Any] = {name: array(each) for name, each in named.items()}
    np.savez(path, **arrays)
