"""Optimizer steps in a graph: reduced gradients, rates, weights; in a reference, what is taken over.

All optimizers end in the base class's ``apply_gradients``, with gradients that Horovod has reduced. There they pass
through one function of Python, which notes them, and in a reference gives the recorded ones back.
"""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python.ops import script_ops

from corro.verify.probe.fitting import gradients as scratch
from corro.verify.probe.fitting.arrays import Array, checksum, flat, norm
from corro.verify.probe.session import Session
from corro.verify.probe.tensorflow1.feeds import Training
from corro.verify.probe.tensorflow1.state import Run, Weights
from corro.verify.records import Difference, Step

_RATES = ("_learning_rate", "_lr")


@dataclass
class Applied:
    """A place in a graph where an optimizer applies gradients.

    Attributes:
        optimizer: of TensorFlow; not Horovod's, which hands on to it.
        variables: those that have a gradient.
        sparse: which of the gradients are rows with their numbers.
        inputs: the parts of the graph that it takes: gradients, and the rate.
    """

    optimizer: Any
    variables: list[Any]
    sparse: list[bool]
    inputs: list[Any] = field(default_factory=list)


@dataclass
class Fired:
    """What passed through Python in a step."""

    gradients: list[Array] = field(default_factory=list)
    rates: list[float] = field(default_factory=list)
    difference: Difference | None = None


class Steps:
    """The steps of one process."""

    def __init__(self, session: Session, training: Training, weights: Weights) -> None:
        self._session = session
        self._training = training
        self._weights = weights
        self._busy = False
        self._places: weakref.WeakKeyDictionary[Any, dict[str, Applied]] = weakref.WeakKeyDictionary()
        self._expected: dict[int, int] = {}
        self._fired: dict[int, Fired] = {}
        self._begun: list[Applied] = []
        self._scratch = scratch.Gradients(session)

    def install(self) -> None:
        """Watch all optimizers."""
        kind = tf.train.Optimizer
        kind.apply_gradients = self._watched(kind.apply_gradients)

    def at(self, graph: Any, operation: str) -> Applied | None:
        """What is applied by an operation, by its name."""
        return self._places.get(graph, {}).get(operation)

    def kept(self, graph: Any) -> list[Any]:
        """The variables that the optimizers of a graph have for themselves."""
        optimizers = {id(each.optimizer): each.optimizer for each in self._places.get(graph, {}).values()}
        return [variable for each in optimizers.values() for variable in each.variables()]

    def before(self, run: Run, graph: Any, applied: Sequence[Applied]) -> None:
        """Before a run that makes these steps."""
        fresh = [each for each in applied if not any(each is known for known in self._begun)]
        if fresh:
            self._begun += fresh
            self._weights.begin(run, graph, self.kept(graph))
            for each in fresh:
                self._weights.optimizer(each.optimizer, each.variables)
        first = len(self._session.record.steps)
        self._expected = {id(each): first + place for place, each in enumerate(applied)}
        self._fired = {}

    def after(self, run: Run, applied: Sequence[Applied], noise: str, partwise: str) -> None:
        """Behind that run: note its steps."""
        made = [each for each in applied if id(each) in self._fired]
        self._expected = {}
        self._weights.look(run, [variable for each in made for variable in each.variables])
        for each in made:
            self._note(each, self._fired[id(each)], noise, partwise)

    def _note(self, applied: Applied, fired: Fired, noise: str, partwise: str) -> None:
        weights, own = self._weights, fired.gradients
        values = [weights.array(each) for each in applied.variables]
        for each in values:
            scratch.note_precision(self._session.record, _spacing(each.dtype))
        step = Step(
            optimizer=weights.optimizer(applied.optimizer, applied.variables),
            line=self._session.line(),
            rates=fired.rates,
            planned=fired.rates,
            gradients=[checksum(each) for each in own],
            gradient_norms=[norm(each) for each in own],
            weights=[checksum(each) for each in values],
            weight_norms=[norm(each) for each in values],
            difference=fired.difference,
            noise=noise,
            partwise=partwise,
        )
        self._scratch.keep(step, [each.size for each in own], own)
        self._training.stepped(step)

    def _watched(self, plain: Callable[..., Any]) -> Callable[..., Any]:
        """An ``apply_gradients`` whose gradients pass through Python; one within another is part of it."""

        @functools.wraps(plain)
        def apply_gradients(optimizer: Any, grads_and_vars: Any, *args: Any, **kwargs: Any) -> Any:
            graph = tf.get_default_graph()
            if self._busy or tf.executing_eagerly() or graph.building_function:
                return plain(optimizer, grads_and_vars, *args, **kwargs)
            self._busy = True
            try:
                return plain(optimizer, self._seen(graph, optimizer, list(grads_and_vars)), *args, **kwargs)
            finally:
                self._busy = False

        return apply_gradients

    def _seen(self, graph: Any, optimizer: Any, pairs: list[Any]) -> list[Any]:
        """Pairs of gradients and variables, the gradients after a function of Python."""
        present = [(gradient, variable) for gradient, variable in pairs if gradient is not None]
        if not present:
            return pairs
        gradients = [each if isinstance(each, tf.IndexedSlices) else tf.convert_to_tensor(each) for each, _ in present]
        sparse = [isinstance(each, tf.IndexedSlices) for each in gradients]
        applied = Applied(optimizer, [variable for _, variable in present], sparse)
        parts = [part for each in gradients for part in _parts(each)]
        with tf.device("/cpu:0"):
            rates = [tf.convert_to_tensor(each) for each in _rates(optimizer)]
            step = functools.partial(self._fire, applied)
            applied.inputs = [*parts, *rates]
            kinds = [each.dtype for each in parts]
            made = script_ops.py_func_common(step, applied.inputs, kinds, name="probe_of_a_step")
        self._places.setdefault(graph, {})[made[0].op.name] = applied
        rest = iter(made)
        return [(_behind(gradient, rest), variable) for gradient, (_, variable) in zip(gradients, present, strict=True)]

    def _fire(self, applied: Applied, *inputs: Array) -> list[Array]:
        """The step is being made: TensorFlow calls this, from a thread of its own."""
        number = self._expected.get(id(applied))
        count = sum(2 if each else 1 for each in applied.sparse)
        parts = [np.asarray(each) for each in inputs[:count]]
        if number is None:
            return parts
        fired = self._fired.setdefault(id(applied), Fired())
        fired.rates = [float(each) for each in inputs[count:]]
        shapes = [tuple(each.shape.as_list()) for each in applied.variables]
        given = iter(parts)
        pieces = [[next(given), next(given)] if each else [next(given)] for each in applied.sparse]
        own = [flat(_dense(each, shape)) for each, shape in zip(pieces, shapes, strict=True)]
        wanted, fired.difference = self._scratch.imposed(own, number)
        fired.gradients = own
        if not self._session.settings.comparable:
            return parts
        return [part for piece, numbers in zip(pieces, wanted or own, strict=True) for part in _like(piece, numbers)]


