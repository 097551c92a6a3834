"""Give each process its shard of what ``ImageDataGenerator`` makes.

Why
---
Arrays are shared out before they flow, so that each process goes through its own images. A folder cannot be shared out:
there each process goes through all of it in an order of its own, with 1/N of the batch, and an epoch has as many steps
as in the script; where its order is fixed, each takes its shard of every batch. A generator or a ``Sequence`` of the
script's own runs on every process alike, drawing from equal seeds, and each process takes its shard of every batch (in
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

from corro.anatomy.fits import FitData, FitSite
from corro.anatomy.kinds import Kind
from corro.frontends.keras.recognise import GENERATORS
from corro.rules.keras._arguments import Given
from corro.rules.keras._batches import check, counted_wrongly, padding, too_small
from corro.rules.keras._flows import as_before, flow_of, given_to, is_flow, is_in_order, is_shared_out
from corro.rules.keras.arrays import Shares
from corro.rules.places import defined_before
from corro.source import Before, Wrap
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.flow.values import Value
    from corro.rules.base import Answer
    from corro.rules.keras._job import Job
    from corro.source import Edit, Import
    from corro.targets.keras._base import SharingTarget

NAME = "keras-generators"

_DEFAULT = "32"


def apply(job: Job) -> Iterable[Answer]:
    """One change for each generator that a model is fitted to; a refusal of one that saves what it makes."""
    yield from _saving(job)
    if job.sharing is None:
        return
    done: set[ast.AST] = set()
    for site in job.anatomy.fits:
        if site.data is FitData.BATCHES:
            yield from _generator(job.at(site.node), site, done)
        elif site.data is FitData.UNKNOWN:
            yield job.refuse(
                NAME,
                "Corro cannot tell what data the model is fitted to.",
                site.node,
                "Fit it to arrays, a tf.data pipeline, or ImageDataGenerator.flow.",
            )


def _saving(job: Job) -> Iterator[Answer]:
    """Flows that write their pictures, named by their places in the data and by chance: by numbers that are equal."""
    for fact in job.calls if job.has_ranks else ():
        folder = fact.keywords.get("save_to_dir") if is_flow(fact.result) else None
        if folder is not None and folder.kind is not Kind.NONE:
            yield job.refuse(
                NAME,
                "every process would write its augmented pictures into the same folder under the same names.",
                fact.node,
                "Save augmented pictures in a script of its own.",
            )
            return


def _generator(job: Job, site: FitSite, done: set[ast.AST]) -> Iterator[Answer]:
    target = job.sharing
    assert target is not None
    fit = Given.of_fit(job, site)
    data = fit.data
    if data is None:
        yield job.refuse(
            NAME,
            ("the data that the model is fitted to is not in the call."),
            site.node,
            "Write it into the call.",
            effort="one line",
        )
        return
    value = job.value(data)
    if is_generator(value):
        yield from _by_batch(job, target, fit, data)
        return
    node = flow_of(job, value)
    if node is None or not is_shared_out(job, value):
        yield from _sequence(job, target, fit, data, done)
        return
    yield from _flow(job, fit, data, node, done)


def _flow(job: Job, fit: Given, data: ast.expr, node: ast.Call, done: set[ast.AST]) -> Iterator[Answer]:
    """Each process makes batches of its own: of its part of the arrays, or of the folder in an order of its own."""
    value = job.value(data)
    given = given_to(job, node, value.name)
    size, known = given.text("batch_size") or _DEFAULT, given.value("batch_size")
    if given.is_open or (job.is_strong and known is not None and known.const == 1):
        yield too_small(job, NAME, node)
        return
    counted = counted_wrongly(job, NAME) if not job.is_strong and fit.node("steps_per_epoch") is not None else None
    if value.name == "flow" and counted is not None:
        yield counted
        return
    steps = [*_steps(job, fit, data, value.name == "flow")]
    if steps:
        yield job.change(NAME, "an epoch has as many steps as in the script", fit.call, steps)
    if node in done:
        return
    done.add(node)
    imports: list[Import] = []
    job = job.at(node)
    target = job.sharing
    assert target is not None
    shared: list[Edit] = []
    if job.is_strong:
        shared.append(check(target, job.statement(node), size))
        shared += given.set("batch_size", f"{size} // {target.world_size}")
        for asked, edit in as_before(job, value):
            yield job.change(NAME, "the script's own batches are counted", asked, [edit])
    if value.name == "flow":
        shares = Shares(job, target, given)
        shared += shares.edits()
        imports = shares.imports
        yield padding(job, NAME, node)
    else:
        yield from _folder(job, target, given, node, shared)
    code = Code("", (target.engine, *imports))
    yield job.change(NAME, "each process trains on its own shard of every batch", node, shared, code)


def is_generator(value: Value) -> bool:
    """Whether a value is what a function of the script's own yields, or several generators side by side."""
    return value.kind is Kind.ITERATOR and value.name in GENERATORS


