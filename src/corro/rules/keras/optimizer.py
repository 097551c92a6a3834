"""Let the optimizer average gradients over the processes (Horovod).

Why
---
Horovod's ``DistributedOptimizer`` all-reduces gradients before they are applied. It wraps an object: a name such as
``"adam"`` becomes the optimizer it stands for, with Keras' own default rate. It is made where the optimizer is made, so
that whatever else holds the optimizer holds the same one. In strong scaling the rate stays: the global batch is that of
the script.

Before
------
::

    model.compile(optimizer="adam", loss="mse")

After
-----
::

    model.compile(optimizer=hvd.DistributedOptimizer(tf.keras.optimizers.Adam()), loss="mse")

Source
------
Horovod documentation, "Horovod with Keras"; ``examples/tensorflow2/tensorflow2_keras_mnist.py``. Measured with Horovod
0.28.1: an optimizer is made anew from ``get_config()``, which fails with a schedule of a class unknown to Keras.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.frontends.keras.names import canonical
from corro.frontends.lineage import lineage, own_classes
from corro.rules.keras._abilities import shares_by_engine
from corro.rules.keras._arguments import COMPILE, Given
from corro.rules.wrapping import wrapped, wrapped_in_place
from corro.source import After
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.flow.facts import CallFact
    from corro.flow.values import Value
    from corro.rules.base import Answer
    from corro.rules.keras._job import Job
    from corro.targets.keras._base import SharingTarget

NAME = "keras-optimizer"

_CLASSES = {"sgd": "SGD", "rmsprop": "RMSprop", "adam": "Adam", "adamw": "AdamW", "adagrad": "Adagrad",
            "adadelta": "Adadelta", "adamax": "Adamax", "nadam": "Nadam", "ftrl": "Ftrl"}  # fmt: skip
_AROUND = frozenset({"MovingAverage", "SWA", "Lookahead"})
_REGISTERING = ("custom_object_scope", "get_custom_objects")
_REGISTERING = ("custom_object_scope", "get_custom_objects")
RATES = {"sgd": "0.01"}
"""The default learning rates that are not 0.001."""


def apply(job: Job) -> Iterable[Answer]:
    """One change for each optimizer that a model is compiled with."""
    if job.target.sees_shards:
        yield from _private(job)
    if job.sharing is None:
        return
    yield from _around(job)
    yield from _with_functions(job)
    done: set[ast.AST] = set()
    saved = _saves_whole_models(job)
    for node in job.anatomy.compiles:
        yield from _compile(job.at(node), node, done)
        if saved:
            yield _named_plainly(job, node)
    yield from _loaded(job)


def _private(job: Job) -> Iterator[Answer]:
    """Optimizers that cut the gradients of parts of a batch to size, and add noise to their sum."""
    for fact in job.calls:
        private = fact.name.startswith("tensorflow_privacy.") and fact.name.endswith("Optimizer")
        if private and fact.receiver is None and job.anatomy.compiles:
            yield job.refuse(
                NAME,
                "this optimizer splits its batch into microbatches and adds noise to their gradients: each process "
                "or device would split and add noise independently.",
                fact.node,
                "Train on one device: the privacy accounting assumes one batch and one sample of noise for each step.",
                effort="none",
            )
            return


def _around(job: Job) -> Iterator[Answer]:
    """Optimizers around another one, which Horovod cannot make anew."""
    for fact in job.calls:
        name = fact.name.removeprefix("tensorflow_addons.optimizers.")
        if name in _AROUND and name != fact.name and job.anatomy.compiles:
            yield job.refuse(
                NAME,
                f"Horovod recreates an optimizer from its configuration alone, and {name} needs the optimizer that "
                "it wraps.",
                fact.node,
                job.or_target("", shares_by_engine),
                effort="one line",
            )
            return


def _with_functions(job: Job) -> Iterator[Answer]:
    """Schedules that are given a function: measured, what is made anew has a dict in its place."""
    for fact in job.calls:
        given = (*fact.args, *fact.keywords.values())
        makes = fact.result.kind is Kind.SCHEDULER and (fact.receiver is None or fact.receiver.kind is Kind.CLASS)
        if makes and job.anatomy.compiles and any(value.kind is Kind.FUNCTION for value in given):
            yield job.refuse(
                NAME,
                "Horovod recreates an optimizer from its configuration, which does not hold the function that a "
                "schedule was given.",
                fact.node,
                "Write the function into a schedule of your own, with get_config().",
            )
            return


def wrapped_optimizers(job: Job) -> frozenset[int]:
    """The optimizers, by the numbers of the calls that make them, that models are compiled with."""
    given = (Given(job, node, COMPILE).value("optimizer") for node in job.anatomy.compiles)
    return frozenset().union(*(value.sites for value in given if value is not None))


def _saves_whole_models(job: Job) -> bool:
    """Whether models are saved with their optimizer in Keras' own format."""
    paths: list[Value | None] = []
    for fact in job.calls:
        weights = fact.keywords.get("save_weights_only")
        if fact.result.kind is Kind.CALLBACK and fact.result.name == "ModelCheckpoint":
            paths += [fact.argument(0, "filepath")] if weights is None or weights.const is not True else []
        elif fact.name == "save" and fact.receiver is not None and fact.receiver.kind is Kind.MODULE:
            paths.append(fact.argument(0, "filepath"))
    texts = [path.const if path is not None and isinstance(path.const, str) else ".keras" for path in paths]
    return any(not text.endswith((".h5", ".hdf5")) for text in texts)


