"""Give each process its part of what ``ImageDataGenerator`` makes.

Why
---
Arrays are shared out before they flow, so that each process goes through its own images. A folder cannot be shared out:
there each process goes through all of it in an order of its own, with 1/N of the batch, and an epoch has as many steps
as in the script; where its order is fixed, each takes its part of every batch. A generator or a ``Sequence`` of the
script's own runs on every process alike, drawing from equal seeds, and each process takes its part of every batch (in
weak scaling: every N-th batch).

Before
------
::

    model.fit(datagen.flow(x_train, y_train, batch_size=32), epochs=10)

After
-----
::

    shard = np.arange(hvd.rank(), hvd.rank() + len(x_train), hvd.size()) % len(x_train)
    model.fit(datagen.flow(x_train[shard], y_train[shard], batch_size=32 // hvd.size()), epochs=10)

Source
------
Horovod, ``examples/keras/keras_mnist_advanced.py`` and ``keras_imagenet_resnet50.py``.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from rueda.anatomy.fits import Feed, FitSite
from rueda.anatomy.kinds import Kind
from rueda.frontends.keras.recognise import GENERATORS
from rueda.rules.keras._arguments import FIT, FIT_GENERATOR, Given
from rueda.rules.keras._batches import check, counted_wrongly, defined_before, padding, too_small
from rueda.rules.keras.arrays import Shares
from rueda.source import Before, Wrap
from rueda.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rueda.flow.values import Value
    from rueda.rules.base import Answer
    from rueda.rules.keras._job import Job
    from rueda.source import Edit
    from rueda.targets.keras._base import SharingTarget

NAME = "keras-generators"

_FLOW = ("x", "y", "batch_size", "shuffle", "sample_weight", "seed")
_FOLDERS = {
    "flow_from_directory": ("directory", "target_size", "color_mode", "classes", "class_mode", "batch_size", "shuffle",
                            "seed"),
    "flow_from_dataframe": ("dataframe", "directory", "x_col", "y_col", "weight_col", "target_size", "color_mode",
                            "classes", "class_mode", "batch_size", "shuffle", "seed"),
}  # fmt: skip
_DEFAULT = "32"


def apply(job: Job) -> Iterable[Answer]:
    """One change for each generator that a model is fitted to."""
    if job.sharing is None:
        return
    done: set[ast.AST] = set()
    for site in job.anatomy.fits:
        if site.feed is Feed.BATCHES:
            yield from _generator(job, job.sharing, site, done)
        elif site.feed is Feed.UNKNOWN:
            yield job.refuse(
                NAME,
                "what the model is fitted to could not be followed.",
                site.node,
                "Fit it to arrays, a tf.data pipeline, or ImageDataGenerator.flow.",
            )


def _generator(job: Job, target: SharingTarget, site: FitSite, done: set[ast.AST]) -> Iterator[Answer]:
    fit = Given(job, site.node, FIT_GENERATOR if site.old else FIT)
    data = fit.node("generator" if site.old else "x")
    value = job.value(data) if data is not None else None
    made = [job.facts.nodes[n] for n in value.sites] if value is not None and value.kind is Kind.LOADER else []
    if data is not None and value is not None and is_generator(value):
        yield from _by_batch(job, target, fit, data)
        return
    flows = value is not None and value.name in ("flow", *_FOLDERS)
    if fit.is_open or value is None or data is None:
        yield job.refuse(NAME, "fit is given arguments by * or **.", site.node, "Write them into the call.")
        return
    if not flows or len(made) != 1 or not isinstance(made[0], ast.Call):
        yield from _sequence(job, target, fit, data, done)
        return
    node = made[0]
    if not job.is_own(node):
        yield job.refuse(
            NAME, "the generator is made in a module of the script's own.", node, "Make it in the script itself."
        )
        return
    given = Given(job, node, _FLOW if value.name == "flow" else _FOLDERS[value.name])
    shuffle = given.value("shuffle")
    if value.name in _FOLDERS and shuffle is not None and shuffle.const is False:
        yield from _sequence(job, target, fit, data, done)
        return
    size, known = given.text("batch_size") or _DEFAULT, given.value("batch_size")
    if given.is_open or (job.is_strong and known is not None and known.const == 1):
        yield too_small(job, NAME, node)
        return
    counted = counted_wrongly(job, NAME) if not job.is_strong and fit.node("steps_per_epoch") is not None else None
    if value.name == "flow" and counted is not None:
        yield counted
        return
    shared = [*_steps(job, target, fit, data, value.name == "flow")]
    if node not in done:
        done.add(node)
        statement = job.source.statement(node)
        if job.is_strong:
            shared.append(check(target, statement, size))
            shared += given.set("batch_size", f"{size} // {target.world_size}")
        if value.name == "flow":
            shares = Shares(job, target, given)
            shared += shares.edits()
            imports = shares.imports
            yield padding(job, NAME, node)
        else:
            imports = []
            yield from _folder(job, target, given, node, shared)
        code = Code("", (target.engine, *imports))
        yield job.change(NAME, "each process trains on its own part of every batch", node, shared, code)
    elif shared:
        yield job.change(NAME, "an epoch has as many steps as in the script", site.node, shared)


def is_generator(value: Value) -> bool:
    """Whether a value is what a function of the script's own yields, or several generators side by side."""
    return value.kind is Kind.ITERATOR and value.name in GENERATORS


