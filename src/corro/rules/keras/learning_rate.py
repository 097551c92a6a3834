"""Scale the learning rate with the global batch (weak scaling only).

Why
---
Weak scaling keeps the batch size of each process, so the global batch grows N-fold and there are N times fewer steps.
The learning rate grows with it, from the script's own rate in the first epochs to N times it (warm-up), or accuracy is
lost. A schedule in the optimizer is scaled as a whole: N times its rates, over 1/N of its steps. With strong scaling
the global batch, and so the learning rate, stay as they are.

Before
------
::

    model.compile(optimizer=keras.optimizers.SGD(0.01), loss="mse")
    model.fit(x, y, epochs=50)

After
-----
::

    model.compile(optimizer=hvd.DistributedOptimizer(keras.optimizers.SGD(0.01 * hvd.size())), loss="mse")
    callbacks = [
        hvd.callbacks.BroadcastGlobalVariablesCallback(0),
        hvd.callbacks.MetricAverageCallback(),
        hvd.callbacks.LearningRateWarmupCallback(
            initial_lr=model.optimizer.learning_rate.numpy(), warmup_epochs=5, momentum_correction=False),
    ]
    model.fit(x[shard], y[shard], epochs=50, callbacks=callbacks)

Source
------
Goyal et al., "Accurate, Large Minibatch SGD", arXiv 1706.02677; Horovod, ``examples/keras/keras_mnist_advanced.py``.
Measured with Keras 2.15: the callback's momentum correction fails, because momentum is no variable there.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.frontends.keras.names import canonical
from corro.rules.keras._arguments import COMPILE, Given
from corro.rules.keras._batches import counted_wrongly
from corro.rules.keras._warmup import obstacle
from corro.rules.keras.optimizer import RATES
from corro.source import Edit, add_keyword, parenthesised, replace_node
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.rules.base import Answer
    from corro.rules.keras._job import Job

NAME = "keras-learning-rate"

_SCHEDULES: dict[str, tuple[tuple[str, ...], dict[str, str]]] = {
    "ExponentialDecay": (("initial_learning_rate", "decay_steps"), {}),
    "InverseTimeDecay": (("initial_learning_rate", "decay_steps"), {}),
    "PolynomialDecay": (("initial_learning_rate", "decay_steps", "end_learning_rate"), {"end_learning_rate": "0.0001"}),
    "CosineDecay": (
        ("initial_learning_rate", "decay_steps", "alpha", "name", "warmup_target", "warmup_steps"),
        {},
    ),
    "CosineDecayRestarts": (("initial_learning_rate", "first_decay_steps"), {}),
    "PiecewiseConstantDecay": (("boundaries", "values"), {}),
}
"""The parameters of Keras' schedules in their order, and those that have to be written where they are left out."""
_RATES = frozenset({"initial_learning_rate", "end_learning_rate", "warmup_target", "values"})
_STEPS = frozenset({"decay_steps", "first_decay_steps", "warmup_steps", "boundaries"})
_DEFAULT = "0.001"
_BY_HAND = ("lr", "learning_rate")
_RECEIVES_RATE = 2


def apply(job: Job) -> Iterable[Answer]:
    """Scale every rate and schedule; refuse rates that are set by hand."""
    if job.is_strong or job.sharing is None:
        return
    yield from by_hand(job, NAME)
    done: set[ast.AST] = set()
    for call in job.anatomy.compiles:
        optimizer = Given(job, call, COMPILE).value("optimizer")
        for number in sorted(optimizer.sites) if optimizer is not None else ():
            node = job.facts.nodes[number]
            if isinstance(node, ast.Call) and node not in done:
                done.add(node)
                yield from scaled(job, NAME, node, done)
    yield from _callbacks(job)
    for site in job.anatomy.fits:
        reason = obstacle(job, site)
        if reason:
            yield job.review(
                NAME,
                f"the rate is scaled without warm-up: {reason}.",
                site.node,
                "Check that the loss does not diverge in the first epochs.",
            )


def scaled(job: Job, rule: str, node: ast.Call, done: set[ast.AST]) -> Iterator[Answer]:
    """An optimizer as it is made, in the name of a rule."""
    job = job.at(node)
    assert job.sharing is not None
    world = job.sharing.world_size
    given = Given(job, node, ("learning_rate",))
    rate = given.node("learning_rate") or given.node("lr")
    name = job.calls_of(node)[0].result.name if job.calls_of(node) else ""
    if name == "get" or given.is_open:
        yield job.refuse(
            rule, "the optimizer's rate is not known.", node, "Make the optimizer with a rate.", effort="one line"
        )
        return
    code = Code("", (job.sharing.engine,))
    reason = "the rate grows with the global batch"
    decay = given.node("decay")
    if decay is not None:
        faster = replace_node(job.file_of(decay), decay, f"{parenthesised(job.file_of(decay), decay)} * {world}")
        yield job.change(rule, "as much decay in 1/N of the steps", decay, faster, code)
    if rate is None:
        text = f"{RATES.get(name.lower(), _DEFAULT)} * {world}"
        yield job.change(rule, reason, node, add_keyword(job.file_of(node), node, "learning_rate", text), code)
        return
    value = job.value(rate)
    if value.kind is not Kind.SCHEDULER:
        edits = replace_node(job.file_of(rate), rate, f"{parenthesised(job.file_of(rate), rate)} * {world}")
        yield job.change(rule, reason, node, edits, code)
        return
    made = [job.facts.nodes[n] for n in sorted(value.sites)]
    for each in made:
        if each not in done:
            done.add(each)
            yield from _schedule(job, rule, each)
    if not made:
        yield _own(job, rule, rate)


