"""The weights of a graph: its variables without those that optimizers keep for themselves, as a session has them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import tensorflow.compat.v1 as tf

from corro.verify.probe.fitting import weights
from corro.verify.probe.fitting.arrays import Array
from corro.verify.probe.session import Session

Run = Callable[..., Any]


class Weights(weights.Weights):
    """The variables and optimizers of a program, and what they contained when they were last looked at."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._seen: dict[int, tuple[Any, Array]] = {}
        self._run: Run | None = None

    def array(self, variable: Any) -> Array:
        """See ``fitting``: when it was last looked at."""
        return self._seen[id(variable)][1]

    def assign(self, variable: Any, value: Array) -> None:
        """See ``fitting``: by the operation that initialises it, as a finished graph takes no other."""
        assert self._run is not None
        initial = variable.initializer.inputs[1]
        self._run(variable.initializer, {initial: value.astype(variable.dtype.base_dtype.as_numpy_dtype)})

    def called(self, variable: Any) -> str:
        """See ``fitting``."""
        return str(variable.name)

    def variables(self, optimizer: Any) -> list[Any]:
        """See ``fitting``."""
        return [each for each in optimizer.variables() if id(each) in self._seen]

    def shared(self) -> None:
        """See ``fitting``: the broadcast is a part of the graph, and lies before the first step."""

    def look(self, run: Run, variables: Iterable[Any]) -> None:
        """See what variables contain in a session.

        Args:
            run: of the session.
            variables: those that have no value yet are left out.
        """
        self._run = run
        for variable, value in zip_values(run, list(variables)):
            self._seen[id(variable)] = (variable, value)

    def begin(self, run: Run, graph: Any, kept: Iterable[Any]) -> None:
        """Before a step that may be the first one of an optimizer.

        Args:
            run: of the session.
            graph: of the session.
            kept: the variables of all its optimizers.
        """
        own = {id(each) for each in kept}
        everything = graph.get_collection(tf.GraphKeys.GLOBAL_VARIABLES)
        self.look(run, everything)
        self.note(each for each in everything if id(each) not in own and id(each) in self._seen)


def zip_values(run: Run, variables: Sequence[Any]) -> list[tuple[Any, Array]]:
    """Variables that have a value in a session, with it."""
    try:
        return [(each, np.asarray(value)) for each, value in zip(variables, run(variables), strict=True)]
    except tf.errors.FailedPreconditionError:
        if len(variables) == 1:
            return []
        return [pair for each in variables for pair in zip_values(run, [each])]