def _named_plainly(job: Job, node: ast.Call) -> Answer:
    """Saved models name the class of the optimizer; Horovod makes one of its own that nobody finds again."""
    assert isinstance(node.func, ast.Attribute)
    model = job.segment(node.func.value)
    line = f'type({model}.optimizer).__module__ = "keras.optimizers"  # so that saved models load without Horovod'
    edits = [After(job.statement(node), line, order=-4)]
    return job.change(NAME, "saved models are those of the script", node, edits)


def _loaded(job: Job) -> Iterator[Answer]:
    """A loaded model brings an optimizer that averages nothing."""
    compiled: set[int] = set()
    fitted = {*(site.node for site in job.anatomy.fits), *job.anatomy.others}
    for fact in sorted(job.calls, key=lambda each: each.order):
        sites = fact.receiver.sites if fact.receiver is not None else frozenset()
        optimizer = Given(job, fact.node, COMPILE).node("optimizer") if fact.node in job.anatomy.compiles else None
        if fact.node in fitted:
            brought = any(_is_loaded(job, number) for number in sites - compiled)
        else:  # compile(optimizer=other.optimizer)
            taken = isinstance(optimizer, ast.Attribute) and job.value(optimizer).name == "of model"
            owner = job.value(optimizer.value).sites if taken and isinstance(optimizer, ast.Attribute) else frozenset()
            brought = any(_is_loaded(job, number) for number in owner - compiled)
        if brought:
            yield job.refuse(
                NAME,
                "a loaded model is trained with the optimizer that it was saved with, which averages no gradients "
                "over processes.",
                fact.node,
                "Compile the model after loading it, with an optimizer that the script makes.",
                effort="one line",
            )
            return
        if fact.node in job.anatomy.compiles:
            compiled |= sites


def _is_loaded(job: Job, number: int) -> bool:
    """Whether this is the site of a model that is read from a file."""
    return any(canonical(f.name) == "keras.models.load_model" for f in job.calls_of(job.facts.nodes[number]))


def _compile(job: Job, node: ast.Call, done: set[ast.AST]) -> Iterator[Answer]:
    target = job.sharing
    assert target is not None
    given = Given(job, node, COMPILE)
    if given.is_open:
        yield job.refuse(
            NAME,
            "compile is given arguments by * or **.",
            node,
            "Write the optimizer into the call of compile.",
            effort="one line",
        )
        return
    optimizer = given.node("optimizer")
    if not node.args and not node.keywords:
        return  # without a loss, only a train_step with optimizers of its own can train
    if optimizer is None:
        yield from _named(job, target, given, "rmsprop", node)
    elif isinstance(optimizer, ast.Constant) and isinstance(optimizer.value, str):
        yield from _named(job, target, given, optimizer.value, optimizer)
    else:
        yield from _object(job, optimizer, done)


def _named(job: Job, target: SharingTarget, given: Given, word: str, place: ast.expr) -> Iterator[Answer]:
    """An optimizer given by its name."""
    known = _CLASSES.get(word.lower())
    if known is None:
        yield job.refuse(
            NAME,
            f"there is no optimizer {word!r} in Keras that Corro knows.",
            place,
            "Give compile an optimizer object.",
            effort="one line",
        )
        return
    code = target.of_keras(f"optimizers.{known}")
    rate = RATES.get(word.lower(), "0.001")
    scaled = "" if job.is_strong else f"{rate} * {target.world_size}"
    edits = given.set("optimizer", target.wrap_optimizer(f"{code.text}({scaled})"))
    yield job.change(NAME, "gradients are averaged over the processes", place, edits, _with(target, code))
    yield job.note(NAME, f'"{word}" stands for {known}() with its default rate of {rate}.', place)


