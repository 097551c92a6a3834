"""Refuse models that compute with a whole batch.

Why
---
Each process or device has a shard of every batch. A model that treats each sample by itself computes the same for it
there. One that brings an average, a maximum or a deviation over the batch back to the samples, or keeps running
averages of its own, does not; nor does a function that is mapped over the batches of a pipeline. Keras' own batch
normalisation is known for it, and only said. In the layers of libraries for graphs a node is given what its neighbours
have, which are samples of the same batch.

Before
------
::

    class Centred(keras.layers.Layer):
        def call(self, inputs):
            return inputs - tf.reduce_mean(inputs, axis=0)

After
-----
::

    refused: this compares samples of the batch with each other

Source
------
Ioffe, "Batch Renormalization" (2017), on small parts of a batch.
"""

from __future__ import annotations

import ast
from itertools import islice
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form
from corro.frontends.keras.data import BATCHED, SYMBOLIC
from corro.frontends.keras.names import canonical
from corro.frontends.keras.semantics import ACROSS, MIXING, STARTING
from corro.frontends.tensors import IN_PARTS
from corro.rules import outer
from corro.rules.keras._arguments import Given
from corro.rules.keras._classes import computing
from corro.rules.keras._meetings import meeting
from corro.rules.keras._rearranged import rearranged
from corro.rules.keras._reductions import by_another_name, called, parameters, renamed, variable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.flow.facts import CallFact
    from corro.rules.base import Answer
    from corro.rules.keras._job import Job
    from corro.rules.keras._meetings import IsSample

NAME = "keras-samples"

_BATCHES = frozenset({"batch", "padded_batch"})
_OF_GRAPHS = ("spektral.", "stellargraph.", "tensorflow_gnn.", "dgl.")


def apply(job: Job) -> Iterable[Answer]:
    """One refusal, at the first place."""
    if job.target.sees_shards:
        yield from islice(_refusals(job), 1)


def _refusals(job: Job) -> Iterator[Answer]:
    for node in _meetings(job):
        yield job.refuse(
            NAME,
            "this compares samples of the batch with each other, but each process or device holds only its shard.",
            node,
            "Compute with each sample by itself, or use a layer of Keras, such as BatchNormalization.",
        )
    for call in _unread(job):
        yield job.refuse(NAME, *by_another_name(call))
    for fact in job.calls:
        if fact.receiver is None and fact.result.kind is Kind.LAYER:
            yield from _of_layer(job, fact)
    functions = {part for function in computing(job) for part in called(job, function)}
    for met in outer.meetings(job):
        if functions & set(job.ancestors(met.node)):
            yield job.refuse(NAME, met.message, met.node, met.hint)


def _of_layer(job: Job, fact: CallFact) -> Iterator[Answer]:
    """Layers of Keras, or around it, that combine samples."""
    last = fact.result.name.rpartition(".")[2]
    if ACROSS not in fact.result.tags:
        pass
    elif last in STARTING:
        yield job.refuse(
            NAME,
            "this layer sets its first weights by the means of the first batch, but each process or device holds "
            "only its shard.",
            fact.node,
            "Give it data_init=False.",
        )
    elif last in MIXING:
        yield job.refuse(
            NAME,
            "this layer combines several samples of a batch, but each process or device holds only its shard.",
            fact.node,
            "Compute with each sample by itself.",
        )
    else:
        yield job.refuse(
            NAME,
            "this layer works along the samples of a batch, but each process or device holds only its shard.",
            fact.node,
            "Leave the first axis out; it counts samples.",
        )
    if fact.result.name.startswith(_OF_GRAPHS):
        yield job.refuse(
            NAME,
            "this layer combines the nodes of a graph with their neighbours, but each process or device holds only "
            "its shard of the nodes.",
            fact.node,
            "Train on one device.",
        )


def _unread(job: Job) -> Iterator[ast.Call]:
    """Operations in layers, and between them, under names of the script's own."""
    for function in (*computing(job), *_mapped(job)):
        yield from renamed(job, ast.walk(function))
    for call in renamed(job, (node for file in job.files for node in file.nodes)):
        if any(SYMBOLIC in job.value(argument).tags for argument in call.args):
            yield call


def _meetings(job: Job) -> Iterator[ast.AST]:
    """Where a value of all samples of a batch is brought back to single ones."""
    for function in (*computing(job), *_mapped(job)):
        yield from meeting(list(ast.walk(function)), _given(function))
    for function in computing(job):
        apart = rearranged(job, function, averages=False)
        if apart is not None:
            yield apart
        yield from (node for node in ast.walk(function) if _picks(job, node) or _counts(job, node))
    for file in job.files:
        yield from meeting(file.nodes, lambda name: SYMBOLIC in job.value(name).tags, knows_all=True)


def _picks(job: Job, node: ast.AST) -> bool:
    """Whether samples are chosen by their place in the batch: ``x[1:]``."""
    if not isinstance(node, ast.Subscript) or not isinstance(node.slice, ast.Slice):
        return False
    batch = job.value(node.value)
    bounded = any((node.slice.lower, node.slice.upper, node.slice.step)) and IN_PARTS not in batch.tags
    return bounded and batch.kind is Kind.TENSOR and batch.form is Form.SHARDED and batch.batch_dim == 0


def _counts(job: Job, node: ast.AST) -> bool:
    """Whether values of samples are scaled by how many there are in the batch."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, (ast.Mult, ast.Div)):
        return False
    return {job.value(node.left).form, job.value(node.right).form} == {Form.SHARDED, Form.COUNT}


def _mapped(job: Job) -> Iterator[ast.AST]:
    """Functions that are mapped over the batches of a pipeline that is trained on."""
    for site in job.anatomy.fits:
        data = Given.of_fit(job, site).data
        stages = job.value(data).items if data is not None else ()
        batched = False
        for stage in stages:
            batched = batched or stage.name in _BATCHES or canonical(stage.name) in BATCHED
            nodes = [job.facts.nodes[number] for number in stage.sites]
            for fact in (f for node in nodes for f in job.calls_of(node) if batched and stage.name == "map"):
                given = fact.argument(0, "map_func")
                if given is not None and given.obj in job.facts.functions:
                    yield job.facts.functions[given.obj]


def _given(function: ast.AST) -> IsSample:
    """Whether a name is what a function is given."""
    names = parameters(function)
    return lambda name: variable(name) in names
