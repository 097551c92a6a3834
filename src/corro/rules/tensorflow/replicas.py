"""Refuse training steps that replicas of a strategy could not make, each with its shard of a batch.

Why
---
A strategy runs the training step on every replica, each in a thread of its own or in another process, with its shard of
the batch. So the step has to be a function that is given the batch. What it does besides, printing, counting in Python,
changing variables by hand, would happen once on every replica. The batch that a loop over distributed data yields is a
container of parts, with which nothing can be computed outside of the step.

Before
------
::

    @tf.function
    def train_step(x, y):
        with tf.GradientTape() as tape:
            loss = loss_of(model(x), y)
        print("tracing")

After
-----
::

    refused: the training step prints, which every replica would do

Source
------
TensorFlow tutorial, "Custom training with tf.distribute.Strategy"; TensorFlow documentation,
``tf.distribute.Strategy.run``.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form
from corro.frontends.keras.effects import keras_effects
from corro.frontends.keras.names import canonical
from corro.frontends.keras.presence import only_keras_3
from corro.frontends.tensorflow.gradients import assigns, minimizes
from corro.frontends.tensorflow.semantics import GRAPH, VARIABLE
from corro.rules import tapes
from corro.rules.tensorflow._replicas import UPDATES, Step, parts_of, reads, stored
from corro.rules.tensorflow.metrics import NAME as METRICS
from corro.rules.tensorflow.metrics import obstacle
from corro.source import position

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.flow.facts import CallFact
    from corro.rules.base import Answer
    from corro.rules.tensorflow._job import Job

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
    if only_keras_3(job.files):
        yield job.refuse(
            NAME, f"the script is for Keras 3: {job.target.needs_keras_2}.", job.source.tree, "Use Keras 2."
        )
    minimizing = next((fact for fact in job.updates if minimizes(fact)), None)
    if minimizing is not None:
        yield job.refuse(
            NAME,
            "the optimizer computes the gradients itself, so that the loss cannot be divided by the replicas.",
            minimizing.node,
            "Compute them with tape.gradient(), and apply them with optimizer.apply_gradients().",
        )
        return
    if job.replicated.obstacle is not None:
        place, reason, advice = job.replicated.obstacle
        yield job.refuse(NAME, reason, place, advice)
        return
    for step in job.replicated.steps:
        found = list(_called(job, step)) or list(_used(job, step)) or list(_block(job, step))
        yield from found
        if found:
            return
        yield from _graphs(job, step)
        yield from _within(job, step)
        yield from _kept(job, step)
        yield from _returned(job, step)
    yield from _metrics(job)


def _called(job: Job, step: Step) -> Iterator[Answer]:
    """How a function is given the batch."""
    if step.call is None:
        return
    passed = [*step.call.args, *(keyword.value for keyword in step.call.keywords)]
    opened = any(isinstance(argument, ast.Starred) for argument in passed)
    if opened or any(keyword.arg is None for keyword in step.call.keywords):
        yield job.refuse(
            NAME,
            "the arguments of the training step are unpacked.",
            step.call,
            "Give each: train_step(x, y).",
            effort="one line",
        )
        return
    for node in passed:
        whole = isinstance(node, ast.Name) and node.id in step.batch
        value = job.value(node)
        if not whole and not value.placement.is_equal and value.form is not Form.STEP:
            yield job.refuse(
                NAME,
                "a function is given something that was computed from the batch before.",
                node,
                "Give it the batch, and compute the rest there.",
            )
            return


def _used(job: Job, step: Step) -> Iterator[Answer]:
    """The batch is used in the loop only, and there on the replicas."""
    nodes = frozenset(node for each in job.replicated.steps for node in _taken(each))
    for name in sorted(step.batch):
        node = next(reads(job, step.loop, name, nodes), None)
        if node is not None:
            yield job.refuse(
                NAME,
                f"{name!r} is used where a strategy has one shard of the batch for each replica.",
                node,
                "Use the batch in the training step only, and return from there what the loop needs.",
            )
            return


def _taken(step: Step) -> Iterator[ast.AST]:
    """What stands in what the replicas make: the arguments of the call, or the statements."""
    return ast.walk(step.call) if step.call is not None else iter(step.nodes)


def _block(job: Job, step: Step) -> Iterator[Answer]:
    """Statements that become a function: nothing but single numbers leaves them, and nothing is kept in them."""
    if step.call is not None:
        return
    leaving = (ast.Return, ast.Break, ast.Continue, ast.Yield, ast.YieldFrom, ast.Await, ast.Delete)
    out = next((n for n in step.nodes if isinstance(n, leaving)), None)
    if out is not None:
        yield job.refuse(
            NAME,
            "the loop is left, or a batch skipped, among the statements that use the batch.",
            out,
            "Put the training step into a function of its own, and call it in the loop.",
        )
        return
    if step.lost:
        yield job.refuse(
            NAME,
            f"{step.lost[0]!r} is computed from a shard of the batch, and used where only the global value makes "
            "sense.",
            step.block[0],
            "Return single numbers from the training step: a mean or a sum over the batch.",
        )
        return
    before = next(_read_before(job, step), None)
    if before is not None:
        yield job.refuse(
            NAME,
            f"{before.id!r} goes on from one batch to the next among the statements that use the batch.",
            before,
            "Compute a number of each batch there, and add it up after them.",
        )


def _read_before(job: Job, step: Step) -> Iterator[ast.Name]:
    """Names that statements read before they bind them."""
    for name, nodes in stored(job, step.loop, step.block).items():
        if name in step.batch:
            continue
        first = min(nodes, key=position)
        statement = job.statement(first)
        for node in step.nodes:
            if isinstance(node, ast.Name) and node.id == name and node is not first:
                same = isinstance(statement, (ast.Assign, ast.AugAssign)) and job.statement(node) is statement
                if isinstance(node.ctx, ast.Load) and (same or node.lineno < first.lineno):
                    yield node
        if isinstance(statement, ast.AugAssign):
            yield first


# ---------------------------------------------------------------------- what happens in it


def _graphs(job: Job, step: Step) -> Iterator[Answer]:
    """Replicas cannot wait for each other in a graph within the step; the step itself may be one."""
    whole = step.call is not None and any(
        GRAPH in f.context.modes and f.context.frame.call is step.call for f in step.facts
    )
    for fact in job.updates:
        frames = [frame for frame in fact.context.frame.path() if frame.call is not None]
        start = next((i for i, frame in enumerate(frames) if frame.call in step.nodes), None)
        if start is None:
            continue
        inner = frames[start + (step.call is not None) :]
        if any(_is_graph(job, frame.scope.node) for frame in inner) or (GRAPH in fact.context.modes and not whole):
            yield job.refuse(
                NAME,
                "a function that TensorFlow makes a graph of trains within what every replica runs; they could not "
                "wait for each other there.",
                fact.node,
                "Give that function the batch in the loop itself: train_step(x, y).",
            )
            return


def _is_graph(job: Job, function: ast.AST) -> bool:
    """Whether a function is decorated with ``tf.function``."""
    decorators = getattr(function, "decorator_list", [])
    heads = [d.func if isinstance(d, ast.Call) else d for d in decorators]
    return any(
        canonical(name) == "tensorflow.function" for head in heads for name in job.names_of(head).qualified(head)
    )


def _within(job: Job, step: Step) -> Iterator[Answer]:
    """What would happen on every replica, or must not happen on one."""
    called = job.calls_of(step.call) if step.call is not None else step.facts
    parting = any(test.value.form is Form.LOCAL for fact in called for test in fact.context.tests)
    if parting and job.has_ranks:
        yield job.refuse(
            NAME,
            "whether this runs depends on the clock or on chance; the other workers would wait for it.",
            step.place,
            "Make the condition depend on values that are equal on all workers, such as the number of the step.",
        )
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
         if x.loaders and any(frame.call in step.nodes for frame in x.frame.path() if frame.call)), None)  # fmt: skip
    if looped is not None:
        yield job.refuse(
            NAME, "the training step loops over a pipeline.", looped, "Loop outside of the step, and give it the batch."
        )


def _wrong(fact: CallFact) -> tuple[str, str] | None:
    """Why a call cannot be made on a replica, and what to do."""
    receiver, name = fact.receiver, fact.name
    if assigns(fact):
        return (
            "the training step changes a variable by hand, which every replica would do with its own shard.",
            "Change variables by optimizer.apply_gradients(), others in the loop.",
        )
    if receiver is not None and receiver.kind is Kind.METRIC and name not in UPDATES:
        return (
            "the training step reads or resets a metric, which covers one shard on each replica.",
            "Do it in the loop.",
        )
    of_model = receiver is not None and receiver.kind in (Kind.MODULE, Kind.OPTIMIZER)
    if of_model and name in ("set_weights", "load_weights"):
        return "the training step sets weights.", "Do it outside of the step."
    if canonical(name) in ("keras.backend.set_value", "tensorflow.py_function", "tensorflow.numpy_function", "next"):
        reason = f"the training step calls {name}, which cannot be done inside a replica."
        return reason, "Do it outside of the step."
    divides = tapes.divides(fact)
    if divides:
        return f"{divides} divides by the number of replicas already: it would be done twice.", tapes.AVERAGE
    made = receiver is None and bool(fact.result.sites) and fact.result.kind in _MADE
    variable = receiver is None and VARIABLE in fact.result.tags and canonical(name) == "tensorflow.Variable"
    method = getattr(fact.context.frame.scope.node, "name", "")
    if (made or variable) and method not in _MADE_ONCE:
        return "the training step makes a model, a metric or a variable.", "Make it before the loop."
    return None


def _kept(job: Job, step: Step) -> Iterator[Answer]:
    """Python's own state: every replica would change it, and a graph only once."""
    parts: list[tuple[list[ast.AST], set[str]]] = []
    for function in step.functions:
        if isinstance(function, (ast.FunctionDef, ast.Lambda)) and getattr(function, "name", "") not in _MADE_ONCE:
            nodes = list(ast.walk(function))
            parts.append((nodes, _bound(nodes) - {a.arg for a in nodes if isinstance(a, ast.arg)}))
    if step.call is None:
        parts.append((list(step.nodes), _bound(step.nodes)))
    for nodes, own in parts:
        for part in nodes:
            if isinstance(part, (ast.Global, ast.Nonlocal)) or _changes(job, part, own):
                yield job.refuse(
                    NAME,
                    "the training step keeps something in Python, which every replica would change.",
                    part,
                    "Return the value from the step, and keep it in the loop.",
                )
                return