def is_own_sequence(value: Value) -> bool:
    """Whether a value is a ``Sequence`` that is no more than that: it makes whole batches by their number."""
    return value.kind is Kind.LOADER and value.name not in ("flow", *_FOLDERS)


def _sequence(job: Job, target: SharingTarget, fit: Given, data: ast.expr, done: set[ast.AST]) -> Iterator[Answer]:
    """A ``Sequence`` around the script's own, with as many batches of 1/N of the rows."""
    base = target.of_keras("utils.Sequence")
    first = next((n for n in done if isinstance(n, ast.Module)), None)
    name = job.names.fresh("Share")
    rank, size = target.rank, target.world_size
    imports = [target.engine, *base.imports]
    if job.is_strong:
        np, tf = target.library.name("numpy", "np"), target.tf
        imports += [target.tf_import, target.library.imports("numpy", "np")]
        length = "len(self.batches)"
        item = (
            "        batch = self.batches[index]\n"
            f"        rows = len({tf}.nest.flatten(batch)[-1])\n"
            f"        mine = {np}.arange({rank}, {rank} + rows, {size}) % rows\n"
            f"        return {tf}.nest.map_structure(lambda part: {np}.asarray(part)[mine], batch)"
        )
    else:
        length = f"len(self.batches) // {size}"
        item = f"        return self.batches[index * {size} + {rank}]"
    text = (
        f"class {name}({base.text}):\n"
        "    def __init__(self, batches):\n"
        "        self.batches = batches\n\n"
        "    def __len__(self):\n"
        f"        return {length}\n\n"
        "    def __getitem__(self, index):\n"
        f"{item}\n\n"
        "    def on_epoch_end(self):\n"
        "        self.batches.on_epoch_end()"
    )
    edits: list[Edit] = [Wrap(job.source.span(data), f"{name}(", ")")]
    if first is None:  # one class for all calls of fit
        done.add(job.source.tree)
        edits.append(defined_before(job, fit.call, text))
    if not job.is_strong:
        edits += _fewer_steps(job, target, fit)
    alone = tuple(_in_order(fit))
    reason = "each process trains on its own part of every batch" if job.is_strong else "each process has its batches"
    yield job.change(NAME, reason, data, [*edits, *alone], Code("", tuple(imports)))
    yield from _made_everywhere(job, data, alone)


def _in_order(fit: Given) -> Iterator[Edit]:
    """Batches made one after the other, by the process itself."""
    for name, alone in (("workers", "1"), ("use_multiprocessing", "False")):
        if fit.node(name) is not None:
            yield from fit.set(name, alone)


def _made_everywhere(job: Job, data: ast.expr, alone: tuple[Edit, ...]) -> Iterator[Answer]:
    yield job.review(
        NAME,
        "every process makes all batches, and trains on its part of each; they must come in the same order everywhere."
        if job.is_strong
        else "batches must come in the same order on every process, so that each takes others.",
        data,
        "Where batches are made with the clock or the system's chance, give them a seed.",
    )
    if alone:
        yield job.review(
            NAME,
            "several workers make batches in an order that differs between processes: each process makes its own, one "
            "after the other.",
            data,
        )


