"""Leave steps that compute gradients to TensorFlow's own runtime.

Why
---
XLA compiles a whole function, and knows nothing of the all-reduce in it: a step under ``jit_compile=True`` fails
(measured with TensorFlow 2.15 and Horovod 0.28.1). What is computed stays the same.

Before
------
::

    @tf.function(jit_compile=True)
    def train_step(x, y):

After
-----
::

    @tf.function(jit_compile=False)
    def train_step(x, y):

Source
------
Horovod documentation, ``HOROVOD_ENABLE_XLA_OPS``, which its builds with XLA need.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from rueda.source import replace_node

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rueda.rules.base import Answer
    from rueda.rules.tensorflow._job import Job

NAME = "tape-jit"

_ASKING = frozenset({"jit_compile", "experimental_compile"})


def apply(job: Job) -> Iterable[Answer]:
    """One change for each function that is compiled with an all-reduce in it."""
    for keyword in _asked(job):
        edits = replace_node(job.source, keyword.value, "False")
        yield job.change(NAME, "a step that XLA does not compile", keyword.value, edits)
        yield job.note(NAME, f"XLA cannot compile the all-reduce in a step: {keyword.arg} is left out.", keyword.value)


def _asked(job: Job) -> Iterator[ast.keyword]:
    reducing = _reducing(job)
    for node in job.source.nodes:
        if not isinstance(node, ast.Call) or not any(n.endswith(".function") for n in job.names.qualified(node.func)):
            continue
        owner = job.source.parent(node)
        compiled = {owner} if isinstance(owner, ast.FunctionDef) else {job.value(a).obj for a in node.args}
        known = {number for number, function in job.facts.functions.items() if function in reducing}
        for keyword in node.keywords:
            off = isinstance(keyword.value, ast.Constant) and not keyword.value.value
            if keyword.arg in _ASKING and not off and compiled & {*reducing, *known}:
                yield keyword


def _reducing(job: Job) -> set[ast.AST]:
    """Functions that compute gradients, and those that call them by their names."""
    functions = [n for n in job.source.nodes if isinstance(n, ast.FunctionDef)]
    sites = {site.node for site in job.anatomy.gradients}
    found: set[ast.AST] = {f for f in functions if not sites.isdisjoint(ast.walk(f))}
    for _ in functions:
        names = {getattr(f, "name", "") for f in found}
        found |= {f for f in functions if any(_name(n) in names for n in ast.walk(f))}
    return found


def _name(node: ast.AST) -> str | None:
    if not isinstance(node, ast.Call):
        return None
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", None)
