"""Let all processes of a training loop take the same decisions.

Why
---
A process that leaves the loop, or skips a step, while the others wait for its gradients, stops them for ever. What
decides on steps must therefore be equal everywhere: a metric is reduced before, and what differs by chance is refused.

Before
------
::

    if loss > limit:
        print("diverging")

After
-----
::

    mean_loss = hvd.allreduce(loss)
    if mean_loss > limit:

Source
------
horovod issues 4027 and 3140 (processes that stop at different times hang).
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form
from corro.frontends.keras.names import canonical
from corro.frontends.keras.semantics import BATCHNORM
from corro.frontends.tensorflow.gradients import applies_gradients, assigns, minimizes
from corro.rules import wholes
from corro.rules.keras import decisions as keras_decisions
from corro.rules.reducing import differs

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.flow.facts import CallFact, Context, ExitFact, Test
    from corro.rules.base import Answer
    from corro.rules.tensorflow._job import Job

NAME = "tape-decisions"

_CHOOSES = frozenset({"tensorflow.cond", "tensorflow.while_loop", "tensorflow.case", "tensorflow.switch_case"})
"""Functions that call others or not, by values."""


def apply(job: Job) -> Iterable[Answer]:
    """Refuse what differs, reduce what can be reduced."""
    yield from keras_decisions.apply(job)
    for fact in job.calls:
        chooses = canonical(fact.name) in _CHOOSES and any(differs(job, v) for v in fact.args)
        decided = _updates(job, fact) and (_differing(job, fact.context) is not None or _by_averages(job, fact.context))
        if decided or (chooses and fact.context.passes):
            yield job.refuse(
                NAME,
                "whether this runs depends on a value that differs between processes.",
                fact.node,
                "Make the condition depend on values that are equal on all processes.",
            )
            return
    for leave in job.facts.exits:
        if isinstance(leave.node, (ast.Break, ast.Return, ast.Raise, ast.Call, ast.Continue)):
            yield from _exit(job, leave)
    if job.strategy is None:  # what a step returns is the whole
        yield from wholes.reduced_tests(job, NAME)


def _updates(job: Job, fact: CallFact) -> bool:
    """Whether a call computes gradients, or changes what all processes have in common."""
    receiver = fact.receiver
    if receiver is None:
        return canonical(fact.name) == "keras.backend.set_value"
    changes = assigns(fact) or applies_gradients(fact) or minimizes(fact)
    return changes or fact.name in ("set_weights", "load_weights", "restore") or fact in job.updates


def _differing(job: Job, context: Context) -> Test | None:
    return next((t for t in context.tests if t.value.form is Form.LOCAL or differs(job, t.value)), None)


def _by_averages(job: Job, context: Context) -> bool:
    """Whether a measured value decides within a pass, where each process has its own moving averages."""
    layers = (f.result for f in job.calls if f.result.kind in (Kind.LAYER, Kind.MODULE))
    normalises = job.sharing is not None and any(BATCHNORM in layer.tags for layer in layers)
    training = {loop.node for fact in job.updates for loop in fact.context.passes}
    inside = any(loop.node in training for loop in context.passes)
    return normalises and inside and any(test.value.placement.measured for test in context.tests)


def _exit(job: Job, leave: ExitFact) -> Iterator[Answer]:
    """A statement that can change the number of training steps."""
    training = {loop.node for fact in job.updates for loop in fact.context.loops}
    loops = [loop for loop in leave.context.loops if loop.node in training]
    if not loops:
        return
    ends = isinstance(leave.node, (ast.Raise, ast.Call))
    if not ends and not any(loop.frame is leave.context.frame for loop in loops):
        return
    for test in leave.context.tests:
        if isinstance(test.node, ast.ExceptHandler):
            continue
        if (test.value.placement.measured and test.value.form is not Form.STEP) or test.value.form is Form.LOCAL:
            skips = isinstance(leave.node, ast.Continue)
            what = "a batch is skipped" if skips else "the training loop is left"
            yield job.refuse(
                NAME,
                f"{what} on a condition that depends on a metric or on chance.",
                leave.node,
                "Train for a fixed number of epochs; keep the best weights instead of stopping early.",
            )
            return