def _own(job: Job, rule: str, node: ast.AST) -> Answer:
    return job.refuse(
        rule,
        "a schedule of the script's own sets the rate, which cannot be scaled safely.",
        node,
        "Use one of Keras' schedules, or --scaling strong.",
        effort="one line",
    )


def _schedule(job: Job, rule: str, node: ast.AST) -> Iterator[Answer]:
    """One of Keras' schedules: N times its rates, 1/N of its steps."""
    job = job.at(node)
    assert job.sharing is not None
    name = next((fact.result.name for fact in job.calls_of(node)), "")
    if name not in _SCHEDULES or not isinstance(node, ast.Call):
        yield _own(job, rule, node)
        return
    counted = counted_wrongly(job, rule)
    if counted is not None:
        yield counted
        return
    names, defaults = _SCHEDULES[name]
    given = Given(job, node, names)
    world = job.sharing.world_size
    edits: list[Edit] = []
    for parameter in names:
        text = given.text(parameter) or defaults.get(parameter)
        if text is None or parameter not in _RATES | _STEPS:
            continue
        operation = f"* {world}" if parameter in _RATES else f"// {world}"
        if parameter in ("boundaries", "values"):
            item = job.names.fresh("boundary" if parameter in _STEPS else "value")
            edits += given.set(parameter, f"[{item} {operation} for {item} in {given.text(parameter)}]")
        else:
            edits += given.set(parameter, f"{text} {operation}")
    reason = "a schedule of N times the rate over 1/N of the steps"
    yield job.change(rule, reason, node, edits, Code("", (job.sharing.engine,)))


def _callbacks(job: Job) -> Iterator[Answer]:
    """``LearningRateScheduler``: a rate by the epoch alone is scaled; one made of the last rate scales itself."""
    done: set[ast.AST] = set()
    for fact in job.calls:
        if fact.result.kind is not Kind.CALLBACK or fact.result.name != "LearningRateScheduler" or fact.receiver:
            continue
        given = Given(job, fact.node, ("schedule", "verbose"))
        node, value = given.node("schedule"), given.value("schedule")
        if fact.node in done or node is None or value is None:
            continue
        done.add(fact.node)
        function = job.facts.functions.get(value.obj)
        if not isinstance(function, (ast.FunctionDef, ast.Lambda)):
            yield _own(job, NAME, fact.node)
            continue
        names = [each.arg for each in function.args.args]
        if len(names) < _RECEIVES_RATE:
            target = job.at(fact.node).sharing
            assert target is not None
            text = parenthesised(job.file_of(node), node)
            before = f"lambda epoch: {text}(epoch) * {target.world_size}"
            edits = replace_node(job.file_of(node), node, before)
            reason = "the rate grows with the global batch"
            yield job.change(NAME, reason, fact.node, edits, Code("", (target.engine,)))
        elif not all(_grows_with(part, names[1]) for part in _results(function)):
            yield _own(job, NAME, fact.node)


def _results(function: ast.FunctionDef | ast.Lambda) -> list[ast.expr]:
    if isinstance(function, ast.Lambda):
        return [function.body]
    return [n.value for n in ast.walk(function) if isinstance(n, ast.Return) and n.value is not None]


def _grows_with(node: ast.expr, rate: str) -> bool:
    """Whether N times the rate makes N times the result, the bounds of ``max`` and ``min`` aside."""
    if isinstance(node, ast.Name):
        return node.id == rate
    if isinstance(node, ast.IfExp):
        return _grows_with(node.body, rate) and _grows_with(node.orelse, rate)
    if isinstance(node, ast.Call):
        name = getattr(node.func, "id", "")
        return name in ("max", "min", "float") and any(_grows_with(part, rate) for part in node.args)
    if not isinstance(node, ast.BinOp):
        return False
    left, right = _grows_with(node.left, rate), _grows_with(node.right, rate)
    if isinstance(node.op, (ast.Add, ast.Sub)):
        return left and right
    other = node.right if left else node.left
    free = not any(isinstance(n, ast.Name) and n.id == rate for n in ast.walk(other))
    return free and (left if isinstance(node.op, ast.Div) else isinstance(node.op, ast.Mult) and left != right)


def by_hand(job: Job, rule: str) -> Iterator[Answer]:
    """``K.set_value(model.optimizer.lr, 0.01)``, ``model.optimizer.learning_rate = 0.01``, ``.assign``."""
    for node in job.nodes.of(ast.Assign, ast.AugAssign, ast.Call):
        rate: ast.AST | None = None
        if isinstance(node, (ast.Assign, ast.AugAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            rate = next((t for t in targets if isinstance(t, ast.Attribute)), None)
        elif isinstance(node.func, ast.Attribute):
            if node.func.attr == "assign":
                rate = node.func.value
            elif (
                any(canonical(n) == "keras.backend.set_value" for n in job.names_of(node.func).qualified(node.func))
                and node.args
            ):
                rate = node.args[0]
        if isinstance(rate, ast.Attribute) and rate.attr in _BY_HAND:
            yield job.refuse(
                rule,
                "the learning rate is written by hand, so it cannot be scaled safely.",
                node,
                "Use a schedule, or --scaling strong.",
                effort="one line",
            )
            return
