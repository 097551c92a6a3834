"""Refuse training steps that replicas of a strategy could not make, each with its part of a batch.

Why
---
A strategy runs the training step on every replica, each in a thread of its own or in another process, with its part of
the batch. So the step has to be a function that is given the batch. What it does besides, printing, counting in
Python, changing variables by hand, would happen once on every replica. The batch that a loop over distributed data
yields is a container of parts, with which nothing can be computed outside of the step.

Before
------
::

    for x, y in train:
        with tf.GradientTape() as tape:
            loss = loss_of(model(x), y)

After
-----
::

    refused: the training step stands in the loop itself

Source
------
TensorFlow tutorial, "Custom training with tf.distribute.Strategy"; TensorFlow documentation,
``tf.distribute.Strategy.run``.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from rueda.anatomy.kinds import Kind
from rueda.anatomy.placement import Form
from rueda.frontends.keras.effects import keras_effects
from rueda.frontends.keras.names import canonical
from rueda.frontends.keras.presence import only_keras_3
from rueda.frontends.tensorflow.recognise import minimizes
from rueda.frontends.tensorflow.semantics import VARIABLE
from rueda.rules.tensorflow._replicas import UPDATES, Step, elsewhere, frames_outside, kept_metrics, steps
from rueda.rules.tensorflow.metrics import obstacle

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rueda.flow.facts import CallFact
    from rueda.flow.values import Value
    from rueda.rules.base import Answer
    from rueda.rules.tensorflow._job import Job

NAME = "tape-replicas"
GATE = 2

_GROWS = frozenset({"append", "extend", "insert", "add", "update", "pop", "popitem", "popleft", "appendleft", "clear",
                    "remove", "setdefault", "sort", "reverse", "write", "put", "send"})  # fmt: skip
_MADE_ONCE = frozenset({"build", "__init__"})
"""Methods in which a layer makes what it keeps, once on all replicas."""
_MADE = (Kind.MODULE, Kind.LAYER, Kind.OPTIMIZER, Kind.METRIC)


def apply(job: Job) -> Iterable[Answer]:
    """At most one refusal for each concern."""
    if job.strategy is None:
        return
    if only_keras_3(job.source):
        yield job.refuse(
            NAME, f"the script is for Keras 3: {job.target.needs_keras_2}.", job.source.tree, "Use Keras 2."
        )
    other = elsewhere(job)
    if other is not None:
        yield job.refuse(NAME, other.reason, other.node, other.advice)
        return
    for step in steps(job):
        found = list(_called(job, step)) or list(_given(job, step))
        yield from found
        if found:
            return
        yield from _within(job, step)
        yield from _kept(job, step)
        yield from _returned(job, step)
    yield from _metrics(job)


def _called(job: Job, step: Step) -> Iterator[Answer]:
    """Where and how the step is called."""
    inner = [a for a in job.source.ancestors(step.call) if isinstance(a, (ast.Lambda, ast.ListComp, ast.GeneratorExp))]
    if not job.is_own(step.call) or inner or job.value(step.call.func).kind is not Kind.FUNCTION:
        yield job.refuse(
            NAME,
            "the training step is not a function of the script that the loop calls.",
            step.call,
            "Call a function, or a method, in a statement of the loop.",
        )
    minimizing = next((fact for fact in step.facts if minimizes(fact)), None)
    if minimizing is not None:
        yield job.refuse(
            NAME,
            "the optimizer computes the gradients itself, so that the loss cannot be divided by the replicas.",
            minimizing.node,
            "Compute them with tape.gradient(), and apply them with optimizer.apply_gradients().",
        )


def _given(job: Job, step: Step) -> Iterator[Answer]:
    """The step is given the batch as the loop has it, and nothing else uses it."""
    passed = [*step.call.args, *(keyword.value for keyword in step.call.keywords)]
    opened = any(isinstance(argument, ast.Starred) for argument in passed)
    if opened or any(keyword.arg is None for keyword in step.call.keywords):
        yield job.refuse(
            NAME, "the arguments of the training step are unpacked.", step.call, "Give each: train_step(x, y)."
        )
        return
    whole = {node for node in passed if isinstance(node, ast.Name) and node.id in step.batch}
    scope = job.names.scope(step.loop)
    for node in (n for statement in step.loop.body for n in ast.walk(statement)):
        if not isinstance(node, ast.Name) or node.id not in step.batch or node in whole:
            continue
        if job.names.binding(node) is job.names.lookup(node.id, scope):
            yield job.refuse(
                NAME,
                f"the loop uses {node.id!r} itself; under a strategy it holds a part of the batch for each replica.",
                node,
                "Use the batch in the training step only, and return from there what the loop needs.",
            )
            return
    for node in passed:
        value = job.value(node)
        if node not in whole and not value.placement.is_equal and value.form is not Form.STEP:
            yield job.refuse(
                NAME,
                "the training step is given something that was made of the batch before.",
                node,
                "Give it the batch, and compute the rest in the step.",
            )
            return
    after = [n for n in _behind(job, step.loop) if n.id in step.batch]
    if after:
        yield job.refuse(
            NAME,
            f"{after[0].id!r} is used behind the loop; under a strategy it holds parts of the last batch.",
            after[0],
            "Use the batch in the training step only.",
        )


def _behind(job: Job, loop: ast.For) -> Iterator[ast.Name]:
    """Names that are read behind a loop, in its function, before they are bound anew."""
    scope = job.names.scope(loop)
    bound: set[str] = set()
    inside = set(ast.walk(loop))
    for node in sorted(
        (n for n in job.source.nodes if isinstance(n, ast.Name) and n not in inside and job.names.binding(n) is scope),
        key=lambda n: (n.lineno, not isinstance(n.ctx, ast.Store), n.col_offset),
    ):
        if node.lineno <= (loop.end_lineno or 0):
            continue
        if isinstance(node.ctx, ast.Load) and node.id not in bound:
            yield node
        bound.add(node.id)


# ---------------------------------------------------------------------- what happens in it


def _within(job: Job, step: Step) -> Iterator[Answer]:
    """What would happen on every replica, or must not happen on one."""
    effect = next(iter(keras_effects(step.facts)), None)
    summary = next((f for f in step.facts if canonical(f.name).startswith("tensorflow.summary.")), None)
    place = effect.node if effect is not None else summary.node if summary is not None else None
    if place is not None:
        what = effect.kind.value if effect is not None else "writes a summary"
        yield job.refuse(
            NAME,
            f"the training step {what}, which every replica would do.",
            place,
            "Return the value from the step, and do it in the loop.",
        )
    for fact in step.facts:
        reason = _wrong(fact)
        if reason is not None:
            yield job.refuse(NAME, reason[0], fact.node, reason[1])
            return
    looped = next(
        (n for n, running in job.facts.loops.items() for x in running
         if x.loaders and any(frame.call is step.call for frame in x.frame.path())), None)  # fmt: skip
    if looped is not None:
        yield job.refuse(
            NAME, "the training step loops over a pipeline.", looped, "Loop outside of the step, and give it the batch."
        )


def _wrong(fact: CallFact) -> tuple[str, str] | None:
    """Why a call cannot be made on a replica, and what to do."""
    receiver, name = fact.receiver, fact.name
    if receiver is not None and VARIABLE in receiver.tags and name.startswith("assign"):
        return (
            "the training step changes a variable by hand, which every replica would do with its own part.",
            "Change variables by optimizer.apply_gradients(), others in the loop.",
        )
    if receiver is not None and receiver.kind is Kind.METRIC and name not in UPDATES:
        return (
            "the training step reads or resets a metric, of which each replica has a part.",
            "Do it in the loop.",
        )
    of_model = receiver is not None and receiver.kind in (Kind.MODULE, Kind.OPTIMIZER)
    if of_model and name in ("set_weights", "load_weights"):
        return "the training step sets weights.", "Do it outside of the step."
    if canonical(name) in ("keras.backend.set_value", "tensorflow.py_function", "tensorflow.numpy_function", "next"):
        reason = f"the training step calls {name}, which replicas cannot do each for itself."
        return reason, "Do it outside of the step."
    made = receiver is None and bool(fact.result.sites) and fact.result.kind in _MADE
    variable = receiver is None and VARIABLE in fact.result.tags and canonical(name) == "tensorflow.Variable"
    method = getattr(fact.context.frame.scope.node, "name", "")
    if (made or variable) and method not in _MADE_ONCE:
        return "the training step makes a model, a metric or a variable.", "Make it before the loop."
    return None


def _kept(job: Job, step: Step) -> Iterator[Answer]:
    """Python's own state: every replica would change it, and a graph only once."""
    for function in step.functions:
        if not isinstance(function, (ast.FunctionDef, ast.Lambda)) or getattr(function, "name", "") in _MADE_ONCE:
            continue
        parameters = {a.arg for a in ast.walk(function) if isinstance(a, ast.arg)}
        stored = {n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        for part in ast.walk(function):
            if isinstance(part, (ast.Global, ast.Nonlocal)) or _changes(part, stored - parameters):
                yield job.refuse(
                    NAME,
                    "the training step keeps something in Python, which every replica would change.",
                    part,
                    "Return the value from the step, and keep it in the loop.",
                )
                return


def _changes(part: ast.AST, own: set[str]) -> bool:
    """Whether something is put into what the function has not made itself."""
    target: ast.AST | None = None
    if isinstance(part, (ast.Attribute, ast.Subscript)) and not isinstance(part.ctx, ast.Load):
        target = part.value
    elif isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr in _GROWS:
        target = part.func.value
    while isinstance(target, (ast.Attribute, ast.Subscript)):
        target = target.value
    if isinstance(target, ast.Name):
        return target.id not in own and not _is_module(target.id)
    return False


def _is_module(name: str) -> bool:
    """``tf.add``, ``np.add``: the method of a module, not of a set."""
    return name in ("tf", "np", "numpy", "tensorflow", "K", "keras", "math", "layers")


# ---------------------------------------------------------------------- what comes back


def parts_of(step: Step) -> tuple[Value, ...]:
    """What a step returns, one by one; nothing where its result is not used."""
    statement = step.job.source.statement(step.call)
    if isinstance(statement, ast.Expr) and statement.value is step.call:
        return ()
    result = step.result
    if result is None:
        return ()
    return result.items if result.kind is Kind.TUPLE and result.items else (result,)


def _returned(job: Job, step: Step) -> Iterator[Answer]:
    statement = job.source.statement(step.call)
    if isinstance(statement, ast.Expr) and statement.value is step.call:
        return
    values = parts_of(step)
    several = step.result is not None and step.result.kind is Kind.TUPLE
    target = statement.targets[0] if isinstance(statement, ast.Assign) and statement.value is step.call else None
    unpacked = isinstance(target, ast.Tuple) and all(isinstance(e, ast.Name) for e in target.elts)
    fits = unpacked and isinstance(target, ast.Tuple) and len(target.elts) == len(values)
    if not values or (several and not fits) or not all(_is_reducible(value) for value in values):
        yield job.refuse(
            NAME,
            "what the training step returns is not known to be a sum or a mean over the samples of the batch.",
            step.call,
            "Return single numbers, as tensors: the loss, or a count of samples; give each a name in the loop.",
        )


def _is_reducible(value: Value) -> bool:
    return value.kind is Kind.TENSOR and value.scalar and value.form in (Form.MEAN, Form.SUM, Form.COUNT)


def _metrics(job: Job) -> Iterator[Answer]:
    """Metrics have a part on every replica, or none has one."""
    found, kept = steps(job), kept_metrics(job)
    for fact in job.calls:
        receiver = fact.receiver
        if receiver is None or receiver.kind is not Kind.METRIC or fact.name not in UPDATES:
            continue
        outside = frames_outside(fact, found)
        wrong = None if outside else obstacle(job, NAME, fact)
        if outside and receiver.sites & kept:
            wrong = job.refuse(
                NAME,
                "a metric is updated in the training step and outside of it; under a strategy it is made for one.",
                fact.node,
                "Use one metric to train and another one to evaluate.",
            )
        if wrong is not None:
            yield wrong
            return
