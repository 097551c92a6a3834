"""The weights of a program: those of the models that are fitted, what they are called and contain."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from corro.verify.probe.fitting.arrays import Array, checksum
from corro.verify.probe.session import Session
from corro.verify.records import FINAL, START, Beginning


class Weights:
    """The models and optimizers of a program; a subclass says what a variable is."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._named: dict[str, Any] = {}
        self._stepped: list[tuple[Any, tuple[int, ...]]] = []
        self._start: dict[str, Array] = {}
        self._imposed: set[int] = set()
        session.at_end.append(self._keep_final)

    def array(self, variable: Any) -> Array:
        """What a variable contains."""
        raise NotImplementedError

    def assign(self, variable: Any, value: Array) -> None:
        """Have a variable contain something else."""
        variable.assign(value)

    def called(self, variable: Any) -> str:
        """What its engine calls it."""
        raise NotImplementedError

    def variables(self, optimizer: Any) -> list[Any]:
        """All variables of an optimizer that remember earlier steps; none where it has not been built."""
        raise NotImplementedError

    @property
    def optimizers(self) -> list[Any]:
        """All optimizers that stepped."""
        return [each for each, _ in self._stepped]

    def note(self, variables: Iterable[Any]) -> None:
        """Note what begins to be trained, once for each variable."""
        known = {id(each) for each in self._named.values()}
        fresh = [each for each in variables if id(each) not in known]
        if not fresh:
            return
        began = self._beginning()
        for each in fresh:
            name = self.called(each)
            while name in self._named:
                name += "'"
            self._named[name] = each
            content = self.array(each)
            began.weights[name] = checksum(content)
            self._start[name] = content.copy()  # the first step changes running statistics before it ends
        if not began.step:
            self.session.record.start = dict(began.weights)
        if self.session.replay is None:
            _keep(_start_file(self.session.folder, began.step), self._start)

    def _beginning(self) -> Beginning:
        """The weights whose first step is the next one."""
        beginnings, step = self.session.record.beginnings, len(self.session.record.steps)
        if not beginnings or beginnings[-1].step != step:
            beginnings.append(Beginning(step))
            self._start = {}
        return beginnings[-1]

    def shared(self) -> None:
        """The engine gives all processes rank 0's weights, those of optimizers aside in several calls."""
        steps = len(self.session.record.steps)
        for each in self.session.record.beginnings:
            if each.shared in (-1, steps):
                each.shared = steps
                each.shared_weights = {name: checksum(self.array(self._named[name])) for name in each.weights}

    def name(self, variable: Any) -> str:
        """What a variable is called in the record."""
        return next((name for name, each in self._named.items() if each is variable), self.called(variable))

    def optimizer(self, optimizer: Any, variables: Sequence[Any]) -> int:
        """The number of an optimizer with the variables it steps, counted in the order they first step."""
        key = tuple(id(each) for each in variables)
        for number, known in enumerate(self._stepped):
            if known[0] is optimizer and known[1] == key:
                return number
        self._stepped.append((optimizer, key))
        self.session.record.tensors.append([self.name(each) for each in variables])
        self.session.record.optimizer_start.append(self._state(optimizer))
        return len(self._stepped) - 1

    def take_over(self, model: Any, batch: Any) -> None:
        """Begin with the weights that another run began with, where these have the same names and shapes.

        What begins later has the sequential run's own, unless the processes began with other ones.
        """
        replay, step = self.session.replay, len(self.session.record.steps)
        if replay is None or step in self._imposed or (step and step not in replay.uneven):
            return
        self._imposed.add(step)
        if _start_file(Path(replay.ranks[0].folder), step).exists():
            self.build(model, batch)
            self.become(replay.ranks[0].folder)

    def build(self, model: Any, batch: Any) -> None:
        """Make variables of a model that has none yet."""

    def become(self, folder: str) -> None:
        """Have the weights that a process began the next step with."""
        with np.load(_start_file(Path(folder), len(self.session.record.steps))) as arrays:
            values = {name: arrays[name] for name in arrays.files}
        for name, variable in self._named.items():
            if name in values and values[name].shape == tuple(variable.shape):
                self.assign(variable, values[name])

    def _state(self, optimizer: Any) -> dict[str, int]:
        """What an optimizer remembers of earlier steps: nothing, unless it was loaded."""
        state = enumerate(self.variables(optimizer))
        return {f"state {number}": checksum(self.array(each)) for number, each in state}

    def _keep_final(self) -> None:
        """Write the weights at the end, for runs that are not forced."""
        if self.session.settings.final and self.session.record.rank == 0:
            keep_numbered(self.session.folder / FINAL, map(self.array, self._named.values()))


def _start_file(folder: Path, step: int) -> Path:
    """The file with the weights whose first step has this number."""
    return folder / (f"{step}.{START}" if step else START)


def keep_numbered(path: Path, arrays: Iterable[Array]) -> None:
    """Write arrays by their numbers."""
    _keep(path, {f"{number:05d}": each for number, each in enumerate(arrays)})


def _keep(path: Path, named: Mapping[str, Any]) -> None:
    np.savez(path, **named)