def _by_batch(job: Job, target: SharingTarget, fit: Given, data: ast.expr) -> Iterator[Answer]:
    """All processes make the same batches, and each trains on its part of them."""
    alone = tuple(_in_order(fit))
    if not job.is_strong:
        if fit.node("steps_per_epoch") is None:
            yield job.refuse(
                NAME,
                "nobody knows how many batches the generator makes, so that processes could have unequal numbers.",
                data,
                "Give fit steps_per_epoch, or use --scaling strong.",
            )
            return
        itertools = target.library.name("itertools")
        around = Wrap(job.source.span(data), f"{itertools}.islice(", f", {target.rank}, None, {target.world_size})")
        code = Code("", (target.engine, target.library.imports("itertools")))
        edits = [around, *_fewer_steps(job, target, fit), *alone]
        yield job.change(NAME, "each process has its batches", data, edits, code)
        yield from _made_everywhere(job, data, alone)
        return
    tf, np = target.tf, target.library.name("numpy", "np")
    rank, size, name = target.rank, target.world_size, job.names.fresh("share_batches")
    function = (
        f"def {name}(batches):\n"
        f"    for batch in batches:\n"
        f"        rows = len({tf}.nest.flatten(batch)[-1])\n"
        f"        mine = {np}.arange({rank}, {rank} + rows, {size}) % rows\n"
        f"        yield {tf}.nest.map_structure(lambda part: {np}.asarray(part)[mine], batch)"
    )
    imports = (target.engine, target.tf_import, target.library.imports("numpy", "np"))
    edits = [
        Before(job.source.statement(fit.call), f"\n{function}\n\n", order=-9),
        Wrap(job.source.span(data), f"{name}(", ")"),
        *alone,
    ]
    yield job.change(NAME, "each process trains on its own part of every batch", data, edits, Code("", imports))
    yield from _made_everywhere(job, data, alone)


def _fewer_steps(job: Job, target: SharingTarget, fit: Given) -> Iterator[Edit]:
    """Weak scaling: 1/N of the steps."""
    steps = fit.text("steps_per_epoch")
    if steps is not None:
        yield from fit.set("steps_per_epoch", f"{steps} // {target.world_size}")


def _steps(job: Job, target: SharingTarget, fit: Given, data: ast.expr | None, flows: bool) -> Iterator[Edit]:
    """From a folder, a process makes N times as many batches in one pass as an epoch has."""
    if not job.is_strong:
        yield from _fewer_steps(job, target, fit)
    if data is None or flows:
        return
    steps = fit.node("steps_per_epoch")
    size = target.world_size
    if steps is None:
        text = job.source.segment(data)
        yield from fit.set("steps_per_epoch", f"-(-len({text}) // {size})")
    elif job.is_strong and any(_counts_batches(job, part) for part in ast.walk(steps)):
        yield from fit.set("steps_per_epoch", f"{fit.text('steps_per_epoch')} // {size}")


def _counts_batches(job: Job, part: ast.AST) -> bool:
    """``len(generator)`` and ``generator.batch_size``."""
    if isinstance(part, ast.Attribute):
        return part.attr == "batch_size" and job.value(part.value).kind is Kind.LOADER
    if not isinstance(part, ast.Call) or not part.args:
        return False
    return getattr(part.func, "id", "") == "len" and job.value(part.args[0]).kind is Kind.LOADER


def _folder(job: Job, target: SharingTarget, given: Given, node: ast.Call, edits: list[Edit]) -> Iterator[Answer]:
    seed = given.text("seed")
    edits += given.set("seed", target.rank if seed is None else f"{seed} + {target.rank}")
    yield job.review(
        NAME,
        "each process goes through all files in an order of its own, so that within one epoch some may be seen several "
        "times and others not.",
        node,
        "Read the files with tf.data to share them out exactly.",
        differs=("coverage", "metrics"),
    )
