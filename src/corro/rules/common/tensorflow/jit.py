"""Leave the training step to TensorFlow's own runtime.

Why
---
XLA compiles a whole step, and knows nothing of the all-reduce in it: with ``jit_compile=True``, of a model or of a
function that computes gradients, the first step fails (measured with TensorFlow 2.15, Horovod 0.28.1 and the strategies
on the CPU). What is computed stays the same.

Before
------
::

    model.compile("adam", "mse", jit_compile=True)

After
-----
::

    model.compile("adam", "mse", jit_compile=False)

Source
------
Horovod documentation, ``HOROVOD_ENABLE_XLA_OPS``, which its builds with XLA need.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.rules.keras._arguments import COMPILE, Given
from corro.source import replace_node

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corro.rules.base import Answer
    from corro.rules.keras._job import Job

NAME = "keras-jit"
FRONTENDS = ("keras", "tensorflow")

_ASKING = frozenset({"jit_compile", "experimental_compile"})


def apply(job: Job) -> Iterator[Answer]:
    """One change for each ``compile`` that may ask for XLA, and for each function with an all-reduce in it."""
    if not job.target.sees_shards:  # the all-reduce is XLA's own
        return
    for call in job.anatomy.compiles if job.anatomy.fits or job.anatomy.others else ():
        given = Given(job, call, COMPILE)
        value = given.value("jit_compile")
        if value is not None and value.const not in (False, "auto"):
            edits = given.set("jit_compile", "False")
            yield job.change(NAME, "a step that XLA does not compile", call, edits)
            yield _switched_off(job, "jit_compile", call)
    for keyword in _asked(job):
        edits = replace_node(job.file_of(keyword.value), keyword.value, "False")
        yield job.change(NAME, "a step that XLA does not compile", keyword.value, edits)
        yield _switched_off(job, str(keyword.arg), keyword.value)


def _switched_off(job: Job, word: str, node: ast.AST) -> Answer:
    return job.note(NAME, f"XLA cannot compile the all-reduce in a step: {word} is switched off.", node)


def _asked(job: Job) -> Iterator[ast.keyword]:
    """Arguments of ``tf.function`` that ask for XLA, for a function in which gradients are computed at any depth."""
    reducing = {frame.scope.node for fact in job.updates for frame in fact.context.frame.path()}
    trees = {file.tree for file in job.files}
    for node in job.nodes.of(ast.Call) if reducing else ():
        if not any(n.endswith(".function") for n in job.names_of(node.func).qualified(node.func)):
            continue
        compiled = {job.parent(node), *(job.facts.functions.get(job.value(a).obj) for a in node.args)}
        for keyword in node.keywords if compiled & reducing - trees else ():
            off = isinstance(keyword.value, ast.Constant) and not keyword.value.value
            if keyword.arg in _ASKING and not off:
                yield keyword
