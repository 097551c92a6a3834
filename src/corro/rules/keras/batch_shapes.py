"""Refuse models that are built for one batch size.

Why
---
Each process, or each device, gets its share of a batch. A model with the batch size in the shape of a tensor, such as
the state that a recurrent cell starts from, takes whole batches only: it stops at the first part of one.

Before
------
::

    class Net(keras.Model):
        def __init__(self):
            self.state = tf.zeros([batch_size, 64])

    net.fit(x, y, batch_size=batch_size)

After
-----
::

    refused: the batch size is written into the shape of a tensor

Source
------
TensorFlow guide, "Distributed training": each replica is given a shard of the global batch.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.fits import FitData
from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form
from corro.frontends.keras.names import canonical
from corro.frontends.keras.semantics import FIXED
from corro.frontends.lineage import base_names
from corro.rules.keras._arguments import Given
from corro.rules.keras._classes import computing
from corro.rules.written import sources
from corro.source import arguments_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TypeGuard

    from corro.names import Scope
    from corro.rules.base import Answer
    from corro.rules.keras._job import Job

NAME = "keras-batch-shapes"

_SHAPED = frozenset({"zeros", "ones", "fill", "normal", "uniform", "truncated_normal", "random_normal",
                     "random_uniform", "reshape", "tile", "broadcast_to", "eye", "ensure_shape", "set_shape",
                     "placeholder", "repeat", "Variable"})  # fmt: skip
_FIXED = ("batch_input_shape", "batch_shape", "batch_size")
_OF_MODELS = ("Model", "Layer", "Merge", "Cell", "Sequential", "Loss", "RNN")


def apply(job: Job) -> Iterable[Answer]:
    """At most one refusal."""
    if not job.target.sees_shards:
        return
    node = next(_fixed(job), None) or next(_shaped(job), None) or next(_written(job), None)
    if node is not None:
        yield job.refuse(
            NAME,
            "the batch size is written into the shape of a tensor in the model, but each process or device holds "
            "only its shard of a batch.",
            node,
            "Take the shape from the data: tf.shape(x)[0], or None.",
            effort="one line",
        )


def _fixed(job: Job) -> Iterator[ast.AST]:
    """``Input(batch_shape=(32, 10))`` of a model that is fitted, and layers of such a shape."""
    fits = {site.node for site in job.anatomy.fits}
    fitted = any(f.receiver is not None and FIXED in f.receiver.tags for f in job.calls if f.node in fits)
    for fact in job.calls:
        if fact.receiver is not None:
            continue
        if fitted and FIXED in fact.result.tags and fact.result.kind is not Kind.MODULE:
            yield fact.node
        for keyword in fact.node.keywords if fact.result.kind is Kind.LAYER else ():
            node = keyword.value
            first = node.elts[0] if isinstance(node, (ast.Tuple, ast.List)) and node.elts else node
            if keyword.arg in _FIXED and job.value(first).kind is Kind.NUMBER:
                yield node


def _shaped(job: Job) -> Iterator[ast.AST]:
    fitted, batches = _Sizes(job, _of_fits(job)), _Sizes(job, _of_batches(job))
    for node in job.nodes.of(ast.Name, ast.Attribute, ast.Subscript):
        if not _is_named(node) or not isinstance(node.ctx, ast.Load) or not _is_shape(job, node):
            continue
        size = node in fitted or (node in batches and _is_first(job, node))
        if size and _is_in_model(job, node):
            yield node


def _written(job: Job) -> Iterator[ast.AST]:
    """Numbers of samples that are written into the shape which a layer gives a batch."""
    for node in (each for function in computing(job) for each in ast.walk(function)):
        name = getattr(node.func, "attr", "") if isinstance(node, ast.Call) else ""
        if not isinstance(node, ast.Call) or name not in ("reshape", "ensure_shape", "set_shape"):
            continue
        given = (
            [node.func.value, *node.args] if name == "set_shape" and isinstance(node.func, ast.Attribute) else node.args
        )
        shape = given[1] if len(given) > 1 else None
        head = shape.elts[0] if isinstance(shape, (ast.List, ast.Tuple)) and shape.elts else None
        batch = job.value(given[0]) if given else None
        whole = batch is not None and batch.kind is Kind.TENSOR and batch.form is Form.SHARDED and batch.batch_dim == 0
        if whole and isinstance(head, ast.Constant) and isinstance(head.value, int) and head.value > 1:
            yield head


def _is_named(node: ast.AST) -> TypeGuard[ast.Name | ast.Attribute | ast.Subscript]:
    """Whether something is a name, an attribute, or an item with a key that is written out."""
    item = isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant)
    return item or isinstance(node, (ast.Name, ast.Attribute))


class _Sizes:
    """Numbers that are batch sizes: by the names they have, and by where they come from."""

    def __init__(self, job: Job, nodes: Iterator[ast.expr]) -> None:
        known = list(nodes)
        self._job = job
        self._names = {self._name(node) for node in known}
        self._origins = frozenset[int]().union(*(job.value(node).origins for node in known))

    def __contains__(self, node: ast.expr) -> bool:
        if self._job.value(node).origins & self._origins:
            return True
        name, bound = self._name(node)
        values = bound.values.get(name, []) if bound is not None else []
        numbers = (self._job.facts.numbers.get(value) for value in values if isinstance(value, ast.expr))
        copied = any(number in self._origins for number in numbers)
        return copied or (bound is not None and (name, bound) in self._names)

    def _name(self, node: ast.expr) -> tuple[str, Scope | None]:
        """What a number is called, and where the name is bound with which that begins."""
        root = node
        while isinstance(root, (ast.Attribute, ast.Subscript)):
            root = root.value
        bound = self._job.names_of(node).binding(root) if isinstance(root, ast.Name) else None
        return ast.unparse(node), bound


def _of_batches(job: Job) -> Iterator[ast.expr]:
    """Names of numbers that may be the batch size of what a generator makes, or is given to ``train_on_batch``.

    They bound slices, are the first of a shape, or are given by themselves to what makes a batch.
    """
    given = [argument for call in job.anatomy.others for argument in arguments_of(call)]
    made = [Given.of_fit(job, site).data for site in job.anatomy.fits if site.data is FitData.BATCHES]
    given += [data for data in made if data is not None]
    for node in (node for file in job.files for node in sources(file.tree, given)):
        parts: list[ast.AST] = []
        if isinstance(node, ast.Subscript):
            parts = list(ast.walk(node.slice))
        elif isinstance(node, (ast.Tuple, ast.List)):
            parts = [*node.elts[:1]]
        elif isinstance(node, ast.Call):
            parts = [*arguments_of(node)]
        yield from (n for n in parts if _is_named(n) and job.value(n).kind is Kind.NUMBER)


def _is_first(job: Job, node: ast.expr) -> bool:
    """Whether a name is the first dimension of a shape that is written out."""
    shape = job.parent(node)
    return not isinstance(shape, (ast.Tuple, ast.List)) or shape.elts[0] is node


def _of_fits(job: Job) -> Iterator[ast.expr]:
    """What is given as the batch size of what a model is fitted to."""
    given: list[ast.expr | None] = []
    for site in job.anatomy.fits:
        call = Given.of_fit(job, site)
        given.append(call.node("batch_size"))
        data = call.data
        stages = job.value(data).items if data is not None and site.data is FitData.PIPELINE else ()
        for number in (n for stage in stages if "batch" in stage.name for n in stage.sites):
            made = job.facts.nodes[number]
            given.append(Given(job, made, ("batch_size",)).node("batch_size") if isinstance(made, ast.Call) else None)
    yield from (node for node in given if node is not None and _is_named(node))


def _is_in_model(job: Job, node: ast.AST) -> bool:
    functions = set(computing(job))
    for above in job.ancestors(node):
        if above in functions:
            return True
        if isinstance(above, ast.ClassDef):
            names = {canonical(name) for name in base_names(job.facts, above)}
            return any(name.startswith("keras.") and name.endswith(_OF_MODELS) for name in names)
    return False


def _is_shape(job: Job, node: ast.AST) -> bool:
    for above in job.ancestors(node):
        if isinstance(above, ast.Call):
            return any(name.rpartition(".")[2] in _SHAPED for name in job.names_of(above).qualified(above.func))
        if isinstance(above, ast.stmt):
            return False
    return False
