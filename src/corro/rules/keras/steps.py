"""Make the gradients of a model's own ``train_step`` those of the global batch.

Why
---
A ``train_step`` computes its gradients itself, and Horovod's optimizer averages nothing that it is handed: measured
with Horovod 0.28.1 and Keras 2.15, each process goes on with its own. So the tape is Horovod's. A loss that is not a
mean over the samples is refused, as it is for ``compile``.

Before
------
::

    def train_step(self, data):
        with tf.GradientTape() as tape:
            loss = self.compute_loss(y=y, y_pred=self(x, training=True))
        gradients = tape.gradient(loss, self.trainable_variables)

After
-----
::

    def train_step(self, data):
        with tf.GradientTape() as tape:
            loss = self.compute_loss(y=y, y_pred=self(x, training=True))
        tape = DistributedGradientTape(tape)
        gradients = tape.gradient(loss, self.trainable_variables)

Source
------
Horovod, ``examples/tensorflow2/tensorflow2_mnist.py``; Keras guide, "Customizing what happens in fit()".
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form
from corro.anatomy.tapes import Wanted
from corro.frontends.keras.recognise import in_step
from corro.frontends.tensorflow.gradients import applies_gradients, assigns, computes, minimizes, wanted
from corro.rules import outer, tapes
from corro.rules.keras._abilities import shares_by_engine
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.flow.facts import CallFact
    from corro.rules.base import Answer
    from corro.rules.keras._job import Job

NAME = "keras-train-step"

_QUOTIENTS = ("Mean", "Accuracy", "Error", "crossentropy", "Divergence", "Similarity", "Hinge", "Poisson")


def apply(job: Job) -> Iterable[Answer]:
    """One change for each tape in a ``train_step``; a refusal for what is not followed."""
    if job.sharing is None:
        return
    facts = [fact for fact in job.calls if computes(fact) and in_step(fact)]
    unseen = _unseen(job, facts)
    if unseen is not None:
        yield unseen
        return
    sums: dict[ast.Call, bool] = {}
    for fact in facts:
        known = wanted(fact)
        if known is Wanted.DATA:
            continue
        if known is not Wanted.VARIABLES or minimizes(fact) or _loss_form(job, fact) is not Form.MEAN:
            met = outer.meeting(job)
            if met is not None:
                yield job.refuse(NAME, met.message, met.node, met.hint)
                return
            yield job.refuse(
                NAME,
                "the gradients of a train_step are not known to be those of a mean over the batch, for a list of "
                "variables.",
                fact.node,
                "Compute a mean over the batch, and its gradients with tape.gradient() for model.trainable_variables.",
                effort="other training",
            )
            return
        sums[fact.node] = False
    parting = _parting(job)
    if parting is not None:
        yield job.refuse(
            NAME,
            "a train_step changes the model by what differs between processes.",
            parting,
            "Let every process make every step, with gradients and values that are equal everywhere.",
        )
        return
    yield from _metrics(job)
    for here, mine in job.by_file(sums):
        yield from _wrapped(here, dict.fromkeys(mine, False))


def _wrapped(job: Job, sums: dict[ast.Call, bool]) -> Iterator[Answer]:
    target = job.sharing
    assert target is not None

    def wrap(expression: str, /, *, summed: bool) -> str:
        return target.averaging_tape(expression).text

    changes = tapes.Changes(job, NAME, sums, frozenset(sums), wrap, wrap, target.tf)
    yield from changes.answers(Code("", target.averaging_tape("").imports))


def _unseen(job: Job, facts: list[CallFact]) -> Answer | None:
    """A ``train_step`` that applies gradients which nobody was seen to compute."""
    seen = {node for fact in facts for node in job.ancestors(fact.node)}
    for number, node in job.facts.classes.items():
        method = next((n for n in node.body if isinstance(n, ast.FunctionDef) and n.name == "train_step"), None)
        if not number or method is None or method in seen:
            continue
        calls = [n.func.attr for n in ast.walk(method) if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute)]
        if calls.count("train_step") != 1 or "GradientTape" in calls:
            return job.refuse(
                NAME,
                "a train_step of its own computes gradients in a way that Corro cannot follow.",
                method,
                job.or_target("Compute them with tape.gradient() in the train_step itself", shares_by_engine),
            )
    return None


def _parting(job: Job) -> ast.AST | None:
    """What would let processes part ways: an update under a condition on their data, or of a value made of it."""
    for fact in job.calls:
        updates = assigns(fact) or applies_gradients(fact) or minimizes(fact)
        if not in_step(fact) or not (updates or computes(fact)):
            continue
        governed = any(not test.value.placement.is_equal for test in fact.context.tests)
        if governed or (updates and any(not placement.is_equal for placement in fact.depends)):
            return fact.node
    for node, value in job.facts.values.items():
        stored = isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and not value.placement.is_equal
        if stored and isinstance(node, ast.Attribute) and job.value(node.value).kind is Kind.OPTIMIZER:
            return node
    return None


def _loss_form(job: Job, fact: CallFact) -> Form:
    values = [f.argument(0, "target") for f in job.calls_of(fact.node)]
    forms = {value.form if value is not None else Form.UNKNOWN for value in values}
    return forms.pop() if len(forms) == 1 else Form.UNKNOWN


def _metrics(job: Job) -> Iterator[Answer]:
    """Metrics that Horovod's callback averages although they are no means."""
    kept = next(
        (f for f in job.calls if f.receiver is not None and f.receiver.kind is Kind.METRIC and in_step(f)), None
    )
    if kept is not None:
        yield job.review(
            NAME,
            "in the first epoch, metrics that the model keeps hold rank 0's shard of the first batch for all: "
            "Horovod's callback sends them with the weights.",
            kept.node,
            differs=("metrics",),
        )
    for fact in job.calls:
        updated = fact.receiver is not None and fact.receiver.kind is Kind.METRIC and in_step(fact)
        name = fact.receiver.name if fact.receiver is not None else ""
        if updated and not name.endswith(_QUOTIENTS):
            yield job.review(
                NAME,
                f"{name or 'a metric of its own'} is averaged over the processes, which is not its value over all "
                "samples.",
                fact.node,
                differs=("metrics",),
            )
            return