def _object(job: Job, optimizer: ast.expr, done: set[ast.AST]) -> Iterator[Answer]:
    """An optimizer given as an object: wrapped where it is made."""
    value = job.value(optimizer)
    made = [node for n in sorted(value.sites) if isinstance(node := job.facts.nodes[n], ast.Call)]
    if value.kind is Kind.OPTIMIZER and value.name == "of model":
        return  # what the model was compiled with before
    if value.kind is not Kind.OPTIMIZER or not made:
        yield from _unknown(job, optimizer)
        return
    for node in made:
        if node in done:
            continue
        done.add(node)
        unknown = _without_configuration(job, node)
        if unknown is not None:
            yield job.refuse(
                NAME,
                "Horovod recreates an optimizer from its configuration, which does not hold a class of the script's "
                "own.",
                unknown,
                "Give the class get_config(), and @keras.utils.register_keras_serializable() if it is a schedule.",
            )
            continue
        target = job.at(node).sharing
        assert target is not None
        target = job.at(node).sharing
        assert target is not None
        edits = wrapped(job, node, target.wrap_optimizer)
        yield job.change(NAME, "gradients are averaged over the processes", node, edits, _with(target))


def _without_configuration(job: Job, node: ast.Call) -> ast.expr | None:
    """An optimizer, or the schedule it is given, of a class that cannot be made from its configuration."""
    own = {each.name: each for each in own_classes(job.facts)}
    scoped = any(word in file.text for file in job.files for word in _REGISTERING)
    for part in (node, *node.args, *(k.value for k in node.keywords)):
        value = job.value(part)
        made = own.get(value.name) if value.obj and value.kind in (Kind.OPTIMIZER, Kind.SCHEDULER) else None
        if made is None:
            continue
        methods = {getattr(member, "name", "") for each in lineage(job.facts, made) for member in each.body}
        told = "get_config" in methods or "__init__" not in methods
        found = value.kind is Kind.OPTIMIZER or scoped or any("register" in ast.dump(d) for d in made.decorator_list)
        if not told or not found:
            return part
    return None


def _unknown(job: Job, optimizer: ast.expr) -> Iterator[Answer]:
    """A name or an object, which is known when the program runs: Keras turns either into an object."""
    value = job.value(optimizer)
    if not job.is_strong:
        yield job.refuse(
            NAME,
            "the optimizer is not known before the program runs, so that its rate cannot be scaled.",
            optimizer,
            "Make the optimizer in the script, or use --scaling strong.",
            effort="one line",
        )
        return
    if value.kind not in (Kind.TEXT, Kind.UNKNOWN):
        yield job.refuse(
            NAME,
            "what the model is compiled with is no optimizer.",
            optimizer,
            "Give compile an optimizer object.",
            effort="one line",
        )
        return
    old = next((fact.node for fact in job.calls if _is_of_version_1(fact)), None)
    if old is not None:
        yield job.refuse(
            NAME,
            "a model may be compiled with this optimizer of TensorFlow 1, which has no configuration that Horovod "
            "could recreate it from.",
            old,
            "Use the optimizer of the same name in Keras.",
            effort="one line",
        )
        return
    target = job.sharing
    assert target is not None
    target = job.sharing
    assert target is not None
    code = target.of_keras("optimizers.get")
    edits = wrapped_in_place(job, optimizer, lambda text: target.wrap_optimizer(f"{code.text}({text})"))
    yield job.change(NAME, "gradients are averaged over the processes", optimizer, edits, _with(target, code))


def _is_of_version_1(fact: CallFact) -> bool:
    """Whether a call makes one of TensorFlow's own optimizers, which Keras takes in place of its own."""
    module, _, name = fact.name.rpartition(".")
    return module in ("tensorflow.train", "tensorflow.compat.v1.train") and name.endswith("Optimizer")


def _with(target: SharingTarget, code: Code | None = None) -> Code:
    return Code("", (target.of_fit, *(code.imports if code is not None else ())))
