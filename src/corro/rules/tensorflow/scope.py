"""Make what training changes under the strategy's scope: models, optimizers, variables, metrics.

Why
---
A strategy of TensorFlow keeps a copy of each variable on every replica. Variables made outside of its scope have one
copy, which every replica would change. Metrics of the training step belong under the scope too: each replica updates
its part, and what is read is the whole. Metrics of an evaluation, which is made once for all replicas, stay outside;
so do losses and data. A model that makes its variables in its first call may make them in the training step.

Before
------
::

    model = Net()
    optimizer = tf.keras.optimizers.Adam()
    train_loss = tf.keras.metrics.Mean()

After
-----
::

    with strategy.scope():
        model = Net()
        optimizer = tf.keras.optimizers.Adam()
        train_loss = tf.keras.metrics.Mean()

Source
------
TensorFlow tutorial, "Custom training with tf.distribute.Strategy". Measured with TensorFlow 2.15: a metric made under
the scope cannot be updated outside of ``strategy.run``; one made outside can, with what the model gives there.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.changes import Change
from corro.frontends.keras.names import canonical
from corro.rules.keras.scope import paths, under_scope
from corro.rules.tensorflow._starting import is_made_built, trained_models
from corro.source import Under

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.flow.facts import CallFact
    from corro.flow.values import Value
    from corro.rules.base import Answer
    from corro.rules.tensorflow._job import Job

NAME = "tape-scope"

_BUILDING = frozenset({"", "summary", "load_weights", "predict", "count_params", "set_weights", "get_weights"})


def apply(job: Job) -> Iterable[Answer]:
    """One change for each run of statements."""
    if job.target.scope is None:
        return
    kept = job.replicated.metrics
    builds: set[ast.Call] = set()
    for fact in job.calls:
        if job.replicated.contains(fact):
            continue
        variable = fact.receiver is None and canonical(fact.name) == "tensorflow.Variable"
        built = fact.node in job.anatomy.builds and (fact.result.kind is not Kind.METRIC or fact.result.sites & kept)
        if variable or built:
            builds.add(fact.node)
    early = list(_early(job, builds))
    yield from (answer for answer in early if not isinstance(answer, ast.Call))
    builds |= {node for node in early if isinstance(node, ast.Call)}
    passing = {fact.node for fact in job.calls if fact.context.passes}
    passing |= {f.node for f in job.calls if f.receiver is None and f.result.kind is Kind.METRIC}  # those left outside
    uses = frozenset({*job.anatomy.uses, *passing, *(site.node for site in job.anatomy.gradients)}) - builds
    training = paths(job, uses)
    for answer in under_scope(job, NAME, job.target.scope, frozenset(builds), uses):
        moved = [edit.stmt for edit in answer.edits if isinstance(edit, Under)] if isinstance(answer, Change) else []
        both = next((s for s in moved if any(node in training for node in _run_there(s))), None)
        if both is not None:
            yield job.refuse(
                NAME,
                "a model is made in one statement with its training, or with a metric of the evaluation.",
                both,
                "Assign the model to a name first.",
                effort="one line",
            )
            return
        yield answer


def _run_there(node: ast.AST) -> Iterator[ast.AST]:
    """A statement with all that runs when it runs: without the bodies of functions."""
    yield node
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, (ast.Lambda, ast.FunctionDef, ast.AsyncFunctionDef)):
            yield from _run_there(child)


def _early(job: Job, builds: set[ast.Call]) -> Iterator[Answer | ast.Call]:
    """First calls of models that make their variables in them, before training."""
    for model in trained_models(job):
        if is_made_built(job, model) or _keeps_built(job, model):
            continue
        uses = [f for f in job.calls if _uses(f, model.sites) and _is_early(job, f) and f.node not in builds]
        on_model = [f for f in job.calls if f.receiver is not None and f.receiver.sites == model.sites]
        if not uses or any(f.name == "build" for f in on_model):
            continue
        first = uses[0]
        if first.name or first.context.passes or job.file_of(first.node) is not job.script:
            yield job.refuse(
                NAME,
                "a model makes its variables here, before training, where a strategy does not know of them.",
                first.node,
                "Build it where it is made: model.build(input_shape).",
                effort="one line",
            )
            return
        yield first.node


def _is_early(job: Job, fact: CallFact) -> bool:
    """Whether something happens before the first step, or between steps, on no replica."""
    start = min((update.order for update in job.updates), default=0)
    loops = {step.loop for step in job.replicated.steps}
    around = any(loop.node in loops for loop in fact.context.loops)
    return not job.replicated.contains(fact) and (fact.order < start or around)


def _keeps_built(job: Job, model: Value) -> bool:
    """Whether a model of the script's own keeps nothing but models that have their variables as soon as made."""
    made = {call for number in model.sites if isinstance(call := job.facts.nodes[number], ast.Call)}
    kept: list[Value] = []
    for fact in job.calls:
        part = fact.result.kind in (Kind.MODULE, Kind.LAYER) and fact.receiver is None
        if part and any(frame.call in made for frame in fact.context.frame.path()):
            statement = job.statement(fact.node)
            whole = isinstance(statement, ast.Assign) and statement.value is fact.node
            kept += [fact.result] if whole or fact.result.kind is Kind.MODULE else []
    return bool(kept) and all(value.kind is Kind.MODULE and is_made_built(job, value) for value in kept)


def _uses(fact: CallFact, sites: frozenset[int]) -> bool:
    receiver = fact.receiver
    return (
        receiver is not None
        and receiver.kind in (Kind.MODULE, Kind.LAYER)
        and receiver.sites == sites
        and fact.name in _BUILDING
    )