def _parts(gradient: Any) -> list[Any]:
    return [gradient.values, gradient.indices] if isinstance(gradient, tf.IndexedSlices) else [gradient]


def _behind(gradient: Any, made: Any) -> Any:
    """A gradient as it comes back, with the shape that it had."""
    value = next(made)
    if not isinstance(gradient, tf.IndexedSlices):
        value.set_shape(gradient.shape)
        return value
    rows = next(made)
    value.set_shape(tf.TensorShape([None]).concatenate(gradient.values.shape[1:]))
    rows.set_shape([None])
    return tf.IndexedSlices(value, rows, gradient.dense_shape)


def _dense(piece: Sequence[Array], shape: Sequence[int]) -> Array:
    """A gradient as one array; what rows have several times is added up."""
    if len(piece) == 1:
        return piece[0]
    values, rows = piece
    whole = np.zeros(shape, values.dtype)
    np.add.at(whole, rows, values)
    return whole


def _like(piece: Sequence[Array], numbers: Array) -> Iterable[Array]:
    """Single-precision numbers in the shape and kind of a gradient; of rows, each once."""
    if len(piece) == 1:
        return [numbers.reshape(piece[0].shape).astype(piece[0].dtype)]
    values, rows = piece
    unique = np.unique(rows)
    return [numbers.reshape(-1, *values.shape[1:])[unique].astype(values.dtype), unique]


def _rates(optimizer: Any) -> list[Any]:
    """The learning rate, as a number or a tensor."""
    found = [getattr(optimizer, each) for each in _RATES if getattr(optimizer, each, None) is not None]
    return [each() if callable(each) else each for each in found[:1]]


def _spacing(kind: Any) -> float:
    """The spacing near 1 of numbers of a type."""
    return float(np.finfo(kind).eps) if kind.kind == "f" else 0.0
