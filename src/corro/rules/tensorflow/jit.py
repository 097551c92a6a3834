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

from corro.rules.keras import jit as keras_jit
from corro.source import replace_node

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.rules.base import Answer
    from corro.rules.tensorflow._job import Job

NAME = "tape-jit"

_ASKING = frozenset({"jit_compile", "experimental_compile"})


def apply(job: Job) -> Iterable[Answer]:
    """One change for each function that is compiled with an all-reduce in it."""
    if job.anatomy.fits:
        yield from keras_jit.apply(job)
    for keyword in _asked(job):
        edits = replace_node(job.source, keyword.value, "False")
        yield job.change(NAME, "a step that XLA does not compile", keyword.value, edits)
        yield job.note(
            NAME, f"XLA cannot compile the all-reduce in a step: {keyword.arg} is switched off.", keyword.value
        )


def _asked(job: Job) -> Iterator[ast.keyword]:
    """Arguments of ``tf.function`` that ask for XLA, for a function in which gradients are computed at any depth."""
    reducing = {frame.scope.node for fact in job.updates for frame in fact.context.frame.path()}
    for node in job.source.nodes:
        if not isinstance(node, ast.Call) or not any(n.endswith(".function") for n in job.names.qualified(node.func)):
            continue
        compiled = {job.parent(node), *(job.facts.functions.get(job.value(a).obj) for a in node.args)}
        for keyword in node.keywords if compiled & reducing - {job.source.tree} else ():
            off = isinstance(keyword.value, ast.Constant) and not keyword.value.value
            if keyword.arg in _ASKING and not off:
                yield keyword
