"""Read a variable that has a copy on each device as a number, by its ``numpy()``.

Why
---
Under a strategy, variables have a copy on each device. They give their value by ``numpy()``, as all variables do, but
``float(optimizer.learning_rate)``, ``int(optimizer.iterations)`` and a format such as ``{rate:.4f}`` stop the program
with a TypeError. In a step, which every replica makes, no variable gives its value to Python.

Before
------
::

    print(f"rate {float(model.optimizer.learning_rate):.4f}")

After
-----
::

    print(f"rate {float(model.optimizer.learning_rate.numpy()):.4f}")

Source
------
Measured with TensorFlow 2.15: ``MirroredVariable`` has ``numpy()``, comparisons and arithmetic, and neither
``__float__`` nor ``__int__`` nor ``__format__`` nor ``__round__``; ``numpy()`` of one fails within a replica's step.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.frontends.keras.names import canonical
from corro.frontends.tensorflow.semantics import VARIABLE
from corro.source import Wrap

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corro.rules.base import Answer
    from corro.rules.keras._job import Job

NAME = "keras-readings"
FRONTENDS = ("keras", "tensorflow")

_OF_OPTIMIZERS = frozenset({"learning_rate", "lr", "iterations"})
_NUMBERS = frozenset({"float", "int", "round", "range", "complex", "format"})
"""Functions of Python that ask an object for its number."""
_PLAIN = (ast.Name, ast.Attribute, ast.Subscript)


def apply(job: Job) -> Iterator[Answer]:
    """One change for each variable that is read as a number; a refusal in a step."""
    if job.target.scope is None:
        return
    for node in job.nodes.of(ast.Call, ast.FormattedValue, ast.BinOp):
        for given in _as_numbers(job, node):
            if isinstance(given, _PLAIN) and (_is_variable(job, given) or _of_optimizer(job, given)):
                if given in job.on_replicas:
                    yield job.refuse(
                        NAME,
                        "the training step reads a variable as a Python number, which a replica cannot do.",
                        given,
                        "Read it before or after the step.",
                    )
                    return
                edits = [Wrap(job.span(given), "", ".numpy()")]
                yield job.change(NAME, "variables of a strategy give their value by numpy()", given, edits)


def _as_numbers(job: Job, node: ast.AST) -> list[ast.expr]:
    """What is taken for a number by a function of Python, or by a format."""
    if isinstance(node, ast.Call):
        name = next(iter(job.names_of(node).qualified(node.func)), "").removeprefix("builtins.")
        function = node.func
        text = isinstance(function, ast.Attribute) and isinstance(function.value, ast.Constant)
        formats = text and getattr(function, "attr", "") == "format"
        return node.args if name in _NUMBERS or name.startswith("math.") or formats else []
    if isinstance(node, ast.FormattedValue):
        return [node.value] if node.format_spec is not None and node.conversion == -1 else []
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod) and isinstance(node.left, ast.Constant):
        given = node.right.elts if isinstance(node.right, ast.Tuple) else [node.right]
        return given if isinstance(node.left.value, str) else []
    return []


def _is_variable(job: Job, node: ast.expr) -> bool:
    value = job.value(node)
    made = canonical(value.name) == "tensorflow.Variable" and value.kind is not Kind.LIBRARY
    return made or VARIABLE in value.tags


def _of_optimizer(job: Job, node: ast.expr) -> bool:
    """``optimizer.learning_rate``, ``self.model.optimizer.iterations``, or a name for one."""
    if isinstance(node, ast.Name):
        scope = job.names_of(node).binding(node)
        values = [*scope.values[node.id]] if scope is not None and node.id in scope.values else []
        return bool(values) and all(isinstance(v, ast.Attribute) and _of_optimizer(job, v) for v in values)
    if not isinstance(node, ast.Attribute) or node.attr not in _OF_OPTIMIZERS:
        return False
    owner = node.value
    return job.value(owner).kind is Kind.OPTIMIZER or getattr(owner, "attr", "") == "optimizer"
