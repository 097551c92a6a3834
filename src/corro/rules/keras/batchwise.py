"""Let each process train on its shard of every batch that is given to ``train_on_batch``.

Why
---
A loop that hands batches to ``train_on_batch`` is the same program on every process: all make the same batches, because
they draw from equal seeds, and start from equal weights for the same reason. Each trains on every N-th row of a batch,
and the optimizer averages the gradients: the step is that of the whole batch. The loss that comes back is that of the
part; where the script uses it, it is averaged over the processes, so that all of them show and decide alike.

Before
------
::

    for step in range(1000):
        rows = np.random.randint(0, len(x), 64)
        loss = model.train_on_batch(x[rows], y[rows])

After
-----
::

    def share_rows(batch):
        mine = np.arange(hvd.rank(), hvd.rank() + len(batch), hvd.size()) % len(batch)
        return np.asarray(batch)[mine]

    for step in range(1000):
        rows = np.random.randint(0, len(x), 64)
        loss = hvd.allreduce(model.train_on_batch(share_rows(x[rows]), share_rows(y[rows]))).numpy().tolist()

Source
------
Horovod documentation, "Horovod with Keras"; Keras documentation, ``Model.train_on_batch``. Measured with TensorFlow
2.15 under ``MultiWorkerMirroredStrategy``: ``test_on_batch`` comes back N times as large.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.rules.keras._abilities import shares_samples
from corro.rules.keras._arguments import Given
from corro.rules.keras._batches import padding
from corro.rules.keras.seeds import noisy
from corro.rules.places import defined_before
from corro.source import Wrap
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.flow.facts import CallFact
    from corro.rules.base import Answer
    from corro.rules.keras._job import Job
    from corro.source import Edit, Import
    from corro.targets.keras._base import SharingTarget

NAME = "keras-batchwise"

_NAMES = ("x", "y", "sample_weight", "class_weight", "reset_metrics", "return_dict")
_SHARED = ("x", "y", "sample_weight")
_SINGLE = frozenset({"train_on_batch", "test_on_batch"})


def apply(job: Job) -> Iterable[Answer]:
    """One change for each call, or the first reason against it."""
    if job.sharing is None:
        yield from _whole(job)
        return
    if not job.anatomy.others:
        return
    obstacle = _obstacle(job)
    if obstacle is not None:
        yield obstacle
        return
    for here, nodes in job.by_file(job.anatomy.others):
        yield from _converted(here, nodes)
    yield from _said(job)
    yield padding(job, NAME, job.anatomy.others[0])


def _whole(job: Job) -> Iterator[Answer]:
    """Workers under a strategy, none of which shares a single batch out."""
    fact = next((f for f in job.calls if f.name in _SINGLE and f.node in job.anatomy.uses), None)
    if fact is not None and not shares_samples(type(job.target)):
        yield job.refuse(
            NAME,
            f"{fact.name} gives every worker the whole batch, and adds up what comes back over the workers.",
            fact.node,
            job.or_target("Use fit, evaluate and predict", shares_samples),
        )


def _obstacle(job: Job) -> Answer | None:
    """Why batches cannot be shared out where they are trained on."""
    for node in job.anatomy.others:
        given = Given(job, node, _NAMES)
        x, y = given.node("x"), given.value("y")
        if given.is_open or x is None or (y is not None and y.kind is Kind.NONE):
            message = "Corro cannot tell what a row is in the data that the model is trained on."
            return job.refuse(
                NAME, message, node, "Give train_on_batch its inputs and targets as arguments.", effort="one line"
            )
        if any(not job.is_uniform(fact.context) for fact in job.calls_of(node)):
            message = "whether this batch is trained on depends on what differs between processes, such as the clock."
            return job.refuse(NAME, message, node, "Count steps instead.", effort="other training")
    return None


def _converted(job: Job, nodes: list[ast.Call]) -> Iterator[Answer]:
    """The calls in one file, with one function for them."""
    target = job.sharing
    assert target is not None
    name, first = job.names.fresh("share_rows"), nodes[0]
    nested = not all(_is_array(job, node) for call in nodes for node in _parts(job, call))
    code = function(target, name, nested=nested)
    yield job.change(
        NAME,
        "the shard of a process in a batch",
        first,
        [defined_before(job, first, code.text)],
        code,
    )
    for node in nodes:
        edits: list[Edit] = [Wrap(job.span(part), f"{name}(", ")") for part in _parts(job, node)]
        edits += _averaged(job, target, node)
        yield job.change(NAME, "each process trains on its own shard of every batch", node, edits, code)


def _said(job: Job) -> Iterator[Answer]:
    """What to know of batches that all processes make."""
    if any(_is_fed(fact) for fact in job.calls):
        yield job.review(
            NAME,
            "every process makes all batches, and trains on its shard of each; they must come in the same order "
            "everywhere.",
            job.anatomy.others[0],
            "If threads, the clock or unseeded random numbers influence the batches, make their order fixed.",
        )
    if noisy(job) is not None:
        yield job.review(
            NAME,
            "dropout and other noise use the same random numbers on every process, because batches are made from the "
            "same "
            "seeds.",
            job.anatomy.others[0],
            differs=("coverage",),
        )


def _is_fed(fact: CallFact) -> bool:
    """Whether batches come from something that is iterated over, not from arrays by position."""
    if fact.name == "next":
        return True
    kinds = (Kind.DATASET, Kind.LOADER, Kind.UNKNOWN)
    loops = fact.context.loops if fact.name == "train_on_batch" else ()
    return any(loop.iterable.kind in kinds or loop.iterable.name == "generator" for loop in loops)


def _parts(job: Job, node: ast.Call) -> Iterator[ast.expr]:
    given = Given(job, node, _NAMES)
    return (part for name in _SHARED if (part := given.node(name)) is not None)


def _is_array(job: Job, node: ast.expr) -> bool:
    return job.value(node).kind in (Kind.TENSOR, Kind.TABLE)


def function(target: SharingTarget, name: str, *, nested: bool) -> Code:
    """A function that gives the part of this process in a batch; in each part of nested ones."""
    np, rank, size = target.library.name("numpy", "np"), target.rank, target.world_size
    imports: tuple[Import, ...] = (target.engine, target.library.imports("numpy", "np"))
    if nested:
        imports = (*imports, target.tf_import)
        text = (
            f"def {name}(batch):\n"
            f"    rows = len({target.tf}.nest.flatten(batch)[0])\n"
            f"    mine = {np}.arange({rank}, {rank} + rows, {size}) % rows\n"
            f"    return {target.tf}.nest.map_structure(lambda part: {np}.asarray(part)[mine], batch)"
        )
    else:
        text = (
            f"def {name}(batch):\n"
            f"    mine = {np}.arange({rank}, {rank} + len(batch), {size}) % len(batch)\n"
            f"    return {np}.asarray(batch)[mine]"
        )
    return Code(text, imports)


def _averaged(job: Job, target: SharingTarget, node: ast.Call) -> Iterator[Edit]:
    """The loss of the whole batch, where it is used."""
    if isinstance(job.parent(node), ast.Expr):
        return
    as_dict = Given(job, node, _NAMES).value("return_dict")
    span = job.span(node)
    if as_dict is not None and as_dict.const is not False:
        key, value = job.names.fresh("key"), job.names.fresh("value")
        average = target.average(value)
        yield Wrap(span, f"{{{key}: {average} for {key}, {value} in ", ".items()}")
    else:
        before, _, after = target.average("\0").partition("\0")
        yield Wrap(span, before, after)