def is_made_whole(job: Job, value: Value) -> bool:
    """Whether every process makes all batches that a value gives, and takes its part of each."""
    return is_generator(value) or (value.kind is Kind.LOADER and not is_shared_out(job, value))


def _sequence(job: Job, target: SharingTarget, fit: Given, data: ast.expr, done: set[ast.AST]) -> Iterator[Answer]:
    """A ``Sequence`` around the script's own, with as many batches of 1/N of the rows."""
    base = target.of_keras("utils.Sequence")
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
    state = ""
    if _draws_each_epoch(job, job.value(data)):
        share, numbers = target.sharing_function, f"{target.library.name('numpy', 'np')}.random"
        state = f"        {numbers}.set_state({share.text}({numbers}.get_state()))\n"
        imports += [*share.imports, target.library.imports("numpy", "np")]
    text = (
        f"class {name}({base.text}):\n"
        "    def __init__(self, batches):\n"
        "        self.batches = batches\n\n"
        "    def __len__(self):\n"
        f"        return {length}\n\n"
        "    def __getitem__(self, index):\n"
        f"{item}\n\n"
        f"    def on_epoch_end(self):\n{state}"
        "        self.batches.on_epoch_end()"
    )
    edits: list[Edit] = [Wrap(job.span(data), f"{name}(", ")")]
    tree = job.file_of(fit.call).tree
    if tree not in done:  # one class for all calls of fit in a file
        done.add(tree)
        edits.append(defined_before(job, fit.call, text))
    if not job.is_strong:
        edits += _fewer_steps(job, target, fit)
    alone = tuple(_in_order(fit))
    reason = "each process trains on its own shard of every batch" if job.is_strong else "each process has its batches"
    yield job.change(NAME, reason, data, [*edits, *alone], Code("", tuple(imports)))
    yield from _made_everywhere(job, data, alone)


def _draws_each_epoch(job: Job, value: Value) -> bool:
    """Whether the batches of an epoch may come in an order that is drawn, in a thread of Keras' own or next to one."""
    if is_flow(value):
        return not is_in_order(job, value)
    return any("random" in file.text or "shuffle" in file.text for file in job.files)


def _in_order(fit: Given) -> Iterator[Edit]:
    """Batches made one after the other, by the process itself."""
    for name, alone in (("workers", "1"), ("use_multiprocessing", "False")):
        if fit.node(name) is not None:
            yield from fit.set(name, alone)


def _made_everywhere(job: Job, data: ast.expr, alone: tuple[Edit, ...]) -> Iterator[Answer]:
    yield job.review(
        NAME,
        "every process makes all batches, and trains on its shard of each; they must come in the same order everywhere."
        if job.is_strong
        else "batches must come in the same order on every process, so that each takes different ones.",
        data,
        "If the clock or unseeded random numbers influence the batches, give them a seed.",
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
                "the number of batches that the generator makes is not known: processes could have unequal numbers "
                "of them.",
                data,
                "Give fit steps_per_epoch, or use --scaling strong.",
                effort="one line",
            )
            return
        itertools = target.library.name("itertools")
        around = Wrap(job.span(data), f"{itertools}.islice(", f", {target.rank}, None, {target.world_size})")
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
        Before(job.statement(fit.call), f"\n{function}\n\n", order=-9),
        Wrap(job.span(data), f"{name}(", ")"),
        *alone,
    ]
    yield job.change(NAME, "each process trains on its own shard of every batch", data, edits, Code("", imports))
    yield from _made_everywhere(job, data, alone)


def _fewer_steps(job: Job, target: SharingTarget, fit: Given) -> Iterator[Edit]:
    """Weak scaling: 1/N of the steps."""
    steps = fit.text("steps_per_epoch")
    if steps is not None:
        yield from fit.set("steps_per_epoch", f"{steps} // {target.world_size}")


def _steps(job: Job, fit: Given, data: ast.expr | None, flows: bool) -> Iterator[Edit]:
    """From a folder, a process makes N times as many batches in one pass as an epoch has."""
    target = job.sharing
    assert target is not None
    if not job.is_strong:
        yield from _fewer_steps(job, target, fit)
    if data is None or flows:
        return
    if fit.node("steps_per_epoch") is None:
        text = job.segment(data)
        yield from fit.set("steps_per_epoch", f"-(-len({text}) // {target.world_size})")


def _folder(job: Job, target: SharingTarget, given: Given, node: ast.Call, edits: list[Edit]) -> Iterator[Answer]:
    seed = given.text("seed")
    edits += given.set("seed", target.rank if seed is None else f"{seed} + {target.rank}")
    yield job.review(
        NAME,
        "each process goes through all files in an order of its own, so that within one epoch some may be seen several "
        "times and others not.",
        node,
        "Read the files with tf.data to shard them exactly.",
        differs=("coverage", "metrics"),
    )