def _bound(nodes: Iterable[ast.AST]) -> set[str]:
    return {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}


def _changes(job: Job, part: ast.AST, own: set[str]) -> bool:
    """Whether something is put into what the function has not made itself."""
    target: ast.AST | None = None
    if isinstance(part, (ast.Attribute, ast.Subscript)) and not isinstance(part.ctx, ast.Load):
        target = part.value
    elif isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr in _GROWS:
        target = part.func.value
    while isinstance(target, (ast.Attribute, ast.Subscript)):
        target = target.value
    if isinstance(target, ast.Name):  # tf.add() is the function of a module, not the method of a set
        return target.id not in own and job.value(target).kind is not Kind.LIBRARY
    return False


# ---------------------------------------------------------------------- what comes back


def _returned(job: Job, step: Step) -> Iterator[Answer]:
    if step.call is None:
        return
    statement = job.statement(step.call)
    if isinstance(statement, ast.Expr) and statement.value is step.call:
        return
    values = parts_of(step)
    several = step.result is not None and step.result.kind is Kind.TUPLE
    target = statement.targets[0] if isinstance(statement, ast.Assign) and statement.value is step.call else None
    unpacked = isinstance(target, ast.Tuple) and all(isinstance(e, ast.Name) for e in target.elts)
    fits = unpacked and isinstance(target, ast.Tuple) and len(target.elts) == len(values)
    if not values or (several and not fits) or not all(map(step.gives, values)):
        yield job.refuse(
            NAME,
            "what the training step returns is not known to be a sum or a mean over the samples of the batch.",
            step.call,
            "Return single numbers, as tensors: the loss, or a count of samples; give each a name in the loop.",
        )


def _metrics(job: Job) -> Iterator[Answer]:
    """Metrics have a part on every replica, or none has one."""
    kept = job.replicated.metrics
    for fact in job.calls:
        receiver = fact.receiver
        if receiver is None or receiver.kind is not Kind.METRIC or fact.name not in UPDATES:
            continue
        outside = not job.replicated.contains(fact)
        wrong = None if outside else obstacle(job, METRICS, fact)
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
