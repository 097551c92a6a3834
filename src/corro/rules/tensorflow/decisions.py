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

from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.frontends.keras.names import canonical
from corro.frontends.keras.semantics import BATCHNORM
from corro.frontends.tensorflow.gradients import applies_gradients, assigns, minimizes
from corro.rules import parting, wholes
from corro.rules.keras import decisions as keras_decisions
from corro.rules.reducing import differs

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corro.flow.facts import CallFact, Context
    from corro.rules.base import Answer
    from corro.rules.tensorflow._job import Job

NAME = "tape-decisions"

_WHOLE_BATCHES = "Batch with drop_remainder=True, which leaves out a last batch that is too short."
_CHOOSES = frozenset({"tensorflow.cond", "tensorflow.while_loop", "tensorflow.case", "tensorflow.switch_case"})
"""Functions that call others or not, by values."""


def apply(job: Job) -> Iterable[Answer]:
    """Refuse what differs, reduce what can be reduced."""
    yield from keras_decisions.apply(job)
    for fact in job.calls:
        chooses = canonical(fact.name) in _CHOOSES and any(differs(job, v) for v in fact.args)
        decided = _updates(job, fact) and (
            parting.differing(job, fact.context) is not None or _by_averages(job, fact.context)
        )
        if decided or (chooses and fact.context.passes):
            yield parting.unequal(job, NAME, fact.node)
            return
    training = {loop.node for fact in job.updates for loop in fact.context.loops}
    yield from parting.exits(job, NAME, training, _WHOLE_BATCHES, parting.is_measured)
    if job.strategy is None:  # what a step returns is the whole
        yield from wholes.reduced_tests(job, NAME)


def _updates(job: Job, fact: CallFact) -> bool:
    """Whether a call computes gradients, or changes what all processes have in common."""
    receiver = fact.receiver
    if receiver is None:
        return canonical(fact.name) == "keras.backend.set_value"
    changes = assigns(fact) or applies_gradients(fact) or minimizes(fact)
    return changes or fact.name in ("set_weights", "load_weights", "restore") or fact in job.updates


def _by_averages(job: Job, context: Context) -> bool:
    """Whether a data-dependent value decides within a pass, where each process has its own moving averages."""
    layers = (f.result for f in job.calls if f.result.kind in (Kind.LAYER, Kind.MODULE))
    normalises = job.sharing is not None and any(BATCHNORM in layer.tags for layer in layers)
    training = {loop.node for fact in job.updates for loop in fact.context.passes}
    inside = any(loop.node in training for loop in context.passes)
    return normalises and inside and any(test.value.placement.data_dependent for test in context.tests)
